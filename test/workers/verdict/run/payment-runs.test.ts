import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { CLOCK_TOLERANCE, formatInstant, parseInstant } from '../../../../workers/exact/instants.ts';
import { hashSheetText } from '../../../../workers/plan/read/read-sheet.ts';
import { hashToolText } from '../../../../workers/plan/read/read-tool.ts';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask } from '../../../models/ask-solver.ts';
import {
  APPROVED,
  invoices,
  paymentPlan,
  paymentRun,
  TRANSFER,
  TRANSFER_TEXT,
  tableOf,
} from '../../../models/payment-plan.ts';
import { asTask, done, smallPlan } from '../../../models/small-plans.ts';

const ROWS = invoices(40);
const RUN = paymentRun(ROWS);
const PLAN = paymentPlan(ROWS);
/** The place of the first payment, and of the last one. */
const FIRST = RUN.findIndex(({ step_id }) => step_id === 'pay');
const LAST = RUN.length - 1;
type Doing = Record<string, unknown>;

const textsOf = (plan: object) => ({
  plan: JSON.stringify(plan),
  sheets: [],
  tools: [TRANSFER_TEXT],
  tables: [tableOf(ROWS)],
});

const CONTEXT = {
  approvedAt: '2026-11-02T00:00:00.000000Z',
  receivedAt: '2026-11-04T00:00:00.000000Z',
  proposedIntents: 'same',
  recordedIntents: 'same',
  approvals: APPROVED,
};

interface Change {
  readonly actions?: readonly object[];
  readonly over?: Doing;
  readonly approvals?: typeof APPROVED;
  readonly texts?: Partial<Pick<Extract<SolverTask, { kind: 'verify' }>, 'tools' | 'sheets' | 'artifacts'>>;
}

function verify({ actions = RUN, over = {}, approvals = APPROVED, texts = {} }: Change) {
  const answer = ask({
    kind: 'verify',
    ...textsOf({ ...PLAN, ...over }),
    actions: JSON.stringify(actions),
    artifacts: [],
    ...texts,
    runContext: { ...CONTEXT, approvals },
  });
  const { plan_alignment, constraints, evidence, replay } = answer.verdicts;
  const judgements = [plan_alignment, constraints, evidence, replay];
  const paths = new Set(judgements.flatMap(({ reasons }) => reasons.flatMap(({ path }) => path || [])));
  return { judgements, paths: [...paths], assurance: answer.assurance };
}

const at = (index: number, change: Doing) => RUN.with(index, { ...RUN[index], ...change });
const withArgs = (args: Doing) => at(FIRST, { args: { ...Object(RUN[FIRST]?.['args']), ...args } });
const steps = (change: (step: (typeof PLAN.steps)[number]) => object) => ({
  steps: PLAN.steps.map((step) => ({ ...step, ...change(step) })),
});
const rules = (all: Doing) => ({ constraints: Object.entries(all).map(([id, expr]) => ({ id, expr })) });
const approval = (time: string, group: string) => ({ at: `2026-11-02T${time}.000000Z`, group });

const TWO = rules({ finance: ['approved_by', 'finance'], two: ['>=', ['run', 'approvals'], 2] });
const BEGAN = parseInstant(String(RUN[0]?.['started_at']), '');
const began = (later: bigint) => [...APPROVED, { at: formatInstant(BEGAN + later), group: 'audit' }];

const [ONE, SECOND, THIRD] = [
  approval('01:00:00', 'audit'),
  approval('02:00:00', 'finance'),
  approval('03:00:00', 'board'),
];
const BY_TWO = {
  approvals: 2,
  ...steps(({ where }) => ({ where: where.filter(({ id }) => id !== 'soon') })),
  ...rules({
    second: ['=', ['run', 'approved_at'], ['time', SECOND.at]],
    three: ['=', ['run', 'approvals'], 3],
    ...Object.fromEntries([ONE, SECOND, THIRD].map(({ group }) => [group, ['approved_by', group]])),
  }),
};

const [PAYING, APPROVING] = PLAN.tools;
const ABOVE_30 = {
  tools: [PAYING, { ...APPROVING, post: [{ id: 'large', expr: ['>', ['resp', 'amount'], ['dec', '30.00']] }] }],
};

