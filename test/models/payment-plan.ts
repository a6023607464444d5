import { createHash } from 'node:crypto';
import { canonicalText } from '../../workers/exact/canonical-json.ts';
import type { ToolDocument } from '../../workers/exact/tool-schema.ts';
import type { TableText } from '../../workers/plan/read/read-table.ts';
import { hashToolText } from '../../workers/plan/read/read-tool.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';

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

/** It describes its tool itself, as only a tool without an effect may. */
const APPROVE = {
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
};

const PLAN_TEXT = `plan: Pay the approved invoices
expires: 2099-12-05T00:00:00Z
recorded: 1000
given: { cap: 25000.00 }
tables: { approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(32), amount: "decimal(2, 0.00..1000000.00)", payee: string(64) } } }
state: { balance: { type: "decimal(2, 0.00..1000000.00)", initial: 900000.00 }, sent: "map(string(64), int(0..300), default 0)" }
steps:
  approve: { tool: approve.invoice@1, times: 0..400, where: { known: args.invoice in approved } }
  pay:
    tool: bank.transfer@2
    times: 0..600
    where:
      amount: args.amount == approved[args.invoice].amount
      payee: args.payee == approved[args.invoice].payee
      soon: started_at - approved_at <= duration("24h")
    after: { approve: if_done }
    effects: { "sent[args.payee]": "state.sent[args.payee] + 1" }
    evidence: { receipt: { type: application/json, times: 0..1, reads: { id: /id }, where: { id: receipt.id == response.id } } }
rules:
  once: unique(pay, p, p.invoice)
  cap: sum(pay, p, p.amount) <= cap
  large: pay.all(p, p.amount <= 30.00 || approve.exists(a, a.invoice == p.invoice && a.response.amount == p.amount && before(a, p)))
  few: pay.all(p, state.sent[p.payee] <= 200)
`;

export function paymentPlan(rows: readonly Invoice[], over: Readonly<Record<string, unknown>> = {}) {
  const files = new Map([['approved.jsonl', tableOf(rows).text]]);
  const tools = [
    TRANSFER,
    { ...TRANSFER, ...APPROVE, state: {}, limits: [] },
  ] as readonly object[] as readonly ToolDocument[];
  const { plan, faults } = compilePlan(PLAN_TEXT, { tools, tables: files });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  const transfer = { name: TRANSFER.name, version: TRANSFER.version, sha256: hashToolText(TRANSFER_TEXT) };
  return { ...plan, tools: [transfer, APPROVE] as const, ...over };
}

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
