import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { sized } from '../../../kit/property-runs.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

// Plans of realistic size: a payment run over listed invoices, and a batch of updates in a CRM.

const FLAGS = Array.from({ length: 24 }, (_, index) => `flag${index}`);
const UPDATE = 'effect: none, args: { contact: string(64), status: "enum(open, won, lost)", note: string(64)';
const PAY = 'effect: none, args: { invoice: string(64), amount: decimal(2), payee: string(64) }';
const TOOLS = toolsIn(`tools:
  pay@1.0.0: { ${PAY}, responds: { id: string(64) }, identity: id }
  approve@1.0.0: { effect: none, args: { invoice: string(64), approver: string(64) }, responds: { id: string(64) } }
  update@1.0.0: { ${UPDATE} }, responds: { ok: bool } }
  consent@1.0.0: { ${UPDATE}, ${FLAGS.map((flag) => `${flag}: bool`).join(', ')} }, responds: { ok: bool } }
  modelled@1.0.0:
    effect: none
    replay: effects
    args: { invoice: string(64), amount: decimal(2), payee: string(64) }
    responds: { id: string(64), left: decimal(2) }
    state: { balance: "decimal(2, 0.00..)" }
    effects: { balance: state.balance - args.amount }
    observe: { balance: left }
`);

interface Parts {
  readonly steps: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
  readonly state?: string;
}
const lines = (all: Readonly<Record<string, string>>, text = (value: string) => value) =>
  Object.entries(all).map(([name, value]) => `  ${name}: ${text(value)}\n`);
const planOf = ({ steps, rules, state = '' }: Parts) =>
  documentsOf(
    `plan: Ordinary
expires: 2026-12-31T00:00:00Z
recorded: 256
state: { ${state} }
steps:
${lines(steps).join('')}rules:${Object.keys(rules).length === 0 ? ' {}' : ''}
${lines(rules, (rule) => JSON.stringify(rule)).join('')}`,
    TOOLS,
  );

const INSTANT = '2026-11-20T10:00:00.000000Z';
const action = (step_id: string, tool: string, args: object, response: object) => ({
  ...{ step_id, tool, tool_version: '1.0.0', args, response },
  ...{ started_at: INSTANT, ended_at: INSTANT },
});
type Done = ReturnType<typeof action>;

const amountOf = (index: number) => (index % 5 === 0 ? 5000 : 100 + index);
const each = <Value>(count: number, of: (index: number) => Value) => Array.from({ length: count }, (_, at) => of(at));
const step = (tool: string, times: string, conditions: readonly string[]) =>
  `{ tool: ${tool}@1, times: ${times}, where: { ${conditions.map((one, at) => `c${at}: '${one}'`).join(', ')} } }`;
const isRow = (index: number) =>
  `(args.invoice == "I${index}" && args.amount == ${amountOf(index)}.00 && args.payee == "P${index % 7}")`;

interface Payments {
  readonly isListed: boolean;
  /** Large invoices need a second approval. */
  readonly isApproved?: boolean;
  /** Every invoice must be paid. */
  readonly isAll?: boolean;
  readonly tool?: string;
  readonly state?: string;
}

/** Pays invoices, each at most once, in one step with a list or in one step each. */
function payments(count: number, { isListed, isApproved = true, isAll = false, tool = 'pay', state = '' }: Payments) {
  const large = each(count, (index) => index).filter((index) => index % 5 === 0);
  const paid = (index: number) => (isListed ? `count(pay, p, p.invoice == "I${index}")` : `count(pay${index})`);
  const second = (index: number) => `${paid(index)} <= count(approve, a, a.invoice == "I${index}")`;
  const approve = [large.map((index) => `args.invoice == "I${index}"`).join(' || '), 'args.approver != "agent"'];
  const plan: Parts = {
    state,
    steps: {
      ...(isApproved ? { approve: step('approve', `0..${large.length}`, approve) } : {}),
      ...(isListed
        ? { pay: step(tool, `0..${count}`, [each(count, isRow).join(' || ')]) }
        : Object.fromEntries(each(count, (at) => [`pay${at}`, step(tool, isAll ? '1' : '0..1', [isRow(at)])]))),
    },
    rules: {
      ...Object.fromEntries(
        isListed ? each(count, (index) => [`once${index}`, `${paid(index)} ${isAll ? '==' : '<='} 1`]) : [],
      ),
      ...Object.fromEntries(isApproved ? large.map((index) => [`seconded${index}`, second(index)]) : []),
    },
  };
  const approving = large.map((index) =>
    action('approve', 'approve', { invoice: `I${index}`, approver: 'cfo' }, { id: `a${index}` }),
  );
  const paying = each(count, (index) => {
    const args = { invoice: `I${index}`, amount: `${amountOf(index)}.00`, payee: `P${index % 7}` };
    return action(isListed ? 'pay' : `pay${index}`, tool, args, { id: `p${index}` });
  });
  const broken = isListed ? `/constraints/once${count - 1}` : `/steps/pay${count - 1}/max`;
  return { plan, actions: isApproved ? [...approving, ...paying] : paying, broken };
}

/** Updates contacts that the step or a rule lists, each at most once. */
function updates(count: number, isListed: boolean, tool = 'update') {
  const listed = (of: string) => each(count, (index) => `${of}.contact == "I${index}"`).join(' || ');
  const lost = 'args.status == "lost"';
  const once = each(count, (index) => [`once${index}`, `count(update, p, p.contact == "I${index}") <= 1`]);
  const plan: Parts = {
    steps: { update: step(tool, `0..${count}`, isListed ? [listed('args'), lost] : [lost]) },
    rules: { ...Object.fromEntries(once), ...(isListed ? {} : { listed: `update.all(p, ${listed('p')})` }) },
  };
  const actions = each(count, (index) =>
    action('update', tool, { contact: `I${index}`, status: 'lost', note: `n${index}` }, { ok: true }),
  );
  return { plan, actions, broken: `/constraints/once${count - 1}` };
}

