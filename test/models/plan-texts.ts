import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { canonicalText } from '../../workers/exact/canonical-json.ts';
import type { PlanDocument } from '../../workers/exact/plan-schema.ts';
import type { ToolDocument } from '../../workers/exact/tool-schema.ts';
import { type CompiledPlan, compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { compileTools } from '../../workers/plan/text/tools/compile-tools.ts';

const EXAMPLES = new URL('../../docs/verified-execution/examples/', import.meta.url);

/** A catalogue that uses every kind of type, state and effect. */
export const TOOLS_TEXT = `tools:
  look@1.0.0:
    args: { order: string(64), kind: "enum(new, old)" }
    responds: { total: "decimal(2, 0..)", count: int(0..), offset: int, ready: bool, since: time, took: duration, kind: string(8) }
  bank.pay@2.0.0:
    effect: revenue_write
    args: { invoice: string(64), amount: decimal(2), payee: string(64) }
    responds: { id: string(64), amount: decimal(2), status: "enum(booked, refused)" }
    identity: id
    amounts: args.amount in EUR
  bank.pay@2.3.1:
    effect: revenue_write
    replay: effects
    args: { invoice: string(64), amount: decimal(2), payee: string(64) }
    responds: { id: string(64), left: decimal(2) }
    identity: id
    state: { left: decimal(2) }
    effects: { left: state.left - args.amount }
    observe: { left: left }
    amounts: args.amount in EUR
  mail.send@1.0.0:
    effect: write
    args: { to: "string(254, email)" }
    responds: { id: string(64) }
`;

export const TOOLS: readonly ToolDocument[] = toolsIn(TOOLS_TEXT);

export function toolsIn(text: string): readonly ToolDocument[] {
  const { tools, faults } = compileTools(text);
  if (tools === undefined) throw new Error(JSON.stringify(faults));
  return tools;
}

const APPROVED = '{"invoice":"A1","amount":"100.00","payee":"Acme"}\n{"invoice":"B2","amount":"50.50","payee":"Bo"}\n';

/** As the solver takes it. */
export const APPROVED_TABLE = { text: APPROVED, sha256: createHash('sha256').update(APPROVED).digest('hex') };
const FILES = new Map([['approved.jsonl', APPROVED]]);

/** A plan whose rules are `rules`: one line each, such as `r: count(pay) <= 3`. */
export function planText(rules: readonly string[], { where = 'args.amount > 0.00' } = {}): string {
  return `plan: A plan
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { cap: 25.00, most: 3, flag: true, name: "x", kind: { type: "enum(new, old)", value: new }, end: 2026-12-01T00:00:00Z, wait: { type: duration, value: 1h } }
state: { left: 80.00, sent: "map(string(254), int(0..), default 0)" }
tables:
  approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), amount: decimal(2), payee: string(64) } }
  pairs: { key: [a, b], columns: { a: string(8), b: int, c: bool }, rows: [{ a: x, b: 1, c: true }] }
steps:
  look: { tool: look@1, times: 0..5 }
  pay:
    tool: bank.pay@2
    times: 0..10
    where: ${where}
    evidence:
      receipt: { type: application/json, reads: { id: /id }, where: receipt.id == response.id }
  mail: { tool: mail.send@1, times: 0..5, effects: { "sent[args.to]": "state.sent[args.to] + 1" } }
rules:${rules.length === 0 ? ' {}' : rules.map((rule) => `\n  ${rule}`).join('')}
`;
}

export const compileText = (text: string, tools = TOOLS): CompiledPlan => compilePlan(text, { tools, tables: FILES });

/** The plan of a text without faults. */
export function planOf(text: string, tools = TOOLS): PlanDocument {
  const { plan, faults } = compileText(text, tools);
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  return plan;
}

/** What a plan over this catalogue refers to, as the solver takes it. */
export const textsOf = (tools: readonly ToolDocument[]): readonly string[] => tools.map(canonicalText);

export const EXAMPLE_NAMES = [
  'refund',
  'payment-run',
  'campaign',
  'migration',
  'access-grants',
  'crm-update',
  'purchase',
  'incident',
] as const;

export const examplePath = (name: string): string => fileURLToPath(new URL(name, EXAMPLES));
export const readExample = (name: string): string => readFileSync(new URL(name, EXAMPLES), 'utf8');

/** An example with the tables that it uses, as the solver takes them. */
export function compileExample(name: string, tools: readonly ToolDocument[]) {
  const files = new Map(
    readdirSync(EXAMPLES)
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => [file, readExample(file)]),
  );
  const { plan, faults } = compilePlan(readExample(`${name}.yaml`), { tools, tables: files });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  const tables = [...files.values()].map((text) => ({ text, sha256: createHash('sha256').update(text).digest('hex') }));
  return { plan, tables };
}
