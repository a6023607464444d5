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

const ROWS = invoices(40);
const RUN = paymentRun(ROWS);
type Doing = Record<string, unknown>;

const planTexts = (plan: object) => ({
  plan: JSON.stringify(plan),
  sheets: [],
  tools: [TRANSFER_TEXT],
  tables: [tableOf(ROWS)],
});

/** Texts that differ from those of the payment run, and evidence. */
type Texts = Partial<Pick<Extract<SolverTask, { kind: 'verify' }>, 'tools' | 'sheets' | 'artifacts'>>;

function verify(actions: readonly object[], over: Doing = {}, approvals = APPROVED, texts: Texts = {}) {
  const task: SolverTask = {
    kind: 'verify',
    ...planTexts(paymentPlan(ROWS, over)),
    actions: JSON.stringify(actions),
    artifacts: [],
    ...texts,
    runContext: {
      approvedAt: '2026-11-02T00:00:00.000000Z',
      receivedAt: '2026-11-04T00:00:00.000000Z',
      proposedIntents: 'same',
      recordedIntents: 'same',
      approvals,
    },
  };
  const answer = ask(task);
  const { plan_alignment, constraints, evidence, replay } = answer.verdicts;
  const all = [plan_alignment, constraints, evidence, replay];
  const verdicts = all.map(({ verdict }) => verdict);
  return { ...answer, verdicts, reasons: all.flatMap((one) => one.reasons), judgements: all };
}

const SATISFIED = ['satisfied', 'satisfied', 'satisfied', 'satisfied'];
const changed = (index: number, change: (action: Doing) => Doing) =>
  RUN.map((action, at) => (at === index ? change(action) : action));
const FIRST_PAYMENT = RUN.findIndex(({ step_id }) => step_id === 'pay');
const withArgs = (args: Doing) => (action: Doing) => ({ ...action, args: { ...Object(action['args']), ...args } });

test('a run that obeys a plan of format 2 is satisfied, and the assurance names ghost states and reported times', (t) => {
  const { verdicts, assurance } = verify(RUN);
  t.deepEqual(verdicts, SATISFIED);
  const recorded = RUN.length - ROWS.length;
  t.deepEqual(assurance, {
    recomputed: 0,
    modelled: ROWS.length,
    recorded,
    ghost_states: ['sent'],
    reported_times: true,
  });
});

const broken: readonly (readonly [string, readonly object[], Doing, string])[] = [
  [
    "a payee that is not the table's",
    changed(FIRST_PAYMENT, withArgs({ payee: 'P9' })),
    {},
    `/actions/${FIRST_PAYMENT}/where/payee`,
  ],
  [
    'an invoice that is not in the table',
    changed(FIRST_PAYMENT, withArgs({ invoice: 'I999' })),
    {},
    `/actions/${FIRST_PAYMENT}/where/amount`,
  ],
  ['an invoice paid twice', [...RUN, RUN.at(-1) ?? {}], {}, '/constraints/once'],
  ['a large invoice without approval', RUN.slice(1), {}, '/constraints/large'],
  [
    'a payment a day too late',
    changed(RUN.length - 1, (action) => ({
      ...action,
      started_at: '2026-11-03T00:00:00.000001Z',
      ended_at: '2026-11-03T00:00:00.000002Z',
    })),
    {},
    `/actions/${RUN.length - 1}/where/soon`,
  ],
  ['an approval after a payment', [...RUN.slice(1), RUN[0] ?? {}], {}, `/actions/${RUN.length - 1}/order/pay`],
  [
    'a sum above the cap',
    RUN,
    { variables: { cap: { type: 'decimal', scale: 2, value: '100.00' } } },
    '/constraints/cap',
  ],
  [
    'a map value outside its type',
    RUN,
    {
      state: {
        ...paymentPlan(ROWS).state,
        sent: { type: 'map', key: { type: 'string', max: 64 }, value: { type: 'int', min: 0, max: 2 }, default: 0 },
      },
    },
    `/actions/${FIRST_PAYMENT + 14}/state/sent`,
  ],
];

for (const [what, actions, over, path] of broken) {
  test(`a run with ${what} is violated, and the reason names the rule`, (t) => {
    const { verdicts, reasons } = verify(actions, over);
    t.true(verdicts.includes('violated'));
    t.true(
      reasons.some((reason) => reason.path === path),
      JSON.stringify(reasons.slice(0, 5)),
    );
  });
}

