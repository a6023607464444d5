import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { checkProposal, checkRun, preflight } from '../../../../workers/verdict/check/check-actions.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import { verifyExecution } from '../../../../workers/verdict/check/verify.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sized } from '../../../kit/property-runs.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { crmActions, crmUpdates, type Formulation, paymentActions, paymentRun } from './ordinary-plans.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

type Recorded = ReturnType<typeof paymentActions>[number] | ReturnType<typeof crmActions>[number];
const intentOf = ({ step_id, tool, tool_version, args }: Recorded) => ({ step_id, tool, tool_version, args });

interface Ordinary {
  readonly plan: object;
  readonly actions: readonly Recorded[];
  /** The path of the rule that is broken when the last action also replaces the action before it. */
  readonly broken: string;
}

const payments = (count: number, formulation: Formulation, all = false): Ordinary => ({
  plan: paymentRun(count, { formulation, approvals: true, all }),
  actions: paymentActions(count, { formulation, approvals: true }),
  broken: formulation === 'listed' ? `/constraints/once${count - 1}` : `/steps/pay${count - 1}/max`,
});

const updates = (formulation: 'listed' | 'counted'): Ordinary => ({
  plan: crmUpdates(UPDATES, formulation),
  actions: crmActions(UPDATES),
  broken: `/constraints/once${UPDATES - 1}`,
});

const INVOICES = sized(40, 15);
const UPDATES = sized(100, 30);
const PLANS: Readonly<Record<string, Ordinary>> = {
  'invoices in a list, large ones with a second approval': payments(INVOICES, 'listed'),
  'invoices in a list, all of them': payments(INVOICES, 'listed', true),
  'invoices with one step each, large ones with a second approval': payments(INVOICES, 'stepwise'),
  'invoices with one step each, all of them': payments(INVOICES, 'stepwise', true),
  'updates of listed contacts': updates('listed'),
  'updates of contacts that a rule lists': updates('counted'),
};

for (const [what, { plan, actions, broken }] of Object.entries(PLANS)) {
  test(`${what}: the plan is created, and every check and preflight of its run is decided`, (t) => {
    const created = checkPlan(plan, by);
    t.is(created.judgement.verdict, 'satisfied');
    t.false(created.lint.some(({ code }) => code === 'NOT_DECIDED'));
    const intents = actions.map(intentOf);
    for (const check of ['plan_alignment', 'constraints'] as const) {
      const proposed = (mode: 'prefix' | 'complete', some: readonly unknown[]) =>
        checkProposal({ plan, actions: some }, { check, mode, solver: by }).judgement.verdict;
      t.is(proposed('complete', intents), 'satisfied');
      t.is(proposed('prefix', intents.slice(0, intents.length >> 1)), 'satisfied');
      t.is(checkRun({ plan, actions }, { check, solver: by }).judgement.verdict, 'satisfied');
    }
    for (const done of [0, 1, actions.length >> 1, actions.length - 1]) {
      const answer = preflight({ plan, done: actions.slice(0, done), action: intents[done] }, by);
      t.is(answer.alignment.verdict, 'satisfied');
      t.is(answer.constraints.verdict, 'satisfied', `after ${done}`);
    }
  });

  test(`${what}: a run is verified, and one with an action twice is refuted, by both engines`, (t) => {
    const verify = (some: readonly unknown[]) => verifyExecution({ plan, actions: some, artifacts: [] }, by).verdicts;
    for (const judgement of Object.values(verify(actions))) t.is(judgement.verdict, 'satisfied');
    const twice = [...actions.slice(0, -2), ...actions.slice(-1), ...actions.slice(-1)];
    const { plan_alignment: alignment, constraints } = verify(twice);
    const refuted = [alignment, constraints].find(({ verdict }) => verdict === 'violated');
    t.is(refuted?.engine, 'evaluator+z3');
    t.true(refuted?.reasons.some(({ path }) => path === broken));
    const again = preflight({ plan, done: actions.slice(0, -1), action: intentOf(defined(actions.at(-2))) }, by);
    t.true([again.alignment, again.constraints].some(({ verdict }) => verdict === 'violated'));
  });
}

test('a plan that requires all payments from a modelled balance can begin', (t) => {
  for (const formulation of ['listed', 'stepwise'] as const) {
    const plan = paymentRun(INVOICES, { formulation, approvals: false, all: true });
    const payments = paymentActions(INVOICES, { formulation, approvals: false });
    const total = payments.reduce((sum, { args }) => sum + ('amount' in args ? Number(args.amount) : 0), 0);
    const [pay] = plan.tools;
    const modelled = {
      ...plan,
      state: { balance: { type: 'decimal', scale: 2, min: '0.00', initial: `${total + 6000}.00` } },
      tools: [
        {
          ...pay,
          replay: 'effects',
          responds: { ...pay?.responds, left: { type: 'decimal', scale: 2, at: '/left' } },
          effects: { balance: ['-', ['state', 'balance'], ['arg', 'amount']] },
          observe: { balance: 'left' },
        },
      ],
    };
    t.is(checkPlan(modelled, by).judgement.verdict, 'satisfied');
    const [first] = payments;
    const begun = preflight({ plan: modelled, done: [], action: first && intentOf(first) }, by);
    t.is(begun.constraints.verdict, 'satisfied');
    const poor = { ...modelled, state: { balance: { ...modelled.state.balance, initial: `${total - 3000}.00` } } };
    t.is(checkPlan(poor, by).judgement.verdict, 'vacuous');
  }
});

test('a listed value outside the type of its argument is not a possible action', (t) => {
  const plan = paymentRun(2, { formulation: 'listed', approvals: false, all: true });
  const [pay] = plan.tools;
  const short = { ...pay, args: { ...pay?.args, invoice: { type: 'string', max: 1 } } };
  t.is(checkPlan({ ...plan, tools: [short] }, by).judgement.verdict, 'vacuous');
});

test('arguments with many values are not enumerated', (t) => {
  const flags = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`flag${index}`, { type: 'bool' }]));
  const plan = crmUpdates(10, 'listed');
  const [update] = plan.tools;
  const consents = Object.keys(flags).map((flag) => ({
    id: flag,
    expr: ['<=', ['count', 'update', 'p', ['not', ['arg', 'p', flag]]], 3],
  }));
  const tools = [{ ...update, args: { ...update?.args, ...flags } }];
  const { judgement } = checkPlan({ ...plan, tools, constraints: [...plan.constraints, ...consents] }, by);
  t.is(judgement.verdict, 'satisfied');
});

test('many payments out of a list are verified', (t) => {
  const [rows, count] = [sized(90, 30), sized(256, 90)];
  const plan = paymentRun(rows, { formulation: 'listed', approvals: false });
  const [step] = plan.steps;
  const many = { ...plan, steps: [{ ...step, max: count }], constraints: [] };
  const once = paymentActions(rows, { formulation: 'listed', approvals: false });
  const actions = Array.from({ length: count }, (_, index) => once[index % rows]);
  for (const { verdict } of Object.values(verifyExecution({ plan: many, actions, artifacts: [] }, by).verdicts)) {
    t.is(verdict, 'satisfied');
  }
});
