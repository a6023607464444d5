import test from 'ava';
import { SmtError, SmtSizeError } from '../../../../workers/verdict/decide/smt-solver.ts';
import { toScript } from '../../../../workers/verdict/z3/script.ts';
import { query } from '../../../models/open-z3.ts';

const MAX_LENGTH = 1_048_576;

test('a script declares the constants and names the assertions', (t) => {
  t.is(
    toScript(query('x0:Int b0:Bool', '(< x0 3)', 'b0')),
    `(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-logic ALL)
(declare-const x0 Int)
(declare-const b0 Bool)
(assert (! (< x0 3) :named c0))
(assert (! b0 :named c1))
(check-sat)
`,
  );
});

test('all terms together have at most a mebibyte', (t) => {
  const term = (length: number) => `(and true${' '.repeat(length - 14)}true)`;
  t.notThrows(() => toScript(query('', term(1000), term(MAX_LENGTH - 1000))));
  t.throws(() => toScript(query('', term(1000), term(MAX_LENGTH - 999))), { instanceOf: SmtSizeError });
});

test('a limit is between 1 and 2^32 - 1', (t) => {
  const limited = (rlimit: number) => toScript({ ...query('', 'true'), rlimit });
  for (const rlimit of [1, 2 ** 32 - 1]) t.notThrows(() => limited(rlimit));
  for (const rlimit of [0, -1, 1.5, 2 ** 32, Number.NaN]) t.throws(() => limited(rlimit), { instanceOf: SmtError });
});