test('a response that is not the computed state diverges', (t) => {
  const { verdicts, reasons } = verify(
    changed(FIRST_PAYMENT, (action) => ({ ...action, response: { id: 'T', balance: '1.00' } })),
  );
  t.deepEqual(verdicts, ['satisfied', 'satisfied', 'satisfied', 'violated']);
  t.is(reasons[0]?.path, `/actions/${FIRST_PAYMENT}/response/balance`);
});

test('rules about approvals depend on who approved, and are open before', (t) => {
  const constraints = [
    { id: 'finance', expr: ['approved_by', 'finance'] },
    { id: 'two', expr: ['>=', ['run', 'approvals'], 2] },
  ];
  const two = [...APPROVED, { at: '2026-11-02T00:00:00.000000Z', group: 'audit' }];
  t.deepEqual(verify(RUN, { constraints }, two).verdicts, SATISFIED);
  t.deepEqual(
    verify(RUN, { constraints }).reasons.map(({ path }) => path),
    ['/constraints/two'],
  );
  const [first] = RUN;
  const began = String(first?.['started_at']);
  const after = (microseconds: bigint) => formatInstant(parseInstant(began, '') + microseconds);
  const approvedAt = (at: string) => verify(RUN, { constraints }, [...APPROVED, { at, group: 'audit' }]);
  t.deepEqual(approvedAt(after(CLOCK_TOLERANCE)).verdicts, SATISFIED, 'the clock of the agent may be behind');
  const late = approvedAt(after(CLOCK_TOLERANCE + 1n));
  t.deepEqual(
    late.reasons.map(({ path }) => path),
    ['/constraints/two'],
    'it was given after the run began',
  );
  const task: SolverTask = {
    kind: 'check_run',
    check: 'constraints',
    ...planTexts(paymentPlan(ROWS, { constraints })),
    actions: JSON.stringify(RUN),
  };
  t.like(ask(task), { judgement: { verdict: 'underdetermined' } });
});

test('a plan that two must approve is approved by the second of them, and all who approved before it began count', (t) => {
  const at = (time: string, group: string) => ({ at: `2026-11-02T${time}.000000Z`, group });
  const [first, second, third] = [at('01:00:00', 'audit'), at('02:00:00', 'finance'), at('03:00:00', 'board')];
  const rule = (id: string, expr: unknown) => ({ id, expr });
  const over = {
    approvals: 2,
    steps: paymentPlan(ROWS).steps.map((step) => ({ ...step, where: step.where.filter(({ id }) => id !== 'soon') })),
    constraints: [
      rule('second', ['=', ['run', 'approved_at'], ['time', second.at]]),
      rule('three', ['=', ['run', 'approvals'], 3]),
      ...[first, second, third].map(({ group }) => rule(group, ['approved_by', group])),
    ],
  };
  t.deepEqual(verify(RUN, over, [first, second, third]).reasons, []);
  t.deepEqual(verify(RUN, over, [third, first, second]).reasons, [], 'in any order');
  t.deepEqual(
    verify(RUN, over, [first, third]).reasons.map(({ path }) => path),
    ['/constraints/second', '/constraints/three', '/constraints/finance'],
  );
});

test('a run has at most as many recorded actions as the plan allows', (t) => {
  const recorded = FIRST_PAYMENT;
  t.like(verify(RUN, { max_recorded: recorded }), { verdicts: SATISFIED, assurance: { recorded } });
  const { verdicts, reasons } = verify(RUN, { max_recorded: recorded - 1 });
  t.deepEqual(verdicts, ['violated', 'satisfied', 'satisfied', 'indeterminate']);
  t.like(reasons[0], { code: 'TOO_MANY_RECORDED', path: '/max_recorded' });
});

test('a condition that a response must obey is checked in each action', (t) => {
  const tools = paymentPlan(ROWS).tools.map((tool) =>
    tool.name === 'approve.invoice'
      ? { ...tool, post: [{ id: 'large', expr: ['>', ['resp', 'amount'], ['dec', '30.00']] }] }
      : tool,
  );
  t.deepEqual(verify(RUN, { tools }).verdicts, SATISFIED);
  const small = changed(1, (action) => ({ ...action, response: { amount: '30.00' } }));
  const { verdicts, reasons } = verify(small, { tools, constraints: [] });
  t.deepEqual(verdicts, ['satisfied', 'satisfied', 'satisfied', 'violated']);
  t.like(reasons[0], { code: 'POST_BROKEN', path: '/actions/1/post/large' });
});

