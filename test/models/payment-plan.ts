import { createHash } from 'node:crypto';
import { canonicalText } from '../../workers/exact/canonical-json.ts';
import type { TableText } from '../../workers/plan/read/read-table.ts';
import { hashToolText } from '../../workers/plan/read/read-tool.ts';

// A plan of format 2: pay approved invoices, each once, the large ones after somebody has approved them again.

const money = { type: 'decimal', scale: 2, min: '0.00', max: '1000000.00' };
const text = (max: number) => ({ type: 'string', max });

export const TRANSFER = {
  tool_format: 2,
  name: 'bank.transfer',
  version: '2.0.0',
  effect: 'revenue_write',
  replay: 'effects',
  args: { invoice: text(32), payee: text(64), amount: money },
  responds: { id: { ...text(64), at: '/id' }, balance: { ...money, at: '/balance' } },
  state: { balance: money },
  effects: { balance: ['-', ['state', 'balance'], ['arg', 'amount']] },
  observe: { balance: 'balance' },
  identity: 'id',
  post: [],
  limits: [{ id: 'daily', of: 'amount', per: null, within: 'day', most: '100000.00' }],
};

export const TRANSFER_TEXT = canonicalText(TRANSFER);

export interface Invoice {
  readonly invoice: string;
  readonly amount: string;
  readonly payee: string;
}

export const invoices = (count: number): readonly Invoice[] =>
  Array.from({ length: count }, (_, index) => ({
    invoice: `I${index}`,
    amount: `${(index % 40) + 1}.50`,
    payee: `P${index % 7}`,
  }));

export function tableOf(rows: readonly object[]): TableText {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The row of the invoice that the action pays. */
const approved = (column: string, key: unknown) => ['look', 'approved', column, [key]];
const INVOICE = ['arg', 'invoice'];

export function paymentPlan(rows: readonly Invoice[], over: Readonly<Record<string, unknown>> = {}) {
  return {
    plan_format: 2,
    title: 'Pay the approved invoices',
    expires_at: '2099-12-05T00:00:00.000000Z',
    max_executions: 1,
    max_recorded: 1000,
    supersedes: null,
    approvals: 1,
    variables: { cap: { type: 'decimal', scale: 2, value: '25000.00' } },
    tables: {
      approved: {
        key: ['invoice'],
        columns: { invoice: text(32), amount: money, payee: text(64) },
        rows: rows.length,
        sha256: tableOf(rows).sha256,
      },
    },
    state: {
      balance: { ...money, initial: '900000.00' },
      sent: { type: 'map', key: text(64), value: { type: 'int', min: 0, max: 300 }, default: 0 },
    },
    tools: [
      { name: TRANSFER.name, version: TRANSFER.version, sha256: hashToolText(TRANSFER_TEXT) },
      {
        name: 'approve.invoice',
        version: '1.0.0',
        effect: 'none',
        replay: 'recorded',
        args: { invoice: text(32) },
        responds: { amount: { ...money, at: '/amount' } },
        observe: {},
        identity: null,
        effects: {},
        post: [],
      },
    ],
    steps: [
      {
        step_id: 'approve',
        tool: 'approve.invoice@1.0.0',
        where: [{ id: 'known', expr: ['in', 'approved', [INVOICE]] }],
        after: [],
        effects: {},
        min: 0,
        max: 400,
        evidence: [],
      },
      {
        step_id: 'pay',
        tool: 'bank.transfer@2.0.0',
        where: [
          { id: 'amount', expr: ['=', ['arg', 'amount'], approved('amount', INVOICE)] },
          { id: 'payee', expr: ['=', ['arg', 'payee'], approved('payee', INVOICE)] },
          { id: 'soon', expr: ['<=', ['-', ['started'], ['run', 'approved_at']], ['duration', '86400000000']] },
        ],
        after: [{ step: 'approve', at_least: 0 }],
        effects: {
          sent: [{ key: ['arg', 'payee'], value: ['+', ['at', 'state', 'sent', ['arg', 'payee']], 1] }],
        },
        min: 0,
        max: 600,
        evidence: [
          {
            kind: 'receipt',
            media_types: ['application/json'],
            max_bytes: 65_536,
            min: 0,
            max: 1,
            reads: { id: { ...text(64), at: '/id' } },
            binds: [{ id: 'id', expr: ['=', ['ev', 'id'], ['resp', 'id']] }],
          },
        ],
      },
    ],
    constraints: [
      { id: 'once', expr: ['unique', 'pay', 'p', [['arg', 'p', 'invoice']]] },
      { id: 'cap', expr: ['<=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['var', 'cap']] },
      { id: 'large', expr: LARGE },
      { id: 'few', expr: ['forall', 'pay', 'p', ['<=', ['at', 'final', 'sent', ['arg', 'p', 'payee']], 200]] },
    ],
    sheets: [],
    ...over,
  };
}

/** Payments above 30.00 need an approval of the invoice. */
const LARGE = [
  'forall',
  'pay',
  'p',
  [
    'or',
    ['<=', ['arg', 'p', 'amount'], ['dec', '30.00']],
    [
      'exists',
      'approve',
      'a',
      [
        'and',
        ['=', ['arg', 'a', 'invoice'], ['arg', 'p', 'invoice']],
        ['=', ['resp', 'a', 'amount'], ['arg', 'p', 'amount']],
        ['before', 'a', 'p'],
      ],
    ],
  ],
];

/** Approves the large ones of some invoices, then pays all of them. */
export function paymentRun(rows: readonly Invoice[], initial = 90_000_000): readonly Record<string, unknown>[] {
  const large = rows.filter(({ amount }) => Number(amount) > 30);
  let balance = initial;
  const times = { started_at: '2026-11-02T10:00:00.000000Z', ended_at: '2026-11-02T10:00:00.000000Z' };
  return [
    ...large.map(({ invoice, amount }) => ({
      step_id: 'approve',
      tool: 'approve.invoice',
      tool_version: '1.0.0',
      args: { invoice },
      response: { amount },
      ...times,
    })),
    ...rows.map(({ invoice, amount, payee }, index) => {
      balance -= Math.round(Number(amount) * 100);
      return {
        step_id: 'pay',
        tool: 'bank.transfer',
        tool_version: '2.0.0',
        args: { invoice, payee, amount },
        response: { id: `T${index}`, balance: (balance / 100).toFixed(2) },
        ...times,
      };
    }),
  ];
}

export const APPROVED = [{ at: '2026-11-02T00:00:00.000000Z', group: 'finance' }];
