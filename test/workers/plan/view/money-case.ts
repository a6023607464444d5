import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { dangersOf, viewOf } from '../../../models/view.ts';

/** A plan that pays by a tool of the catalogue. */
export interface Case {
  readonly args: string;
  readonly responds?: string;
  readonly amounts?: string;
  readonly where: string;
  readonly given?: string;
  readonly rules?: readonly string[];
  /** Another step, by a tool that takes `sum` in JPY. */
  readonly more?: string;
  /** As YAML. */
  readonly tables?: string;
  readonly state?: string;
  readonly effects?: string;
  /** A tool whose description the view does not have. */
  readonly unknown?: string;
}

/** The tools of a case, as YAML. */
export const catalogue = ({ args, responds = '{ id: string(64) }', amounts }: Case) => `tools:
  bank.pay@1.0.0:
    effect: revenue_write
    args: ${args}
    responds: ${responds}
    identity: id
${amounts === undefined ? '' : `    amounts: ${amounts}\n`}  bank.wire@1.0.0:
    effect: revenue_write
    args: { sum: "int(0..)" }
    responds: { id: string(64) }
    identity: id
    amounts: args.sum in JPY
`;

/** What a view and lint say of the plan. `total`: of its money in one run. */
export function examine(one: Case) {
  const tools = toolsIn(catalogue(one));
  const rules = one.rules ?? [];
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: ${one.given ?? '{ chosen: "EUR" }'}
tables: ${one.tables ?? '{}'}
state: ${one.state ?? '{}'}
steps:
  pay: { tool: bank.pay@1, times: 0..10, where: ${JSON.stringify(one.where)}, effects: ${one.effects ?? '{}'} }
${one.more === undefined ? '' : `  wire: { tool: bank.wire@1, times: 0..2, where: ${JSON.stringify(one.more)} }\n`}rules:${
      rules.length === 0 ? ' {}' : rules.map((rule) => `\n  ${rule}`).join('')
    }
`,
    tools,
  );
  const context = { tools: tools.filter(({ name }) => name !== one.unknown), tables: [], sheets: [] };
  const view = viewOf(plan, { ...context, hash: 'a'.repeat(64), lint: [] });
  const codes = dangersOf(plan, context).map(({ code }) => code);
  return { view, codes, total: /^In all: (.*) in one run/m.exec(view)?.[1] };
}

/** Whom the rows of a table let a plan pay, and how much. */
export const PEOPLE =
  '{ people: { key: who, columns: { who: string(64), most: decimal(2), code: string(3) }, rows: [{ who: ann, most: 100.00, code: EUR }, { who: ben, most: 50.00, code: EUR }, { who: cid, most: 7.00, code: USD }] } }';
export const TO_PEOPLE = {
  tables: PEOPLE,
  args: '{ who: string(64), m: "decimal(2, 0.00..)", code: string(3) }',
  amounts: 'args.m in EUR',
  where: 'args.who in people && args.m <= 400.00',
};
/** The row of the payee gives the limit and the currency. */
export const BY_ROW = {
  ...TO_PEOPLE,
  amounts: 'args.m in args.code',
  where: 'args.m <= people[args.who].most && args.code == people[args.who].code',
};
