import test from 'ava';
import { preflight } from '../../../../workers/verdict/check/check-actions.ts';
import { judgeStart } from '../../../../workers/verdict/check/judge-start.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { look, pay } from '../../../models/refund-run.ts';
import { APPROVALS, drawCase, readCase, readCaseActions } from '../../../models/relational/draw-case.ts';
import { canBegin } from '../../../models/relational/judge-case.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RUNS = 240;

const withoutResponse = ({ response: _, started_at, ended_at, ...intent }: Readonly<Record<string, unknown>>) => intent;

test('an action is refused if and only if no run that begins with it passes', (t) => {
  const counts = { allowed: 0, refused: 0 };
  for (let seed = 0; seed < RUNS; seed++) {
    const one = drawCase(8405_000 + seed, { hasTimes: false, most: 2, proposed: 1 });
    const expected = one.acts.length === 0 ? undefined : canBegin(one);
    if (expected === undefined) continue;
    const plan = readCase(one);
    const actions = readCaseActions(one, plan);
    const { alignment, constraints } = judgeStart(
      { plan, actions, runContext: { approvals: APPROVALS } },
      undefined,
      by,
    );
    const verdicts = [alignment.verdict, constraints.verdict];
    if (verdicts.includes('indeterminate')) continue;
    const isAllowed = verdicts.every((verdict) => verdict === 'satisfied');
    t.is(isAllowed, expected, JSON.stringify(one));
    counts[isAllowed ? 'allowed' : 'refused'] += 1;
  }
  for (const count of Object.values(counts)) t.true(count >= 0.05 * RUNS, JSON.stringify(counts));
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
    t.deepEqual([answer.alignment.verdict, answer.constraints.verdict], ['satisfied', 'satisfied']);
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
