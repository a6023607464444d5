import test from 'ava';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { SmtQuery, SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { rulesAlwaysTrue } from '../../../../workers/verdict/search/always-true.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { payPlan } from '../../../models/pay-plan.ts';

const z3 = await sharedZ3();
const LOOK = 'look: { tool: look@1, times: 0..2 }';

type Parts = Parameters<typeof payPlan>[0];
const ask = (parts: Parts) =>
  rulesAlwaysTrue(payPlan({ steps: LOOK, ...parts }), { solver: z3, rlimit: DEFAULT_RLIMIT });
const alwaysTrue = (parts: Parts) => ask(parts).map(({ path }) => path);

test('a finding names the rule, if the rule has a name', (t) => {
  const message = (rule: string) => `no run can break ${rule}: it adds nothing to the rest of the plan`;
  const found = ask({ rules: ['pay.all(p, p.n >= 0)'], pay: `times: 0..4, where: { a: 'args.n >= 0' }` });
  t.deepEqual(found, [
    { code: 'RULE_ALWAYS_TRUE', path: '/constraints/0', message: message('the rule r0') },
    { code: 'RULE_ALWAYS_TRUE', path: '/steps/0/where/0', message: message('the rule') },
  ]);
});

const LOW = `times: 0..4, where: 'args.n <= 1'`;
const APPROVED = ['pay.all(p, p.n <= 2 || approved_by("finance"))', 'pay.all(p, p.n <= 2 || approvals >= 2)'];
const [C0, C1, C2, C3] = ['/constraints/0', '/constraints/1', '/constraints/2', '/constraints/3'];
for (const [what, parts, paths] of [
  [
    'a rule that the counts of steps imply',
    { rules: ['count(pay) <= 3', 'count(pay) <= 4', 'count(pay) + count(look) < 7'] },
    [C1, C2],
  ],
  [
    'a rule about each action that its types imply',
    { rules: ['pay.all(p, p.n <= 3)', 'pay.all(p, p.n <= 2)', 'pay.all(p, p.response.fee >= 2)'] },
    [C0, C2],
  ],
  [
    'a condition that types imply',
    { pay: `times: 0..4, where: { a: 'args.n >= 0', b: 'args.n >= 1', c: 'args.m < args.n + 3' }` },
    ['/steps/0/where/0', '/steps/0/where/2'],
  ],
  ['a rule about each action of another step', { rules: ['look.all(l, l.n < 9)'] }, [C0]],
  ['a rule that another rule implies', { rules: ['pay.all(p, p.n <= 2)', 'sum(pay, p, p.n) <= 8'] }, [C1]],
  ['a rule that a condition implies', { pay: LOW, rules: ['sum(pay, p, p.n) <= 4'] }, [C0]],
  ['not a rule about what comes before', { rules: ['pay.all(p, !look.exists(l, l.open > 3 && before(l, p)))'] }, []],
  ['not a rule by itself', { rules: ['sum(pay, p, p.n) <= 8'] }, []],
  ['not a rule that is written twice', { rules: ['sum(pay, p, p.n) <= 8', 'sum(pay, p, p.n) <= 8'] }, []],
  ['not a condition that others imply', { pay: `times: 0..4, where: { a: 'args.n <= 1', b: 'args.n <= 2' }` }, []],
  ['not a rule that repeats a condition', { pay: LOW, rules: ['pay.all(p, p.n <= 2)'] }, []],
  ['an approval that no action can need', { pay: LOW, rules: APPROVED }, [C0, C1]],
  ['not an approval that an action can need', { pay: `times: 0..4, where: 'args.n >= 1'`, rules: APPROVED }, []],
  ['that a plan is approved', { rules: ['approvals >= 1', 'approvals >= 2'] }, [C0]],
  [
    'not what may have no value',
    {
      rules: [
        'pay.all(p, p.n < 9 || approved[p.invoice].amount > 5)',
        'count(pay) < 9 || least(pay, p, p.n) > 2',
        'count(pay) < 9 || greatest(pay, p, p.n) > 2',
        'count(pay) < 9',
      ],
    },
    [C3],
  ],
  [
    'a rule about the rows of a table',
    {
      state: 'sent: "map(string(64), int(0..9), default 0)"',
      rules: [
        'approved.all(a, a.amount < 99)',
        'approved.all(a, a.amount < 9)',
        'approved.all(a, state.sent[a.invoice] < 10)',
      ],
    },
    [C0, C2],
  ],
] as const) {
  test(`what no run can break: ${what}`, (t) => {
    t.deepEqual(alwaysTrue(parts), paths);
  });
}

/** How many steps the solver may take for each rule, if it takes so many. */
function limitsFor(
  plan: Plan,
  { used, rlimit }: { readonly used: number; readonly rlimit: number },
): readonly number[] {
  const limits: number[] = [];
  const solver: SmtSolver = {
    check(query: SmtQuery) {
      limits.push(query.rlimit);
      return { status: 'unknown', reason: 'tired', rlimitUsed: used, script: '' };
    },
  };
  const found = rulesAlwaysTrue(plan, { solver, rlimit });
  if (found.length > 0) throw new Error(found.join());
  return limits;
}

test('all rules share the steps of the solver', (t) => {
  const plan = payPlan({ rules: Array.from({ length: 4 }, (_, at) => `count(pay) <= ${at + 3}`) });
  const each = (used: number, rlimit: number) => [...new Set(limitsFor(plan, { used, rlimit }))];
  t.deepEqual(each(0, DEFAULT_RLIMIT), [60_000]);
  t.deepEqual(each(0, 500), [500]);
  t.deepEqual(each(1_480_000, DEFAULT_RLIMIT), [60_000, 20_000, 1]);
});

test('each of many rules is asked about', (t) => {
  const rules = Array.from({ length: 200 }, (_, at) => `count(pay) <= ${at === 199 ? 2 : 1}`);
  t.deepEqual(alwaysTrue({ pay: 'times: 0..2', rules }), ['/constraints/199']);
});