const RECEIPTS = steps(({ evidence }) => ({ evidence: evidence.map((kind) => ({ ...kind, min: 2, max: 3 })) }));
const withReceipts = (...ids: readonly string[]): Change => ({
  actions: RUN.slice(0, FIRST + 1),
  over: RECEIPTS,
  texts: { artifacts: ids.map((id) => ({ action: FIRST, kind: 'receipt', json: JSON.stringify({ id }) })) },
});
const RECEIPT = `/actions/${FIRST}/evidence/receipt`;

const SHEET = canonicalText({
  sheet_format: 1,
  name: 'small',
  version: '1.0.0',
  title: 'A number of at most 40',
  variables: { payments: { type: 'int', min: 0, max: 40 } },
  constraints: [{ id: 'some', expr: ['>=', ['var', 'payments'], 0] }],
});
const USE = { name: 'small', version: '1.0.0', sha256: hashSheetText(SHEET), scope: 'plan' };
const bound = (payments: unknown): Change => ({
  over: { sheets: [{ ...USE, bind: { payments } }] },
  texts: { sheets: [SHEET] },
});
const COUNT = ['count', 'pay'];

const UNKNOWN = ['>=', ['look', 'approved', 'amount', [['str', 'I999']]], ['dec', '0.00']];
const NOTHING = ['least', 'approve', 'a', ['resp', 'a', 'amount'], ['bool', false]];
const UNDEFINED = rules({
  broken: UNKNOWN,
  denied: ['not', UNKNOWN],
  guarded: ['or', ['not', ['in', 'approved', [['str', 'I999']]]], UNKNOWN],
  decided: ['not', ['and', ['bool', false], UNKNOWN]],
  nothing: ['>=', NOTHING, ['dec', '0.00']],
  chosen: ['<=', ['ite', ['bool', true], ['dec', '1.00'], UNKNOWN[1]], ['dec', '2.00']],
});
const sent = (value: unknown) =>
  steps(({ step_id }) => ({ effects: step_id === 'pay' ? { sent: [{ key: ['arg', 'payee'], value }] } : {} }));
const COUNTS = { key: ['payee'], columns: { payee: { type: 'string', max: 8 }, n: { type: 'int' } }, inline: [] };
const MAP = { type: 'map', key: { type: 'string', max: 64 }, value: { type: 'int', min: 0, max: 2 }, default: 0 };
const LATE = { started_at: '2026-11-03T00:00:00.000001Z', ended_at: '2026-11-03T00:00:00.000002Z' };

