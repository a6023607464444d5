import { Compile } from 'typebox/schema';
import { defined } from '../../exact/defined.ts';
import { type EvidenceDocument, PlanDocument, type StepDocument } from '../../exact/plan-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import { parseSlack, type Scope } from '../language/parse-expression.ts';
import { fieldsOf, parseType, parseTypes } from '../language/types.ts';
import { parseValue } from '../language/values.ts';
import type { Constant, Constraint, EvidenceKind, Plan, Step, Tool } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { readSheetUses } from './read-sheet-uses.ts';
import { assertDistinct, type PlanNames, readFields, readRules, readTool, typesOf } from './read-tool.ts';

/** Most actions of a run. */
export const MAX_ACTIONS = 256;

const document = Compile(PlanDocument);

/**
 * Reads an unchecked plan. Every name of the result is known, every expression has its type, and the order of steps has no
 * cycle. Whether a run can obey the rules is not checked here: the solver decides it.
 * @param sheets texts of the sheets that the plan uses, in canonical form and in any order
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer to the fault
 */
export function readPlan(json: unknown, sheets: readonly string[] = []): Plan {
  if (!document.Check(json)) throw shapeError(json);
  const variables = readConstants(json.variables, 'value', '/variables');
  const state = readConstants(json.state, 'initial', '/state');
  const names: PlanNames = { var: typesOf(variables), state: typesOf(state) };
  assertDistinct(json.tools, ({ name, version }) => `${name}@${version}`, '/tools');
  const tools = new Map(
    json.tools.map((tool, index) => {
      const read = readTool(tool, names, `/tools/${index}`);
      return [read.ref, read] as const;
    }),
  );
  assertDistinct(json.steps, ({ step_id }) => step_id, '/steps');
  const steps = json.steps.map((step, index) => readStep(step, { names, tools }, `/steps/${index}`));
  assertOrder(steps);
  return {
    title: json.title,
    expiresAt: json.expires_at,
    maxExecutions: json.max_executions,
    maxRecorded: json.max_recorded,
    supersedes: json.supersedes ?? undefined,
    variables,
    state,
    tools,
    steps,
    constraints: readConstraints(json, planScope(names, steps)),
    sheets: readSheetUses(json.sheets, sheets, (stepId) =>
      stepId === undefined ? planScope(names, steps) : actionScope(names, steps, stepId),
    ),
  };
}

function readConstraints({ constraints }: PlanDocument, scope: Scope): readonly Constraint[] {
  const rules = readRules(constraints, scope, '/constraints');
  return constraints.map(({ expr }, index) => ({ ...defined(rules[index]), slack: parseSlack(expr, scope) }));
}

function shapeError(json: unknown): PlanError {
  const { path, message } = shapeFault(document.Errors(json)[1]);
  return new PlanError('MALFORMED_PLAN', path, message);
}

function readConstants(
  constants: Readonly<Record<string, unknown>>,
  property: 'value' | 'initial',
  path: string,
): ReadonlyMap<string, Constant> {
  // All at once first: parseTypes also limits how many there are.
  parseTypes(constants, path, [property]);
  return new Map(
    Object.entries(constants).map(([name, json]) => {
      const at = `${path}/${name}`;
      const type = parseType(json, at, [property]);
      const value = fieldsOf(json, at).get(property);
      return [name, { type, value: parseValue(value, type, `${at}/${property}`) }];
    }),
  );
}

interface Known {
  readonly names: PlanNames;
  readonly tools: ReadonlyMap<string, Tool>;
}

function readStep(step: StepDocument, { names, tools }: Known, path: string): Step {
  const tool = tools.get(step.tool);
  if (tool === undefined) throw new PlanError('UNKNOWN_TOOL', `${path}/tool`, `${step.tool} is not a tool of the plan`);
  if (step.min > step.max) throw new PlanError('IMPOSSIBLE_COUNT', path, 'min is above max');
  assertDistinct(step.evidence, ({ kind }) => kind, `${path}/evidence`);
  return {
    stepId: step.step_id,
    tool,
    where: readRules(step.where, { names: { ...names, arg: tool.args } }, `${path}/where`),
    after: step.after,
    min: step.min,
    max: step.max,
    evidence: step.evidence.map((kind, index) => readEvidence(kind, { names, tool }, `${path}/evidence/${index}`)),
  };
}

function readEvidence(
  evidence: EvidenceDocument,
  { names, tool }: { readonly names: PlanNames; readonly tool: Tool },
  path: string,
): EvidenceKind {
  if (evidence.min > evidence.max) throw new PlanError('IMPOSSIBLE_COUNT', path, 'min is above max');
  const reads = readFields(evidence.reads, `${path}/reads`);
  const scope = { names: { var: names.var, arg: tool.args, resp: typesOf(tool.responds), ev: typesOf(reads) } };
  return {
    kind: evidence.kind,
    mediaTypes: evidence.media_types,
    maxBytes: evidence.max_bytes,
    min: evidence.min,
    max: evidence.max,
    reads,
    binds: readRules(evidence.binds, scope, `${path}/binds`),
  };
}

function planScope(names: PlanNames, steps: readonly Step[]): Scope {
  return {
    names: { var: names.var, final: names.state },
    steps: new Map(steps.map(({ stepId, tool }) => [stepId, { arg: tool.args, resp: typesOf(tool.responds) }])),
  };
}

function actionScope(names: PlanNames, steps: readonly Step[], wanted: string): Scope | undefined {
  const tool = steps.find(({ stepId }) => stepId === wanted)?.tool;
  return tool && { names: { ...names, arg: tool.args, resp: typesOf(tool.responds) } };
}

/**
 * Checks that every step in an `after` exists, that no step waits for itself, and that the longest run is not too long.
 * @throws {PlanError}
 */
function assertOrder(steps: readonly Step[]): void {
  const known = new Map(steps.map((step, index) => [step.stepId, { step, path: `/steps/${index}/after` }]));
  for (const { step, path } of known.values()) {
    const unknown = step.after.find((stepId) => !known.has(stepId));
    if (unknown !== undefined) throw new PlanError('UNKNOWN_STEP', path, `${unknown} is not a step of the plan`);
  }
  const actions = steps.reduce((sum, { max }) => sum + max, 0);
  if (actions > MAX_ACTIONS) {
    throw new PlanError('TOO_MANY_ACTIONS', '/steps', `a run may have ${actions} actions, more than ${MAX_ACTIONS}`);
  }
  const done = new Set<string>();
  let waiting = [...known.values()];
  for (let [first] = waiting; first !== undefined; [first] = waiting) {
    // In each round, some step waits for no other one, or the remaining steps wait for each other.
    const ready = waiting.filter(({ step }) => step.after.every((stepId) => done.has(stepId)));
    if (ready.length === 0) throw new PlanError('CYCLIC_ORDER', first.path, 'waits for itself');
    for (const { step } of ready) done.add(step.stepId);
    waiting = waiting.filter(({ step }) => !done.has(step.stepId));
  }
}
