import { randomUUID } from 'node:crypto';
import { digestBytes } from '../../../../services/verification/proof/digests.ts';

const TEXT = { type: 'string', max: 64 };
const MONEY = { type: 'decimal', scale: 2, min: '0.00', max: '100000.00' };

export interface Invoice {
  readonly invoice: string;
  readonly payee: string;
  readonly amount: string;
}

export const invoices = (count: number): readonly Invoice[] =>
  Array.from({ length: count }, (_, index) => ({ invoice: `A${index}`, payee: `P${index % 7}`, amount: '10.00' }));

export const toLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** What a plan says about its tool. */
export interface ToolRef {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** The plan of format 2 that pays approved invoices, each once, with changes to some of its members. */
export function paymentPlan(rows: readonly Invoice[], { name, version, sha256 }: ToolRef, changes: object = {}) {
  const approved = (column: string) => ['look', 'approved', column, [['arg', 'invoice']]];
  return {
    plan_format: 2,
    title: 'Pay the approved invoices',
    expires_at: '2099-12-31T00:00:00.000000Z',
    max_executions: 50,
    max_recorded: 1000,
    supersedes: null,
    approvals: 2,
    variables: { cap: { ...MONEY, value: '20000.00' } },
    tables: {
      approved: {
        key: ['invoice'],
        columns: { invoice: TEXT, payee: TEXT, amount: MONEY },
        rows: rows.length,
        sha256: digestBytes(Buffer.from(toLines(rows))),
      },
    },
    state: {},
    tools: [{ name, version, sha256 }],
    steps: [
      {
        step_id: 'pay',
        tool: `${name}@${version}`,
        where: [
          { id: 'amount', expr: ['=', ['arg', 'amount'], approved('amount')] },
          { id: 'payee', expr: ['=', ['arg', 'payee'], approved('payee')] },
        ],
        after: [],
        effects: {},
        min: 1,
        max: 1000,
        evidence: [
          {
            kind: 'receipt',
            media_types: ['application/json'],
            max_bytes: 65_536,
            min: 1,
            max: 1,
            reads: { id: { ...TEXT, at: '/id' } },
            binds: [{ id: 'id', expr: ['=', ['ev', 'id'], ['resp', 'id']] }],
          },
        ],
      },
    ],
    constraints: [
      { id: 'once', expr: ['unique', 'pay', 'p', [['arg', 'p', 'invoice']]] },
      { id: 'cap', expr: ['<=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['var', 'cap']] },
      { id: 'finance', expr: ['approved_by', 'finance'] },
    ],
    sheets: [],
    ...changes,
  };
}

/** The payment of an invoice. */
export const payment = ({ invoice, payee, amount }: Invoice) => ({
  step_id: 'pay',
  tool: 'bank.transfer',
  tool_version: '1.0.0',
  args: { invoice, payee, amount },
  response: { id: randomUUID() },
});
