import type { InlineTool, PlanDocument, StepDocument } from '../../exact/plan-schema.ts';
import type { SheetDocument } from '../../exact/sheet-schema.ts';
import type { ToolDocument } from '../../exact/tool-schema.ts';
import { hashTool } from '../../plan-text/tools/known-tool.ts';
import { asOwn, conjunctsOf, type Expr, operandsOf, operatorOf, walk } from './expression.ts';

/** What a plan refers to by hash, and what was found out about it. */
export interface ViewContext {
  /** The hash that an approval names. */
  readonly hash: string;
  /** Descriptions of the catalogue. */
  readonly tools: readonly ToolDocument[];
  /** Texts of JSON lines. */
  readonly tables: readonly { readonly sha256: string; readonly text: string }[];
  readonly sheets: readonly SheetDocument[];
  /** The plan that this one supersedes. */
  readonly predecessor?: PlanDocument;
  /** What the solver's lint says. */
  readonly lint: readonly Finding[];
}

/** A remark about a part of a plan. */
export interface Finding {
  readonly code: string;
  /** JSON pointer (RFC 6901) into the plan. */
  readonly path: string;
  readonly message: string;
}

/** A tool of the catalogue, or one that the plan describes. */
export type ViewedTool = ToolDocument | InlineTool;
export type Row = Readonly<Record<string, unknown>>;

/** A plan with what it refers to. */
export interface PlanParts {
  readonly plan: PlanDocument;
  /** By name@version. A description that is not in the catalogue is missing. */
  readonly tools: ReadonlyMap<string, ViewedTool>;
  /** The rows of tables by name. A table whose text is unknown is missing. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly sheets: readonly SheetDocument[];
}

export function readParts(plan: PlanDocument, context: Pick<ViewContext, 'tools' | 'tables' | 'sheets'>): PlanParts {
  const byHash = new Map(context.tools.map((tool) => [hashTool(tool), tool]));
  const tools = new Map<string, ViewedTool>();
  for (const tool of plan.tools) {
    const described = 'sha256' in tool ? byHash.get(tool.sha256) : tool;
    if (described !== undefined) tools.set(`${tool.name}@${tool.version}`, described);
  }
  return { plan, tools, rows: readRows(plan, context.tables), sheets: context.sheets };
}

/** The rows of a plan's tables by name. A table whose text is unknown is missing. */
export function readRows(plan: PlanDocument, texts: ViewContext['tables']): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, readonly Row[]>();
  for (const [name, table] of Object.entries(plan.tables)) {
    const text = 'sha256' in table ? texts.find(({ sha256 }) => sha256 === table.sha256)?.text : undefined;
    const read =
      'inline' in table
        ? table.inline
        : text
            ?.split('\n')
            .filter((line) => line !== '')
            .map(readRow);
    if (read !== undefined) rows.set(name, read);
  }
  return rows;
}

function readRow(line: string): Row {
  const row: unknown = JSON.parse(line);
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new TypeError('a row is not an object');
  return Object.fromEntries(Object.entries(row));
}

/** The conditions of every action of a step: its own, and rules about each of its actions, in the step's own terms. */
export function conditionsOf({ step_id, where }: StepDocument, parts: PlanParts): readonly Expr[] {
  const ofEach = rulesOf(parts).flatMap((rule) => {
    const [range, binder, body] = operandsOf(rule, 'forall') ?? [];
    return range === step_id && typeof binder === 'string' ? conjunctsOf(asOwn(body, binder)) : [];
  });
  return [...where.flatMap(({ expr }) => conjunctsOf(expr)), ...sheetRules(`each:${step_id}`, parts), ...ofEach];
}

/** The rules of a plan and of its sheets, split at `and`. */
export const rulesOf = (parts: PlanParts): readonly Expr[] => namedRulesOf(parts).map(({ expr }) => expr);

/** The rules, each with the id that the plan gives it. Those of sheets have none. */
export const namedRulesOf = (parts: PlanParts): readonly { readonly id?: string; readonly expr: Expr }[] => [
  ...parts.plan.constraints.flatMap(({ id, expr }) => conjunctsOf(expr).map((each) => ({ id, expr: each }))),
  ...sheetRules('plan', parts).map((expr) => ({ expr })),
];

/** The rules of the sheets for a scope, with what the plan binds in place of their variables. */
function sheetRules(scope: string, { plan, sheets }: PlanParts): readonly Expr[] {
  return plan.sheets.flatMap((use) => {
    const sheet = sheets.find(({ name, version }) => name === use.name && version === use.version);
    if (use.scope !== scope || sheet === undefined) return [];
    return sheet.constraints.flatMap(({ expr }) => conjunctsOf(withBound(expr, use.bind)));
  });
}

function withBound(expr: Expr, bind: Readonly<Record<string, unknown>>): Expr {
  const [name] = operandsOf(expr, 'var') ?? [];
  if (typeof name === 'string') return Object.hasOwn(bind, name) ? bind[name] : expr;
  return Array.isArray(expr) ? expr.map((part: unknown) => withBound(part, bind)) : expr;
}

/** The text that every action sees in an expression: one that is written there, or a given value. */
export function constantText(expr: Expr, { plan }: PlanParts): string | undefined {
  const [text] = operandsOf(expr, 'str', 'enum', 'var') ?? [];
  if (typeof text !== 'string') return undefined;
  if (operatorOf(expr) !== 'var') return text;
  const value = fieldsOf(plan.variables[text]).get('value');
  return typeof value === 'string' ? value : undefined;
}

/** The members of a JSON object, by name. */
export function fieldsOf(json: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : []);
}

/** Everything that the verdict on a run computes, from the plan and from its tools. */
export const computedParts = ({ plan, tools }: PlanParts): readonly unknown[] => [
  plan.constraints,
  ...plan.sheets.map(({ bind }) => bind),
  ...plan.steps.flatMap(({ where, effects, evidence }) => [where, effects, ...evidence.map(({ binds }) => binds)]),
  ...[...tools.values()].flatMap(({ effects, post }) => [effects, post]),
];

/** How actions change states: each effect of a step or of a tool, with the state that it changes. */
const effectsIn = ({ plan, tools }: PlanParts): readonly (readonly [state: string, effect: unknown])[] =>
  [...plan.steps, ...tools.values()].flatMap(({ effects }) => [...fieldsOf(effects)]);

/** Whether an action may change the state. */
export const isChanged = (state: string, parts: PlanParts): boolean =>
  effectsIn(parts).some(([changed]) => changed === state);

/** The states that conditions and rules read, and those by which effects change another state. */
export function statesRead(parts: PlanParts): ReadonlySet<unknown> {
  const read = new Set<unknown>();
  const add = (expr: unknown, changed?: string) =>
    walk(expr, (part) => {
      const [operator, first, second] = Array.isArray(part) ? part : [];
      const state = operator === 'at' ? second : operator === 'state' || operator === 'final' ? first : undefined;
      if (state !== changed) read.add(state);
    });
  add([rulesOf(parts), parts.plan.steps.map((step) => conditionsOf(step, parts))]);
  for (const [changed, effect] of effectsIn(parts)) add(effect, changed);
  return read;
}

/** The tool of a step, if the plan describes it. */
export const ownTool = ({ tool }: StepDocument, { plan }: PlanParts): InlineTool | undefined =>
  plan.tools.find((one): one is InlineTool => !('sha256' in one) && `${one.name}@${one.version}` === tool);

/** Whether the agent alone says what the tool of a step answered. */
export const isReported = ({ tool }: StepDocument, { tools }: PlanParts): boolean =>
  tools.get(tool)?.replay === 'recorded';
