import test from 'ava';
import fc from 'fast-check';
import { decide } from '../../../../workers/solver/decide/decide.ts';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { completionProblem } from '../../../../workers/solver/run/completion.ts';
import { readActions, readIntents } from '../../../../workers/solver/run/read-actions.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { openZ3 } from '../open-z3.ts';
import { look, pay, plan } from './refund-run.ts';
import { actionsOf, planOf, type TinyCase, tinyCases, tryAll } from './tiny-plans.ts';

const solver = await openZ3();
const RUNS = 75;

function decideTiny(one: TinyCase) {
  const read = readPlan(planOf(one));
  const actions = one.isRecorded ? readActions(actionsOf(one), read) : readIntents(actionsOf(one), read);
  return decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT });
}

test('whether a run can still be completed is what trying every way to go on says, and each answer is frequent', (t) => {
  const counts = new Map<string, number>();

  fc.assert(
    fc.property(tinyCases, (one) => {
      const expected = tryAll(one);
      const { verdict } = decideTiny(one);
      counts.set(expected, (counts.get(expected) ?? 0) + 1);
      // That no run at all can obey the rules is said first, whatever was done.
      if (verdict === 'vacuous') t.is(tryAll({ ...one, done: [] }), 'impossible');
      else t.is(verdict === 'violated' ? 'impossible' : verdict, expected);
    }),
    { numRuns: RUNS, seed: 1 },
  );
  t.deepEqual([...counts.keys()].sort(), ['impossible', 'invalid_input', 'satisfied']);
  for (const [verdict, count] of counts) t.true(count >= 0.15 * RUNS, `${verdict}: ${count} of ${RUNS}`);
});

function complete(documents: readonly unknown[]) {
  const decision = decide(completionProblem(plan, readActions(documents, plan)), { solver, rlimit: DEFAULT_RLIMIT });
  return 'core' in decision ? [decision.verdict, ...decision.core] : decision.verdict;
}

test('a refund can be completed after a part of it, not after too much', (t) => {
  t.is(complete([]), 'satisfied');
  t.is(complete([look, pay('50.00', '30.00')]), 'satisfied');
  t.deepEqual(complete([look, pay('90.00', '-10.00')]), [
    'violated',
    '/constraints/whole',
    '/completion/pay/where/positive',
  ]);
});

test('a witness says how', (t) => {
  const actions = readActions([look, pay('50.00', '30.00')], plan);
  const decision = decide(completionProblem(plan, actions), { solver, rlimit: DEFAULT_RLIMIT });
  if (decision.verdict !== 'satisfied') return t.fail(decision.verdict);
  t.is(decision.witness?.get('/completion/0/pay/present'), true);
  return t.is(decision.witness?.get('/completion/0/pay/args/amount'), '30.00');
});
