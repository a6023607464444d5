import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { preflight } from '../../../../workers/verdict/check/check-actions.ts';
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

const refund = (done: readonly object[], action: object, over: object = {}) =>
  preflight({ plan: { ...REFUND_PLAN, ...over }, sheets: [], done, action: withoutResponse({ ...action }) }, by);

const [LOOK, PAY] = REFUND_PLAN.steps;
const OFTEN = { steps: [LOOK, { ...PAY, min: 2, max: 4 }] };
const TENS = [pay('10.00', '70.00'), pay('10.00', '60.00', 'r2'), pay('10.00', '50.00', 'r3')] as const;

for (const [done, action, remaining, slack, over] of [
  [[look], pay('50.00', ''), { min: 0, max: 1 }, '50.00'],
  [[look, pay('50.00', '30.00')], pay('30.00', '', 'r2'), undefined, '20.00'],
  [[look], TENS[0], { min: 1, max: 3 }, '90.00', OFTEN],
  [[look, TENS[0]], TENS[1], { min: 0, max: 2 }, '80.00', OFTEN],
  [[look, TENS[0], TENS[1]], TENS[2], { min: 0, max: 1 }, '70.00', OFTEN],
] as const) {
  test(`after ${done.length} actions and ${action.args.amount}, ${remaining?.max ?? 'no'} may follow, of at most ${slack}`, (t) => {
    const answer = refund(done, action, over);
    t.true(isAllowed(answer));
    t.deepEqual(answer.remaining, remaining === undefined ? [] : [{ step_id: 'pay', ...remaining }]);
    const slacks = [
      { id: 'cap', slack },
      { id: 'whole', slack: null },
    ];
    t.deepEqual(answer.slacks, slacks);
  });
}

test('a rule that is broken has a negative slack', (t) => {
  const { constraints, slacks } = refund([look], pay('130.00', ''));
  t.is(constraints.verdict, 'violated');
  t.like(slacks[0], { slack: '-30.00' });
});

const PAID = ['sum', 'pay', 'p', ['arg', 'p', 'amount']];
for (const [expr, slack] of [
  [['<', PAID, ['var', 'cap']], '20.00'],
  [['>=', ['var', 'cap'], PAID], '20.00'],
  [['>', ['int', '90'], PAID], '10.00'],
  [['<=', ['sum', 'look', 'p', ['resp', 'p', 'total']], ['dec', '99.5']], '19.50'],
  [['and', ['<=', PAID, ['var', 'cap']]], null],
  [['=', PAID, ['var', 'cap']], null],
  [['<', ['run', 'approved_at'], ['time', '2099-01-01T00:00:00.000000Z']], null],
] as const) {
  test(`the slack of ${JSON.stringify(expr)} is ${slack}`, (t) => {
    t.is(refund([look], pay('80.00', ''), { constraints: [{ id: 'a', expr }] }).slacks[0]?.slack, slack);
  });
}
