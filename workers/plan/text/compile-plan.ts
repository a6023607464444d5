import { canonicalText } from '../../exact/canonical-json.ts';
import { DocumentError } from '../../exact/document-error.ts';
import type { PlanDocument } from '../../exact/plan-schema.ts';
import type { SheetDocument } from '../../exact/sheet-schema.ts';
import type { ToolDocument } from '../../exact/tool-schema.ts';
import { formatType } from '../language/types.ts';
import { formatValue } from '../language/values.ts';
import type { Constant, Plan } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { readPlan } from '../read/read-plan.ts';
import { formatState, isMap, type StateType } from '../read/read-state.ts';
import { hashToolText } from '../read/read-tool.ts';
import { typesOf } from '../read/tool-parts.ts';
import { createScope, type TextScope, withNames } from './cel/scope.ts';
import { FaultLog, TextError, type TextFault } from './faults/text-fault.ts';
import { Names } from './plan/names.ts';
import { readHeader } from './plan/read-header.ts';
import { readSheetUses } from './plan/read-sheet-uses.ts';
import { asSteps, assertStates, namesOf, readStep, readStepTexts, type StepText } from './plan/read-steps.ts';
import { readTables, type Table } from './plan/read-tables.ts';
import { readGiven, readState, type StateValue, typeOfState } from './plan/read-values.ts';
import type { TableFiles } from './plan/table-files.ts';
import { type KnownTool, toKnownTool } from './tools/known-tool.ts';
import { readRules } from './tools/read-rules.ts';
import { readToolParts, readToolText, type ToolText } from './tools/read-tool-parts.ts';
import { describeType } from './types/describe-type.ts';
import { type Fields, faultyNames, readFields } from './yaml/fields.ts';
import { readYaml } from './yaml/read-yaml.ts';
import { placedIn } from './yaml/reader-fault.ts';
import { asMap, type TextNode } from './yaml/text-node.ts';

export interface PlanContext {
  /** Descriptions of the catalogue. */
  readonly tools: readonly ToolDocument[];
  readonly tables: TableFiles;
  readonly sheets?: readonly SheetDocument[];
}

export type CompiledPlan =
  | {
      readonly plan: PlanDocument;
      /** The plan as the one reader reads it. */
      readonly typed: Plan;
      readonly faults?: undefined;
    }
  | { readonly plan?: undefined; readonly typed?: undefined; readonly faults: readonly TextFault[] };

const PARTS = [
  ...['plan', 'expires', 'executions', 'recorded', 'outcomes', 'reserve', 'approvals', 'supersedes'],
  ...['tables', 'given', 'state', 'tools', 'steps', 'rules', 'runs', 'sheets'],
];

/**
 * Compiles a plan from its text: YAML, with expressions in CEL. The result is the canonical form, which is what is hashed,
 * approved and judged. A text has either a plan or faults, and all faults that can be found at once.
 */
export function compilePlan(text: string, context: PlanContext): CompiledPlan {
  const log = new FaultLog(text);
  const compiled = log.readText(() => compile(text, context, log));
  return compiled === undefined || !log.isEmpty ? { faults: log.faults() } : compiled;
}

function compile(text: string, context: PlanContext, log: FaultLog) {
  const root = readYaml(text, log);
  const { plan, ...parts } = readParts(root, context, log);
  if (!log.isEmpty) return undefined;
  const typed = placedIn(root, plan, () => readPlan(plan, context.sheets?.map(canonicalText), parts));
  return { plan, typed };
}

interface Parts {
  readonly given: ReadonlyMap<string, Constant>;
  readonly factors: Set<string>;
  readonly tables: ReadonlyMap<string, Table>;
  readonly state: ReadonlyMap<string, StateValue>;
  readonly steps: readonly StepText[];
  readonly stepNames: readonly string[];
  readonly faulty: ReadonlySet<string>;
}

