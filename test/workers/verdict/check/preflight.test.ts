import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { checkRun, preflight } from '../../../../workers/verdict/check/check-actions.ts';
import type { CheckName } from '../../../../workers/verdict/run/checked.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { fc } from '../../../kit/fast-check.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look, pay } from '../../../models/refund-run.ts';
import { actionsOf, planOf, sheetsOf, type TinyCase, tinyCases } from '../../../models/tiny-plans.ts';
import { beginnings, tryAll } from '../../../models/try-tiny-plans.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RUNS = 28;

const withoutResponse = ({ response: _, started_at, ended_at, ...intent }: Readonly<Record<string, unknown>>) => intent;

function ask(one: TinyCase) {
  const documents = actionsOf({ ...one, isRecorded: true });
  const done = documents.slice(0, -1);
  const action = withoutResponse(defined(documents.at(-1)));
  return preflight({ plan: planOf(one), sheets: sheetsOf(one), done, action }, by);
}

const isAllowed = ({ alignment, constraints }: ReturnType<typeof ask>) =>
  alignment.verdict === 'satisfied' && constraints.verdict === 'satisfied';

test('an action is refused if and only if no run that begins with it passes', (t) => {
  let allowed = 0;
  fc.assert(
    fc.property(
      tinyCases.filter(({ done }) => done.length > 0),
      (one) => {
        const answer = ask(one);
        t.is(isAllowed(answer), beginnings(one).some(tryAll), JSON.stringify(one));
        allowed += Number(isAllowed(answer));
      },
    ),
    { numRuns: RUNS, seed: 5 },
  );
  t.true(allowed >= 0.15 * RUNS && allowed <= 0.85 * RUNS, `${allowed} of ${RUNS}`);
});

/** Cases in which every step was done as often as allowed, and some response of the last action passes. */
const finished = tinyCases
  .map((one): TinyCase => {
    const timesOf = (step: number) => one.done.filter((act) => act.step === step).length;
    return { ...one, steps: one.steps.map((step, index) => ({ ...step, max: timesOf(index) })) };
  })
  .filter(({ steps }) => steps.every(({ min, max }) => min <= max && max > 0))
  .filter((one) => beginnings(one).some(tryAll));

test('a run that ends with an allowed action passes for some response', (t) => {
  const passes = (one: TinyCase) => {
    const documents = { plan: planOf(one), sheets: sheetsOf(one), actions: actionsOf(one) };
    const verdictOf = (check: CheckName) => checkRun(documents, { check, solver: by }).judgement.verdict;
    return verdictOf('plan_alignment') === 'satisfied' && verdictOf('constraints') === 'satisfied';
  };
  fc.assert(
    fc.property(finished, (one) => {
      const answer = ask(one);
      t.true(isAllowed(answer), JSON.stringify(one));
      t.deepEqual(answer.remaining, []);
      t.true(beginnings(one).some(passes), JSON.stringify(one));
    }),
    { numRuns: RUNS / 2, seed: 6 },
  );
});

const refund = (done: readonly object[], action: object) =>
  preflight({ plan: REFUND_PLAN, sheets: [], done, action: withoutResponse({ ...action }) }, by);

test('a preflight tells how often each step may still be done, and the slack of each rule', (t) => {
  const half = refund([look], pay('50.00', ''));
  t.true(isAllowed(half));
  t.deepEqual(half.remaining, [{ step_id: 'pay', min: 0, max: 1 }]);
  t.deepEqual(half.slacks, [
    { id: 'cap', slack: '50.00' },
    { id: 'whole', slack: null },
  ]);
  const rest = refund([look, pay('50.00', '30.00')], pay('30.00', '', 'r2'));
  t.true(isAllowed(rest));
  t.deepEqual(rest.remaining, []);
  t.like(rest.slacks[0], { slack: '20.00' });
  const excess = refund([look], pay('130.00', ''));
  t.is(excess.constraints.verdict, 'violated');
  t.like(excess.slacks[0], { slack: '-30.00' });
});

test('a preflight tells how often a step must still be done', (t) => {
  const [first, second] = REFUND_PLAN.steps;
  const steps = [first, { ...second, min: 2, max: 4 }];
  const after = (done: readonly object[], action: object) =>
    preflight({ plan: { ...REFUND_PLAN, steps }, sheets: [], done, action: withoutResponse({ ...action }) }, by)
      .remaining;
  const [one, two] = [pay('10.00', '70.00'), pay('10.00', '60.00', 'r2')];
  t.deepEqual(after([look], one), [{ step_id: 'pay', min: 1, max: 3 }]);
  t.deepEqual(after([look, one], two), [{ step_id: 'pay', min: 0, max: 2 }]);
  t.deepEqual(after([look, one, two], pay('10.00', '50.00', 'r3')), [{ step_id: 'pay', min: 0, max: 1 }]);
});

test('comparisons of numbers have a slack in either direction, and other rules have no slack', (t) => {
  const paid = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];
  const rules = [
    ['<', paid, ['var', 'cap']],
    ['>=', ['var', 'cap'], paid],
    ['>', ['int', '90'], paid],
    ['<=', ['sum', 'look', 'p', ['resp', 'p', 'total']], ['dec', '99.5']],
    ['and', ['<=', paid, ['var', 'cap']]],
    ['=', paid, ['var', 'cap']],
    ['<', ['run', 'approved_at'], ['time', '2099-01-01T00:00:00.000000Z']],
  ];
  const constraints = rules.map((expr, index) => ({ id: `${index}`, expr }));
  const plan = { ...REFUND_PLAN, constraints };
  const { slacks } = preflight({ plan, sheets: [], done: [look], action: withoutResponse(pay('80.00', '')) }, by);
  t.deepEqual(
    slacks.map(({ slack }) => slack),
    ['20.00', '20.00', '10.00', '19.50', null, null, null],
  );
});
