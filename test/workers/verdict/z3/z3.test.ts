import { createHash } from 'node:crypto';
import test from 'ava';
import { SmtError, SmtSizeError } from '../../../../workers/verdict/decide/smt-solver.ts';
import { loadModule } from '../../../../workers/verdict/z3/module.ts';
import { toScript } from '../../../../workers/verdict/z3/script.ts';
import { solve } from '../../../../workers/verdict/z3/solve.ts';
import { createZ3 } from '../../../../workers/verdict/z3/z3.ts';
import { openZ3, query, readWasm } from '../../../models/open-z3.ts';

const z3 = await openZ3();
const module = await loadModule(await readWasm());

test('a model is read exactly, beyond 64 bits and below zero', (t) => {
  const large = 12345678901234567890123456789012345678n;
  const answer = z3.check(
    query('x0:Int x1:Int b0:Bool b1:Bool', `(= x0 ${large})`, `(= x1 (- ${large}))`, '(and b0 (not b1))'),
  );
  if (answer.status !== 'sat') return t.fail(answer.status);
  return t.deepEqual(
    [...answer.model],
    [
      ['x0', large],
      ['x1', -large],
      ['b0', true],
      ['b1', false],
    ],
  );
});

test('an unconstrained constant has a value', (t) => {
  const answer = z3.check(query('x0:Int b0:Bool'));
  t.deepEqual(answer.status === 'sat' && [...answer.model.keys()], ['x0', 'b0']);
});

test('a core has only assertions that contradict each other', (t) => {
  const answer = z3.check(query('x0:Int', '(< x0 9)', '(< 3 x0)', '(< x0 3)', 'true'));
  t.deepEqual(answer.status === 'unsat' && answer.core, ['c1', 'c2']);
});

test('an assertion that is false alone, or contradicted by another, is in the core', (t) => {
  const alone = z3.check(query('', 'true', 'false'));
  t.deepEqual(alone.status === 'unsat' && alone.core, ['c1']);
  const twice = z3.check(query('x0:Int', '(< x0 1)', '(< x0 1)', '(< 1 x0)'));
  t.is(twice.status === 'unsat' && twice.core.includes('c2') && twice.core.length, 2);
});

test('names are bound in parallel', (t) => {
  t.is(z3.check(query('x0:Int', '(= x0 5)', '(let ((a0 x0) (b0 (+ x0 1))) (< a0 b0))')).status, 'sat');
});

test('a query that needs more steps than its limit is unknown', (t) => {
  const factors = query('x0:Int x1:Int', '(< 1 x0)', '(< 1 x1)', '(= (* x0 x1) 1000000016000000063)');
  const answer = z3.check({ ...factors, rlimit: 20_000 });
  t.is(answer.status === 'unknown' && answer.reason, 'rlimit');
  t.true(answer.rlimitUsed >= 20_000);
});

test('pins identify the solver, and the script hash identifies the question', async (t) => {
  t.is(z3.pins.npmVersion, '5.2.0');
  t.is(z3.pins.z3Version, 'Z3 5.1.0.0');
  t.is(
    z3.pins.wasmSha256,
    createHash('sha256')
      .update(await readWasm())
      .digest('hex'),
  );
  const asked = query('x0:Int', '(< 3 x0)');
  t.is(z3.check(asked).script, createHash('sha256').update(toScript(asked)).digest('hex'));
});

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

const domain = (symbol: string) => `(and (<= 0 ${symbol}) (<= ${symbol} 1000))`;

test('memory does not grow after the first fifty checks', async (t) => {
  const own = await openZ3();
  const symbols = Array.from({ length: 8 }, (_, index) => `x${index}`);
  const ask = (round: number) => {
    const sum = `(+ ${symbols.join(' ')})`;
    const limit = round % 2 === 0 ? `(<= ${sum} ${round})` : `(< 9000 ${sum})`;
    return own.check(query(symbols.map((symbol) => `${symbol}:Int`).join(' '), ...symbols.map(domain), limit));
  };
  for (let round = 0; round < 50; round++) ask(round);
  const { heapBytes } = own.usage();
  for (let round = 50; round < 150; round++) t.is(ask(round).status, round % 2 === 0 ? 'sat' : 'unsat');
  t.deepEqual(own.usage(), { checks: 150, heapBytes });
  t.false(own.isWorn());
});

test('an instance that ran out of memory answers no further query', async (t) => {
  const small = await createZ3(await readWasm(), { maxMemoryMb: 9 });
  const nested = Array.from({ length: 480 }).reduce((term) => `(+ 1 (ite b0 ${term} x0))`, 'x0');
  const asked = query('x0:Int b0:Bool', `(< 3 ${nested})`);
  t.throws(() => small.check(asked), { instanceOf: SmtError });
  t.throws(() => small.check(query('', 'true')), { message: 'z3 broke at an earlier query' });
  t.true(small.isWorn());
});

const asked = query('x0:Int', '(< 1 x0)', '(< x0 3)');
const script = toScript(asked);

test('z3 is asked if it holds the assertions that were sent', (t) => {
  t.is(solve(module, asked, script).status, 'sat');
});

for (const [what, other, message] of [
  ['lacks an assertion', script.replace(/\(assert .*c1\)\)\n/, ''), 'z3 holds 1 of 2 assertions'],
  ['has one more', script.replace('(check-sat)', '(assert (! true :named c2))'), 'z3 holds 3 of 2 assertions'],
  ['has another', script.replace('c1', 'c2'), 'z3 holds another assertion'],
  ['has them in another order', toScript({ ...asked, assertions: asked.assertions.toReversed() }), /another assertion/],
  ['has one without a name', script.replace('(! (< x0 3) :named c1)', '(< x0 3)'), /an assertion without a name/],
] as const) {
  test(`z3 is not asked if it ${what}`, (t) => {
    t.not(other, script);
    t.throws(() => solve(module, asked, other), { instanceOf: SmtError, message });
  });
}
