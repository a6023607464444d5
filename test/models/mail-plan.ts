import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { toolsIn } from './plan-texts.ts';

/** A catalogue whose arguments and responses are lists, objects and optional. */
export const MAIL_TOOLS = toolsIn(`tools:
  mail.send@1.0.0:
    effect: write
    args:
      to: ["string(254, email)", ..3]
      cc?: ["string(254, email)", 1..2]
      subject: string(100)
      note?: string(100)
      from: { name: string(64), team?: string(10), unit?: { floor: int(0..9) } }
      lines: [{ sku: string(10), price: "decimal(2, 0..)", quantity: "int(0..10)", gift?: bool }, 0..3]
    responds: { id: string(64), sent: [{ to: string(254), ok: bool }, 0..3], warning?: string(100), cost?: "decimal(2, 0..)" }
`);

/** A plan that sends mail. @param where conditions by name, one line each */
export const mailText = (where: readonly string[], rules: readonly string[] = []): string => `plan: Mail
expires: 2026-12-05T00:00:00Z
recorded: 9
given: { cap: 100.00, most: 2 }
tables:
  allowed: { key: email, columns: { email: "string(254, email)" }, rows: [{ email: a@x.org }, { email: b@x.org }] }
steps:
  send:
    tool: mail.send@1
    times: 0..3
    where:${where.length === 0 ? ' {}' : where.map((line) => `\n      ${line}`).join('')}
rules:${rules.length === 0 ? ' {}' : rules.map((line) => `\n  ${line}`).join('')}
`;

export const compileMail = (text: string) => compilePlan(text, { tools: MAIL_TOOLS, tables: new Map() });

export function mailPlan(where: readonly string[], rules: readonly string[] = []) {
  const { plan, typed, faults } = compileMail(mailText(where, rules));
  if (plan === undefined || typed === undefined) throw new Error(JSON.stringify(faults));
  return { plan, typed };
}