test('a state that only a believed tool changes is a ghost', (t) => {
  const text = canonicalText({ ...TRANSFER, replay: 'recorded', observe: {} });
  const { tools } = paymentPlan(ROWS);
  const [transfer, ...others] = tools;
  const over = { tools: [{ ...transfer, sha256: hashToolText(text) }, ...others] };
  const { verdicts, assurance } = verify(RUN, over, APPROVED, { tools: [text] });
  t.deepEqual(verdicts, SATISFIED);
  t.like(assurance, { modelled: 0, recorded: RUN.length, ghost_states: ['balance', 'sent'] });
});

test('each action needs as much evidence as its step requires, and all of it must agree', (t) => {
  const steps = paymentPlan(ROWS).steps.map((step) => ({
    ...step,
    evidence: step.evidence.map((kind) => ({ ...kind, min: 2, max: 3 })),
  }));
  const run = RUN.slice(0, FIRST_PAYMENT + 1);
  const receipt = (id: string) => ({ action: FIRST_PAYMENT, kind: 'receipt', json: JSON.stringify({ id }) });
  const reasonsOf = (...ids: readonly string[]) =>
    verify(run, { steps }, APPROVED, { artifacts: ids.map(receipt) }).reasons.map(({ path }) => path);
  const path = `/actions/${FIRST_PAYMENT}/evidence/receipt`;
  t.deepEqual(reasonsOf('T0', 'T0'), []);
  t.deepEqual(reasonsOf('T0', 'T0', 'T0'), []);
  t.deepEqual(reasonsOf('T0'), [`${path}/min`]);
  t.deepEqual(reasonsOf(), [`${path}/min`]);
  t.deepEqual(reasonsOf('T0', 'T1'), [`${path}/1/binds/id`]);
});

test('what a sheet is given must be of the type that it says', (t) => {
  const text = canonicalText({
    sheet_format: 1,
    name: 'small',
    version: '1.0.0',
    title: 'A number of at most 40',
    variables: { payments: { type: 'int', min: 0, max: 40 } },
    constraints: [{ id: 'some', expr: ['>=', ['var', 'payments'], 0] }],
  });
  const use = { name: 'small', version: '1.0.0', sha256: hashSheetText(text), scope: 'plan' };
  const reasonsOf = (payments: unknown) =>
    verify(RUN, { sheets: [{ ...use, bind: { payments } }] }, APPROVED, { sheets: [text] }).reasons.map(
      ({ path }) => path,
    );
  const count = ['count', 'pay'];
  t.deepEqual(reasonsOf(count), []);
  t.deepEqual(reasonsOf(['+', count, 1]), ['/sheets/0/bind/payments']);
  t.deepEqual(reasonsOf(['-', count, 41]), ['/sheets/0/some', '/sheets/0/bind/payments']);
});

test('an action whose response is open may not be completed with the value of an earlier one, if a rule forbids it', (t) => {
  const preflight = (...allowed: readonly string[]) => {
    const constraints = [
      { id: 'ids', expr: ['unique', 'pay', 'p', [['resp', 'p', 'id']]] },
      { id: 'same', expr: ['forall', 'pay', 'p', ['in', 'ids', [['resp', 'p', 'id']]]] },
    ];
    const ids = { key: ['id'], columns: { id: { type: 'string', max: 64 } }, inline: allowed.map((id) => ({ id })) };
    const [first, second] = RUN.slice(FIRST_PAYMENT);
    const { response: _, started_at: __, ended_at: ___, ...action } = Object(second);
    const task: SolverTask = {
      kind: 'preflight',
      ...planTexts(paymentPlan(ROWS, { constraints, tables: { ...paymentPlan(ROWS).tables, ids } })),
      done: JSON.stringify([first]),
      action: JSON.stringify(action),
      runContext: { approvals: APPROVED },
    };
    const answer = ask(task);
    return 'constraints' in answer ? answer.constraints.verdict : undefined;
  };
  t.is(preflight('T0', 'T1'), 'satisfied');
  // That no run can follow need not be proven, but no witness may say that one can.
  t.true(['violated', 'indeterminate'].includes(String(preflight('T0'))), preflight('T0'));
});