/** The verdicts of the steps, rules, evidence and replay: satisfied, violated, indeterminate. And the broken rules. */
const RUNS: readonly (readonly [string, Change, verdicts: string, ...broken: readonly string[]])[] = [
  ['that obeys its plan', {}, 'ssss'],
  ['with the payee of no invoice', { actions: withArgs({ payee: 'P9' }) }, 'vssi', `/actions/${FIRST}/where/payee`],
  [
    'with an unknown invoice',
    { actions: withArgs({ invoice: 'I999' }) },
    'vssi',
    ...['amount', 'payee'].map((id) => `/actions/${FIRST}/where/${id}`),
  ],
  [
    'with an invoice paid twice',
    { actions: [...RUN, RUN.at(-1) ?? {}] },
    'svsv',
    '/constraints/once',
    `/actions/${RUN.length}/response/balance`,
  ],
  ['with a large invoice without approval', { actions: RUN.slice(1) }, 'svss', '/constraints/large'],
  ['with a payment a day too late', { actions: at(LAST, LATE) }, 'vssi', `/actions/${LAST}/where/soon`],
  [
    'with an approval after a payment',
    { actions: [...RUN.slice(1), RUN[0] ?? {}] },
    'vvsi',
    `/actions/${LAST}/order/pay`,
    '/constraints/large',
  ],
  [
    'with a sum above the cap',
    { over: { variables: { cap: { type: 'decimal', scale: 2, value: '100.00' } } } },
    'svss',
    '/constraints/cap',
  ],
  [
    'with a value of a map outside its type',
    { actions: RUN.slice(0, FIRST + 15), over: { state: { ...PLAN.state, sent: MAP } } },
    'svsv',
    `/actions/${FIRST + 14}/state/sent`,
  ],
  [
    'with a response that is not the computed state',
    { actions: at(FIRST, { response: { id: 'T', balance: '1.00' } }) },
    'sssv',
    `/actions/${FIRST}/response/balance`,
  ],
  ['approved by two', { over: TWO, approvals: [...APPROVED, approval('00:00:00', 'audit')] }, 'ssss'],
  ['approved by one of two', { over: TWO }, 'svss', '/constraints/two'],
  // The clock of the agent may be behind.
  ['approved a little after it began', { over: TWO, approvals: began(CLOCK_TOLERANCE) }, 'ssss'],
  ['approved after it began', { over: TWO, approvals: began(CLOCK_TOLERANCE + 1n) }, 'svss', '/constraints/two'],
  ['approved by the second, and the third', { over: BY_TWO, approvals: [ONE, SECOND, THIRD] }, 'ssss'],
  ['approved by them in any order', { over: BY_TWO, approvals: [THIRD, ONE, SECOND] }, 'ssss'],
  [
    'approved without the second',
    { over: BY_TWO, approvals: [ONE, THIRD] },
    'svss',
    ...['second', 'three', 'finance'].map((id) => `/constraints/${id}`),
  ],
  ['with as many recorded actions as allowed', { over: { max_recorded: FIRST } }, 'ssss'],
  ['with more recorded actions', { over: { max_recorded: FIRST - 1 } }, 'vssi', '/max_recorded'],
  ['with responses that a tool allows', { over: ABOVE_30 }, 'ssss'],
  [
    'with one that it does not allow',
    { over: { ...ABOVE_30, constraints: [] }, actions: at(1, { response: { amount: '30.00' } }) },
    'sssv',
    '/actions/1/post/large',
  ],
  ['with as much evidence as required', withReceipts('T0', 'T0'), 'ssss'],
  ['with more evidence', withReceipts('T0', 'T0', 'T0'), 'ssss'],
  ['with less evidence', withReceipts('T0'), 'ssvs', `${RECEIPT}/min`],
  ['without evidence', withReceipts(), 'ssvs', `${RECEIPT}/min`],
  ['with evidence that contradicts', withReceipts('T0', 'T1'), 'ssvs', `${RECEIPT}/1/binds/id`],
  ['whose sheet is given its greatest number', bound(COUNT), 'ssss'],
  ['whose sheet is given too much', bound(['+', COUNT, 1]), 'svss', '/sheets/0/bind/payments'],
  ['whose sheet is given too little', bound(['-', COUNT, 41]), 'svss', '/sheets/0/some', '/sheets/0/bind/payments'],
  // An undefined look-up breaks a rule, unless it does not matter.
  [
    'with undefined values',
    { over: UNDEFINED },
    'svss',
    ...['broken', 'denied', 'nothing'].map((id) => `/constraints/${id}`),
  ],
  ['whose effects depend on its approvals', { over: sent(['run', 'approvals']) }, 'ssss'],
  [
    'with an undefined effect',
    {
      actions: RUN.slice(0, FIRST + 1),
      over: { ...sent(['look', 'counts', 'n', [['arg', 'payee']]]), tables: { ...PLAN.tables, counts: COUNTS } },
    },
    'svsv',
    `/actions/${FIRST}/state/sent`,
  ],
];

for (const [what, change, verdicts, ...broken] of RUNS) {
  test(`a run ${what} is ${verdicts}: ${broken.join(' ')}`, (t) => {
    const { judgements, paths } = verify(change);
    t.is(judgements.map(({ verdict }) => verdict[0]).join(''), verdicts, paths.slice(0, 9).join());
    t.deepEqual(paths, broken);
    if (verdicts === 'ssss') t.deepEqual([...new Set(judgements.map(({ engine }) => engine))], ['evaluator+z3']);
  });
}

