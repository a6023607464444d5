// Plans of realistic size: a payment run over listed invoices, and a batch of updates in a CRM.

export type Formulation = 'listed' | 'stepwise';

const money = { type: 'decimal', scale: 2 };
const text = { type: 'string', max: 64 };
const id = (index: number): string => `I${index}`;
const amountOf = (index: number): string => `${index % 5 === 0 ? 5000 : 100 + index}.00`;
const isLarge = (index: number): boolean => index % 5 === 0;
const equals = (name: string, kind: 'str' | 'dec', value: string) => ['=', ['arg', name], [kind, value]];
/** The condition for the action p of an aggregate. */
const isOf = (name: string, value: string) => ['=', ['arg', 'p', name], ['str', value]];

const INSTANT = '2026-11-20T10:00:00.000000Z';

const PAY = {
  name: 'bank.transfer',
  version: '1.0.0',
  effect: 'none',
  replay: 'recorded',
  args: { invoice: text, amount: money, payee: text },
  responds: { id: { ...text, at: '/id' } },
  effects: {},
  observe: {},
  identity: 'id',
  post: [],
};
const APPROVE = {
  name: 'approval.record',
  version: '1.0.0',
  effect: 'none',
  replay: 'recorded',
  args: { invoice: text, approver: text },
  responds: { id: { ...text, at: '/id' } },
  effects: {},
  observe: {},
  identity: null,
  post: [],
};
const UPDATE = {
  name: 'crm.update',
  version: '1.0.0',
  effect: 'none',
  replay: 'recorded',
  args: { contact: text, status: { type: 'enum', values: ['open', 'won', 'lost'] }, note: text },
  responds: { ok: { type: 'bool', at: '/ok' } },
  effects: {},
  observe: {},
  identity: null,
  post: [],
};

const BASE = {
  plan_format: 2,
  expires_at: '2026-12-31T00:00:00.000000Z',
  max_executions: 1,
  max_recorded: 256,
  supersedes: null,
  approvals: 1,
  variables: {},
  tables: {},
  state: {},
  sheets: [],
};
const STEP = { after: [], effects: {}, evidence: [] };

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const rowOf = (index: number) => [
  'and',
  equals('invoice', 'str', id(index)),
  equals('amount', 'dec', amountOf(index)),
  equals('payee', 'str', `payee-${index % 7}`),
];

/** Pays listed invoices, each at most once, and large ones after a second approval. With `all`, pays every invoice. */
export function paymentRun(
  count: number,
  {
    formulation,
    approvals,
    all = false,
  }: { readonly formulation: Formulation; readonly approvals: boolean; readonly all?: boolean },
) {
  const large = numbers(count).filter(isLarge);
  const isListed = formulation === 'listed';
  const paid = (index: number) => [
    'count',
    isListed ? 'pay' : `pay${index}`,
    ...(isListed ? ['p', isOf('invoice', id(index))] : []),
  ];
  const approved = (index: number) => ['count', 'approve', 'p', isOf('invoice', id(index))];
  const approve = {
    ...STEP,
    step_id: 'approve',
    tool: 'approval.record@1.0.0',
    where: [
      { id: 'listed', expr: ['or', ...large.map((index) => equals('invoice', 'str', id(index)))] },
      { id: 'other', expr: ['!=', ['arg', 'approver'], ['str', 'agent']] },
    ],
    min: 0,
    max: large.length,
  };
  const pays = isListed
    ? [
        {
          ...STEP,
          step_id: 'pay',
          tool: 'bank.transfer@1.0.0',
          where: [{ id: 'listed', expr: ['or', ...numbers(count).map(rowOf)] }],
          min: 0,
          max: count,
        },
      ]
    : numbers(count).map((index) => ({
        ...STEP,
        step_id: `pay${index}`,
        tool: 'bank.transfer@1.0.0',
        where: [{ id: 'row', expr: rowOf(index) }],
        min: all ? 1 : 0,
        max: 1,
      }));
  const once = isListed
    ? numbers(count).map((index) => ({ id: `once${index}`, expr: [all ? '=' : '<=', paid(index), 1] }))
    : [];
  const seconded = large.map((index) => ({ id: `seconded${index}`, expr: ['<=', paid(index), approved(index)] }));
  return {
    ...BASE,
    title: 'Pay the approved invoices of November',
    tools: approvals ? [PAY, APPROVE] : [PAY],
    steps: [...(approvals ? [approve] : []), ...pays],
    constraints: [...once, ...(approvals ? seconded : [])],
  };
}

export function paymentActions(
  count: number,
  { formulation, approvals }: { formulation: Formulation; approvals: boolean },
) {
  const approving = approvals
    ? numbers(count)
        .filter(isLarge)
        .map((index) => action('approve', APPROVE, { invoice: id(index), approver: 'cfo' }, { id: `a${index}` }))
    : [];
  const paying = numbers(count).map((index) =>
    action(
      formulation === 'listed' ? 'pay' : `pay${index}`,
      PAY,
      { invoice: id(index), amount: amountOf(index), payee: `payee-${index % 7}` },
      { id: `p${index}` },
    ),
  );
  return [...approving, ...paying];
}

/** Updates listed contacts, each at most once. */
export function crmUpdates(count: number, formulation: 'listed' | 'counted') {
  const once = numbers(count).map((index) => ({
    id: `once${index}`,
    expr: ['<=', ['count', 'update', 'p', isOf('contact', id(index))], 1],
  }));
  const listed = (of: readonly string[]) => [
    'or',
    ...numbers(count).map((index) => ['=', [...of, 'contact'], ['str', id(index)]]),
  ];
  const isListed = formulation === 'listed';
  return {
    ...BASE,
    title: 'Mark contacts as lost',
    tools: [UPDATE],
    steps: [
      {
        ...STEP,
        step_id: 'update',
        tool: 'crm.update@1.0.0',
        where: [
          ...(isListed ? [{ id: 'listed', expr: listed(['arg']) }] : []),
          { id: 'lost', expr: ['=', ['arg', 'status'], ['enum', 'lost']] },
        ],
        min: 0,
        max: count,
      },
    ],
    constraints: [
      ...once,
      ...(isListed ? [] : [{ id: 'listed', expr: ['forall', 'update', 'p', listed(['arg', 'p'])] }]),
    ],
  };
}

export function crmActions(count: number) {
  return numbers(count).map((index) =>
    action('update', UPDATE, { contact: id(index), status: 'lost', note: `n${index}` }, { ok: true }),
  );
}

function action(
  step_id: string,
  tool: { readonly name: string; readonly version: string },
  args: object,
  response: object,
) {
  return {
    step_id,
    tool: tool.name,
    tool_version: tool.version,
    args,
    response,
    started_at: INSTANT,
    ended_at: INSTANT,
  };
}