const runContext = { approvals: [{ at: '2026-11-20T00:00:00.000000Z', group: 'g' }] };
const verifying = { approvedAt: INSTANT, receivedAt: INSTANT, proposedIntents: 'h', recordedIntents: 'h' };

/** The questions about a plan, and their verdicts. */
function judge(parts: Parts) {
  const plan = planOf(parts);
  const listed = (actions: readonly unknown[]) => ({ ...plan, actions: JSON.stringify(actions) });
  const intentOf = ({ response: _, started_at: __, ended_at: ___, ...intent }: Done) => intent;
  type Proposal = Pick<Extract<SolverTask, { kind: 'check_proposal' }>, 'check' | 'mode'>;
  return {
    plan: () => ask({ kind: 'propose', ...plan }),
    proposal: (actions: readonly Done[], how: Proposal) =>
      ask({ kind: 'check_proposal', ...how, ...listed(actions.map(intentOf)), runContext }).judgement.verdict,
    run: (actions: readonly Done[], check: Proposal['check']) =>
      ask({ kind: 'check_run', check, ...listed(actions), runContext }).judgement.verdict,
    next(done: readonly Done[], action: Done | undefined) {
      const next = action === undefined ? {} : intentOf(action);
      const texts = { done: JSON.stringify(done), action: JSON.stringify(next), runContext };
      const { alignment, constraints } = ask({ kind: 'preflight', ...plan, ...texts });
      return [alignment.verdict, constraints.verdict];
    },
    verify: (actions: readonly Done[]) =>
      ask({ kind: 'verify', ...listed(actions), artifacts: [], runContext: { ...verifying, ...runContext } }).verdicts,
  };
}

const INVOICES = sized(40, 15);
const UPDATES = sized(100, 30);
const PASSES = ['satisfied', 'satisfied'];

for (const [what, { plan, actions, broken }] of [
  ['invoices in a list, large ones with a second approval', payments(INVOICES, { isListed: true })],
  ['invoices in a list, all of them', payments(INVOICES, { isListed: true, isAll: true })],
  ['invoices with one step each, large ones with a second approval', payments(INVOICES, { isListed: false })],
  ['invoices with one step each, all of them', payments(INVOICES, { isListed: false, isAll: true })],
  ['updates of listed contacts', updates(UPDATES, true)],
  ['updates of contacts that a rule lists', updates(UPDATES, false)],
] as const) {
  const asked = judge(plan);

  test(`${what}: the plan is created, and every check and preflight of its run is decided`, (t) => {
    const { judgement, lint } = asked.plan();
    t.is(judgement.verdict, 'satisfied');
    t.false(lint.some(({ code }) => code === 'NOT_DECIDED'));
    const half = actions.length >> 1;
    for (const check of ['plan_alignment', 'constraints'] as const) {
      t.is(asked.proposal(actions, { check, mode: 'complete' }), 'satisfied');
      t.is(asked.proposal(actions.slice(0, half), { check, mode: 'prefix' }), 'satisfied');
      t.is(asked.run(actions, check), 'satisfied');
    }
    for (const done of [0, 1, half, actions.length - 1]) {
      t.deepEqual(asked.next(actions.slice(0, done), actions[done]), PASSES, `after ${done}`);
    }
  });

  test(`${what}: a run is verified, and one with an action twice is refuted, by both engines`, (t) => {
    for (const { verdict } of Object.values(asked.verify(actions))) t.is(verdict, 'satisfied');
    const { plan_alignment, constraints } = asked.verify([
      ...actions.slice(0, -2),
      ...actions.slice(-1),
      ...actions.slice(-1),
    ]);
    const refuted = [plan_alignment, constraints].find(({ verdict }) => verdict === 'violated');
    t.is(refuted?.engine, 'evaluator+z3');
    t.true(refuted?.reasons.some(({ path }) => path === broken));
    t.true(asked.next(actions.slice(0, -1), actions.at(-2)).includes('violated'));
  });
}

test('a plan that requires all payments from a modelled balance can begin, if the balance is enough', (t) => {
  const total = each(INVOICES, amountOf).reduce((sum, amount) => sum + amount, 0);
  for (const isListed of [true, false]) {
    const paying = (balance: number) => {
      const state = `balance: { type: "decimal(2, 0.00..)", initial: ${balance}.00 }`;
      return payments(INVOICES, { isListed, isApproved: false, isAll: true, tool: 'modelled', state });
    };
    const rich = paying(total + 6000);
    t.is(judge(rich.plan).plan().judgement.verdict, 'satisfied');
    t.deepEqual(judge(rich.plan).next([], rich.actions[0]), PASSES);
    t.is(judge(paying(total - 3000).plan).plan().judgement.verdict, 'vacuous');
  }
});

test('arguments with many values are not enumerated', (t) => {
  const { plan } = updates(10, true, 'consent');
  const consents = FLAGS.map((flag) => [flag, `count(update, p, !p.${flag}) <= 3`]);
  const { judgement } = judge({ ...plan, rules: { ...plan.rules, ...Object.fromEntries(consents) } }).plan();
  t.is(judgement.verdict, 'satisfied');
});