function readParts(root: TextNode, context: PlanContext, log: FaultLog) {
  const fields = readFields(root, PARTS, 'a plan', log);
  const names = new Names();
  const header = readHeader(fields, log);
  const inline = readInlineTools(fields.get('tools'), log);
  const tools = knownTools(inline, context.tools, log);
  const given = readGiven(fields.get('given'), log);
  const tables = readTables(fields.get('tables'), context.tables, log);
  takeNames(fields, names, log);
  const stepsNode = asSteps(fields.require('steps', 'steps: { look: { tool: order.get@1, times: 1 } }'));
  const stepNames = stepsNode.kind === 'map' ? stepsNode.entries.map(({ key }) => key.text) : [];
  const steps = readStepTexts(stepsNode, tools, names, log);
  const used = tools.filter((tool) => steps.some((step) => step.tool === tool));
  const state = readState(fields.get('state'), used, log);
  const states = new Set([...state.keys(), ...faultyNames(fields.get('state'), state)]);
  for (const step of steps) {
    assertStates(step, states, (name) => example(step.tool.state.get(name)), log);
  }
  const faulty = new Set([
    ...faultyNames(fields.get('given'), given),
    ...faultyNames(fields.get('tables'), tables),
    ...faultyNames(fields.get('state'), state, 'state.'),
    ...faultyNames(stepsNode, new Map(steps.map((step) => [step.key.text, step]))),
  ]);
  const parts: Parts = { given, factors: new Set(), tables, state, steps, stepNames, faulty };
  const action = actionScope(parts);
  const read = steps.map((step) => readStep(step, { steps, stepNames, names, scope: action }, log));
  const whole = wholeScope(parts);
  const runs = readRules(fields.get('runs'), 'runs', runsScope(parts), log);
  const computed = {
    tools: [
      ...used.flatMap(({ name, version, text }) =>
        text === undefined ? [] : [{ name, version, sha256: hashToolText(text) }],
      ),
      ...inline.map((tool) => ({ ...readToolParts(tool, action, log), effect: 'none' as const })),
    ],
    steps: read,
    constraints: readRules(fields.get('rules'), 'rules', whole, log),
    ...(runs.length === 0 ? {} : { runs }),
    sheets: readSheetUses(
      fields.get('sheets'),
      context.sheets ?? [],
      (step) => sheetScope(step, action, whole, parts),
      log,
    ),
  };
  const computedText = JSON.stringify(computed);
  // What is a factor alone was written out.
  const kept = [...given].filter(
    ([name]) => !parts.factors.has(name) || computedText.includes(JSON.stringify(['var', name])),
  );
  const plan: PlanDocument = {
    plan_format: 2,
    ...header,
    variables: Object.fromEntries(
      kept.map(([name, { type, value }]) => [name, { ...formatType(type), value: formatValue(value, type) }]),
    ),
    tables: Object.fromEntries([...tables].map(([name, table]) => [name, table.document])),
    state: Object.fromEntries([...state].map(([name, each]) => [name, stateDocument(each)])),
    ...computed,
  };
  return {
    plan,
    tools: used.flatMap(({ text }) => text ?? []),
    tables: [...tables.values()].flatMap(({ source }) => source ?? []),
  };
}

/** Names of given values and tables, before those of steps. */
function takeNames(fields: Fields, names: Names, log: FaultLog): void {
  for (const [part, what] of [
    ['given', 'a given value'],
    ['tables', 'a table'],
  ] as const) {
    const node = fields.get(part);
    if (node?.kind !== 'map') continue;
    for (const { key } of node.entries) names.take(key, what, log);
  }
}

/** Tools that the plan describes itself: they can only read. */
function readInlineTools(node: TextNode | undefined, log: FaultLog): readonly ToolText[] {
  if (node === undefined) return [];
  const map = log.attempt(() => asMap(node, 'tools by name and version'));
  return log.each(map?.entries ?? [], ({ key, value }) => {
    const tool = readToolText(key, value, log);
    const { fields } = tool;
    const effect = fields.get('effect');
    if (effect !== undefined && !(effect.kind === 'scalar' && effect.text === 'none')) {
      log.add(
        'WRONG_FORM',
        effect.at,
        'a plan describes only tools that read: a tool that writes comes from the catalogue',
      );
    }
    for (const part of ['state', 'limits'] as const) {
      const extra = fields.get(part);
      if (extra !== undefined)
        log.add('UNKNOWN_PART', extra.at, `${part} belongs to a tool of the catalogue: delete it here`);
    }
    return tool;
  });
}

function knownTools(
  inline: readonly ToolText[],
  catalogue: readonly ToolDocument[],
  log: FaultLog,
): readonly KnownTool[] {
  const listed = catalogue.map((tool) => {
    try {
      return toKnownTool(tool);
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
      const message = `the catalogue describes ${tool.name}@${tool.version} wrongly: its ${error.path} ${error.message}`;
      throw new TextError('UNKNOWN_TOOL', 0, message);
    }
  });
  const own = inline.map((tool): KnownTool => {
    if (listed.some(({ name, version }) => name === tool.name && version === tool.version)) {
      log.add('NAME_TAKEN', tool.key.at, `the catalogue has ${tool.key.text} already: delete this description`);
    }
    const { name, version, args, responds } = tool;
    return { name, version, args, responds: typesOf(responds), state: new Map(), text: undefined };
  });
  return [...own, ...listed];
}

const example = (type: StateType | undefined): string =>
  type !== undefined && isMap(type)
    ? `map(${describeType(type.key)}, ${describeType(type.value)}, default …)`
    : 'its initial value';

const stateDocument = (state: StateValue): object =>
  'key' in state
    ? { ...formatState(state), default: formatValue(state.byDefault, state.value) }
    : { ...formatType(state.type), initial: formatValue(state.value, state.type) };

/** What expressions about one action may use, besides its own arguments and response. */
const actionScope = (parts: Parts): TextScope => createScope({ ...parts, states: typesOfStates(parts) }, 'state');

const wholeScope = (parts: Parts): TextScope => ({
  ...createScope({ ...parts, states: typesOfStates(parts) }, 'final'),
  steps: new Map(parts.steps.map((step) => [step.key.text, namesOf(step)])),
});

/** What rules over the runs of a plan may use. States begin anew in each run. */
function runsScope(parts: Parts): TextScope {
  const { relations, ...scope } = wholeScope({ ...parts, state: new Map() });
  const withoutStates = 'states begin anew in each run, so a rule over the runs reads actions';
  return { ...scope, relations: { ...relations, maps: undefined }, withoutStates };
}

const typesOfStates = ({ state }: Parts) => new Map([...state].map(([name, each]) => [name, typeOfState(each)]));

function sheetScope(name: string | undefined, action: TextScope, whole: TextScope, { steps }: Parts) {
  if (name === undefined) return whole;
  const step = steps.find(({ key }) => key.text === name);
  return step && withNames(action, namesOf(step));
}
