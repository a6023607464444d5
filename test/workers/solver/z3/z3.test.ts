import { createHash } from 'node:crypto';
import test from 'ava';
import { SmtError } from '../../../../workers/solver/decide/smt-solver.ts';
import { toFraction } from '../../../../workers/solver/z3/model.ts';
import { toScript } from '../../../../workers/solver/z3/script.ts';
import { openZ3, query, readWasm } from '../../../models/open-z3.ts';

const z3 = await openZ3();
const of = (numerator: bigint, denominator = 1n) => ({ numerator, denominator });

test('a model is read exactly, beyond 64 bits and below zero', (t) => {
  const large = 12345678901234567890123456789012345678n;
  const answer = z3.check(
    query(
      'x0:Int x1:Int r0:Real b0:Bool b1:Bool',
      `(= x0 ${large})`,
      `(= x1 (- ${large}))`,
      '(= (* 3.0 r0) (- 1.0))',
      '(and b0 (not b1))',
    ),
  );
  if (answer.status !== 'sat') return t.fail(answer.status);
  return t.deepEqual(
    [...answer.model],
    [
      ['x0', of(large)],
      ['x1', of(-large)],
      ['r0', of(-1n, 3n)],
      ['b0', true],
      ['b1', false],
    ],
  );
});

test('an unconstrained constant has a value', (t) => {
  const answer = z3.check(query('x0:Int b0:Bool r0:Real'));
  t.deepEqual(answer.status === 'sat' && [...answer.model.keys()], ['x0', 'b0', 'r0']);
});

test('a core has only assertions that contradict each other', (t) => {
  const answer = z3.check(query('x0:Int', '(< x0 9)', '(> x0 3)', '(< x0 3)', 'true'));
  t.deepEqual(answer.status === 'unsat' && answer.core, ['c1', 'c2']);
});

test('an assertion that is false alone, or contradicted by another, is in the core', (t) => {
  const alone = z3.check(query('', 'true', 'false'));
  t.deepEqual(alone.status === 'unsat' && alone.core, ['c1']);
  const twice = z3.check(query('x0:Int', '(< x0 1)', '(< x0 1)', '(> x0 1)'));
  t.is(twice.status === 'unsat' && twice.core.includes('c2') && twice.core.length, 2);
});

test('div and mod are Euclidean, and names are bound in parallel', (t) => {
  t.is(z3.check(query('', '(= (div (- 7) 2) (- 4))', '(= (mod (- 7) (- 2)) 1)')).status, 'sat');
  t.is(z3.check(query('x0:Int', '(= x0 5)', '(let ((a0 x0) (b0 (+ x0 1))) (< a0 b0))')).status, 'sat');
});

test('a query that needs more steps than its limit is unknown', (t) => {
  const factors = query('x0:Int x1:Int', '(> x0 1)', '(> x1 1)', '(= (* x0 x1) 1000000016000000063)');
  const answer = z3.check({ ...factors, rlimit: 20_000 });
  t.is(answer.status === 'unknown' && answer.reason, 'rlimit');
  t.true(answer.rlimitUsed >= 20_000);
});

test('an algebraic number is not a value, and a query that needs one has no answer', (t) => {
  t.deepEqual(toFraction('-7/120'), of(-7n, 120n));
  t.throws(() => toFraction('7/0'), { instanceOf: SmtError });
  t.throws(() => toFraction('(root-obj (+ (^ x 2) (- 2)) 2)'), { instanceOf: SmtError });
  t.throws(() => toFraction('1.414?'), { instanceOf: SmtError });
  t.is(z3.check(query('r0:Real', '(= (* r0 r0) 2.0)')).status, 'unknown');
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
  const asked = query('x0:Int', '(> x0 3)');
  t.is(z3.check(asked).script, createHash('sha256').update(toScript(asked)).digest('hex'));
});
