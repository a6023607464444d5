import { Worker } from 'node:worker_threads';
import test from 'ava';
import type { SmtAnswer, SmtQuery } from '../../../../workers/verdict/decide/smt-solver.ts';
import { openZ3, query } from '../../../models/open-z3.ts';

const THREAD = new URL('./z3-thread.ts', import.meta.url);

const sums = Array.from({ length: 12 }, (_, i) => `(<= (+ (* ${i + 2} x${i % 5}1) (* 3 x${(i + 2) % 5}1)) ${90 - i})`);
const constants = 'x01:Int x11:Int x21:Int x31:Int x41:Int';
const QUERIES: readonly SmtQuery[] = [
  query(constants, ...sums, '(< 25 (+ x01 x11 x21 x31 x41))'),
  query(constants, ...sums, '(< 40 (+ x01 x11))', '(< 40 (+ x21 x31))', '(< 13 (* 7 x41))'),
  { ...query('x0:Int x1:Int', '(< 1 x0)', '(< 1 x1)', '(= (* x0 x1) 1000000016000000063)'), rlimit: 20_000 },
  query('x0:Int x1:Int', '(= (* x0 x1) 391)', '(< 1 x0 x1)'),
];

test('two threads give the same answers with the same steps, in any order', async (t) => {
  const [there, here] = await Promise.all([
    inThread(QUERIES),
    openZ3().then((z3) =>
      QUERIES.toReversed()
        .map((asked) => z3.check(asked))
        .toReversed(),
    ),
  ]);
  t.deepEqual(there, here);
  t.deepEqual(new Set(here.map(({ status }) => status)), new Set(['sat', 'unsat', 'unknown']));
});

function inThread(queries: readonly SmtQuery[]): Promise<readonly SmtAnswer[]> {
  const thread = new Worker(THREAD, { workerData: queries });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