test('the assurance names ghost states, which only believed tools change, and reported times', (t) => {
  const recorded = RUN.length - ROWS.length;
  const said = { recomputed: 0, modelled: ROWS.length, recorded, failed: 0, unknown: 0 };
  const reliance = { ghost_states: ['sent'], reported_times: true };
  t.deepEqual(verify({}).assurance, { ...said, ...reliance });
  const text = canonicalText({ ...TRANSFER, replay: 'recorded', observe: {} });
  const tools = [{ ...PAYING, sha256: hashToolText(text) }, APPROVING];
  const believed = { modelled: 0, recorded: RUN.length, ghost_states: ['balance', 'sent'] };
  t.like(verify({ over: { tools }, texts: { tools: [text] } }).assurance, believed);
});

test('rules about approvals are open before there are any', (t) => {
  const documents = { ...textsOf({ ...PLAN, ...TWO }), actions: JSON.stringify(RUN) };
  const { judgement } = ask({ kind: 'check_run', check: 'constraints', ...documents });
  t.is(judgement.verdict, 'underdetermined');
});

test('an action whose response is open may not be completed with the value of an earlier one, if a rule forbids it', (t) => {
  const [first, second] = RUN.slice(FIRST);
  const { response: _, started_at: __, ended_at: ___, ...action } = Object(second);
  const preflight = (...allowed: readonly string[]) => {
    const inline = allowed.map((id) => ({ id }));
    const ids = { key: ['id'], columns: { id: { type: 'string', max: 64 } }, inline };
    const own = [['resp', 'p', 'id']];
    const constraints = { ids: ['unique', 'pay', 'p', own], same: ['forall', 'pay', 'p', ['in', 'ids', own]] };
    const plan = { ...PLAN, ...rules(constraints), tables: { ...PLAN.tables, ids } };
    const run = { done: JSON.stringify([first]), action: JSON.stringify(action), runContext: { approvals: APPROVED } };
    return ask({ kind: 'preflight', ...textsOf(plan), ...run }).constraints.verdict;
  };
  t.is(preflight('T0', 'T1'), 'satisfied');
  // That no run can follow need not be proven, but no witness may say that one can.
  t.true(['violated', 'indeterminate'].includes(preflight('T0')), preflight('T0'));
});

test('rules that compare 1,000 actions are decided, joined by the values that must be equal', (t) => {
  const actions = Array.from({ length: 1000 }, (_, index) => done('send', '01:00:00', '01:00:00', `A${index % 40}`));
  const rows = Array.from({ length: 40 }, (_, index) => `{ to: A${index}, most: 25 }`);
  const plan = smallPlan({
    steps: '  send: { tool: mail.send@1, times: 0..1000 }',
    tables: `{ people: { key: to, columns: { to: string(254), most: int }, rows: [${rows.join(', ')}] } }`,
    rules: [
      'send.all(a, count(send, b, b.to == a.to) <= 25)',
      'send.all(a, count(send, b, b.id == a.id) == count(send))',
      'people.all(p, send.exists(a, a.to == p.to) && count(send, a, a.to == p.to) <= p.most)',
    ],
  });
  const task = { kind: 'check_run', check: 'constraints', ...asTask(plan), actions: JSON.stringify(actions) } as const;
  t.like(ask(task).judgement, { verdict: 'satisfied', reasons: [] });
});

test('a run of 300 payments is decided if nobody knows whether fifteen of them took effect', (t) => {
  const rows = invoices(300);
  const done = paymentRun(rows);
  const pays = done.flatMap(({ step_id }, index) => (step_id === 'pay' ? [index] : []));
  const actions = done.map((action, index) => {
    const { response: _, ...sent } = action;
    return pays.indexOf(index) % 20 === 7 ? { ...sent, outcome: 'failed' } : action;
  });
  const answer = ask({
    kind: 'verify',
    plan: JSON.stringify({ ...paymentPlan(rows), max_recorded: 1000 }),
    ...{ sheets: [], tools: [TRANSFER_TEXT], tables: [tableOf(rows)], artifacts: [] },
    actions: JSON.stringify(actions),
    runContext: CONTEXT,
  });
  t.deepEqual(
    Object.values(answer.verdicts).map(({ verdict }) => verdict),
    ['satisfied', 'satisfied', 'satisfied', 'satisfied'],
    JSON.stringify(Object.values(answer.verdicts).map(({ reasons }) => reasons)),
  );
  t.like(answer.assurance, { failed: 15 });
});
