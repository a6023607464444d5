import { createHash } from 'node:crypto';
import test from 'ava';
import { toScript } from '../../../../workers/verdict/z3/script.ts';
import { openZ3, query, readWasm } from '../../../models/open-z3.ts';

const z3 = await openZ3();

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