test('a rule over an undefined look-up is broken, unless it does not matter', (t) => {
  const unknown = ['look', 'approved', 'amount', [['str', 'I999']]];
  const rules = [
    { id: 'broken', expr: ['>=', unknown, ['dec', '0.00']] },
    { id: 'denied', expr: ['not', ['>=', unknown, ['dec', '0.00']]] },
    { id: 'guarded', expr: ['or', ['not', ['in', 'approved', [['str', 'I999']]]], ['>=', unknown, ['dec', '0.00']]] },
    { id: 'decided', expr: ['not', ['and', ['bool', false], ['>=', unknown, ['dec', '0.00']]]] },
    {
      id: 'nothing',
      expr: ['>=', ['least', 'approve', 'a', ['resp', 'a', 'amount'], ['bool', false]], ['dec', '0.00']],
    },
    { id: 'chosen', expr: ['<=', ['ite', ['bool', true], ['dec', '1.00'], unknown], ['dec', '2.00']] },
  ];
  t.deepEqual(
    verify(RUN, { constraints: rules }).reasons.map(({ path }) => path),
    ['/constraints/broken', '/constraints/denied', '/constraints/nothing'],
  );
});

test('both engines decide all checks of a run whose effects depend on its approvals', (t) => {
  const sent = [{ key: ['arg', 'payee'], value: ['run', 'approvals'] }];
  const steps = paymentPlan(ROWS).steps.map((step) => (step.step_id === 'pay' ? { ...step, effects: { sent } } : step));
  for (const judgement of verify(RUN, { steps }).judgements) {
    t.like(judgement, { verdict: 'satisfied', engine: 'evaluator+z3' });
  }
});

test('an effect that is undefined breaks the run', (t) => {
  const { verdicts, reasons } = verify(RUN.slice(0, FIRST_PAYMENT + 1), {
    steps: paymentPlan(ROWS).steps.map((step) => ({
      ...step,
      effects:
        step.step_id === 'pay'
          ? { sent: [{ key: ['arg', 'payee'], value: ['look', 'counts', 'n', [['arg', 'payee']]] }] }
          : {},
    })),
    tables: {
      ...paymentPlan(ROWS).tables,
      counts: { key: ['payee'], columns: { payee: { type: 'string', max: 8 }, n: { type: 'int' } }, inline: [] },
    },
  });
  t.deepEqual(verdicts, ['satisfied', 'violated', 'satisfied', 'violated']);
  t.deepEqual(reasons.map(({ code, path }) => [code, path])[0], [
    'STATE_OUT_OF_RANGE',
    `/actions/${FIRST_PAYMENT}/state/sent`,
  ]);
});

test('1,000 payments and rules that compare all of them are decided, joined by the values that must be equal', (t) => {
  const acts = Array.from({ length: 999 }, (_, index) => ({ ...RUN[0], args: { invoice: `I${index % 40}` } }));
  const constraints = [
    {
      id: 'per',
      expr: [
        'forall',
        'approve',
        'a',
        ['<=', ['count', 'approve', 'b', ['=', ['arg', 'b', 'invoice'], ['arg', 'a', 'invoice']]], 25],
      ],
    },
    {
      id: 'same',
      expr: [
        'forall',
        'approve',
        'a',
        [
          '=',
          ['sum', 'approve', 'b', ['resp', 'b', 'amount'], ['=', ['resp', 'b', 'amount'], ['resp', 'a', 'amount']]],
          ['sum', 'approve', 'c', ['resp', 'c', 'amount']],
        ],
      ],
    },
    {
      id: 'rows',
      expr: [
        'forall',
        ['table', 'approved'],
        'r',
        ['exists', 'approve', 'a', ['=', ['arg', 'a', 'invoice'], ['col', 'r', 'invoice']]],
      ],
    },
  ];
  const steps = paymentPlan(ROWS).steps.map((step) => ({ ...step, max: step.step_id === 'pay' ? 1 : 999 }));
  const task: SolverTask = {
    kind: 'check_run',
    check: 'constraints',
    ...planTexts(paymentPlan(ROWS, { constraints, steps })),
    actions: JSON.stringify(acts),
  };
  t.like(ask(task), { judgement: { verdict: 'satisfied', reasons: [] } });
});
