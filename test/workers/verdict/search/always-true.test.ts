import test from 'ava';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { SmtQuery, SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { rulesAlwaysTrue } from '../../../../workers/verdict/search/always-true.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { outlookPlan } from '../../../models/outlook-plan.ts';

const z3 = await sharedZ3();
const LOOK = 'look: { tool: look@1, times: 0..2 }';

type Parts = Parameters<typeof outlookPlan>[0];
const ask = (parts: Parts) =>
  rulesAlwaysTrue(outlookPlan({ steps: LOOK, ...parts }), { solver: z3, rlimit: DEFAULT_RLIMIT });
const alwaysTrue = (parts: Parts) => ask(parts).map(({ path }) => path);

test('a finding names the rule, if the rule has a name', (t) => {
  const message = (rule: string) => `no run can break ${rule}: it adds nothing to the rest of the plan`;
  const found = ask({ rules: ['pay.all(p, p.n >= 0)'], pay: `times: 0..4, where: { a: 'args.n >= 0' }` });
  t.deepEqual(found, [
    { code: 'RULE_ALWAYS_TRUE', path: '/constraints/0', message: message('the rule r0') },
    { code: 'RULE_ALWAYS_TRUE', path: '/steps/0/where/0', message: message('the rule') },
  ]);
});

test('a rule that the counts of steps imply cannot be broken', (t) => {
  const rules = ['count(pay) <= 3', 'count(pay) <= 4', 'count(pay) + count(look) < 7'];
  t.deepEqual(alwaysTrue({ rules }), ['/constraints/1', '/constraints/2']);
});

test('a rule about each action that its types imply cannot be broken', (t) => {
  const rules = [
    'pay.all(p, p.n <= 3)',
    'pay.all(p, p.n <= 2)',
    'pay.all(p, p.response.fee >= 2)',
    'look.all(l, l.n < 9)',
  ];
  t.deepEqual(alwaysTrue({ rules }), ['/constraints/0', '/constraints/2', '/constraints/3']);
});

test('a condition that types imply cannot be broken', (t) => {
  const where = `where: { a: 'args.n >= 0', b: 'args.n >= 1', c: 'args.m < args.n + 3' }`;
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, ${where}` }), ['/steps/0/where/0', '/steps/0/where/2']);
});

test('a rule is no premise of its own check, and others are', (t) => {
  t.deepEqual(alwaysTrue({ rules: ['pay.all(p, p.n <= 2)', 'sum(pay, p, p.n) <= 8'] }), ['/constraints/1']);
  t.deepEqual(alwaysTrue({ rules: ['sum(pay, p, p.n) <= 8'] }), []);
  t.deepEqual(alwaysTrue({ rules: ['sum(pay, p, p.n) <= 8', 'sum(pay, p, p.n) <= 8'] }), []);
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, where: 'args.n <= 2'`, rules: ['sum(pay, p, p.n) <= 8'] }), [
    '/constraints/0',
  ]);
});

test('a condition repeats what others imply, without harm', (t) => {
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, where: { a: 'args.n <= 1', b: 'args.n <= 2' }` }), []);
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, where: 'args.n <= 1'`, rules: ['pay.all(p, p.n <= 2)'] }), []);
});

test('an approval that no action can need misleads', (t) => {
  const asks = ['pay.all(p, p.n <= 2 || approved_by("finance"))', 'pay.all(p, p.n <= 2 || approvals >= 2)'];
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, where: 'args.n <= 1'`, rules: asks }), [
    '/constraints/0',
    '/constraints/1',
  ]);
  t.deepEqual(alwaysTrue({ pay: `times: 0..4, where: 'args.n >= 1'`, rules: asks }), []);
});

test('an action is done between the approval and the end of the plan', (t) => {
  t.deepEqual(alwaysTrue({ rules: ['approvals >= 1', 'approvals >= 2'] }), ['/constraints/0']);
});

test('rules that may have no value are not asked about', (t) => {
  const rules = [
    'pay.all(p, p.n < 9 || approved[p.invoice].amount > 5)',
    'count(pay) < 9 || least(pay, p, p.n) > 2',
    'count(pay) < 9 || greatest(pay, p, p.n) > 2',
    'count(pay) < 9',
  ];
  t.deepEqual(alwaysTrue({ rules }), ['/constraints/3']);
});

test('a rule about a table or a map is one about the whole run', (t) => {
  const state = 'sent: "map(string(64), int(0..9), default 0)"';
  const rules = [
    'approved.all(a, a.amount < 99)',
    'approved.all(a, a.amount < 9)',
    'approved.all(a, state.sent[a.invoice] < 10)',
  ];
  t.deepEqual(alwaysTrue({ state, rules }), ['/constraints/0', '/constraints/2']);
});

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
  const plan = outlookPlan({ rules: Array.from({ length: 4 }, (_, at) => `count(pay) <= ${at + 3}`) });
  const each = (used: number, rlimit: number) => [...new Set(limitsFor(plan, { used, rlimit }))];
  t.deepEqual(each(0, DEFAULT_RLIMIT), [60_000]);
  t.deepEqual(each(0, 500), [500]);
  t.deepEqual(each(1_480_000, DEFAULT_RLIMIT), [60_000, 20_000, 1]);
});

test('each of many rules is asked about', (t) => {
  const rules = Array.from({ length: 200 }, (_, at) => `count(pay) <= ${at === 199 ? 2 : 1}`);
  t.deepEqual(alwaysTrue({ pay: 'times: 0..2', rules }), ['/constraints/199']);
});
