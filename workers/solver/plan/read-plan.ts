import { Compile } from 'typebox/schema';
import { type EvidenceDocument, PlanDocument, type StepDocument } from '../../exact/plan-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import { parseSlack, type Scope } from '../language/parse-expression.ts';
import { parseType, parseTypes } from '../language/types.ts';
import { parseValue } from '../language/values.ts';
import type { Constant, Constraint, EvidenceKind, Plan, Step, Tool } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { readSheetUses } from './read-sheet-uses.ts';
import { assertDistinct, type PlanNames, readFields, readRules, readTool, typesOf } from './read-tool.ts';

const MAX_ACTIONS = 256;

const document = Compile(PlanDocument);

/**
 * Reads a plan that nobody has checked. It means something then: every name is known, every expression has its type,
 * the order of steps has no cycle. Whether its rules can be obeyed at all is for the solver to say.
 * @param sheets texts of the sheets that it uses, in canonical form and in any order
 * @throws {PlanError} @throws {LanguageError} with a JSON pointer to what is wrong
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
  return rules.map((rule, index) => ({ ...rule, slack: parseSlack(constraints[index]?.expr, scope) }));
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
  // As one, for the bound on how many there may be.
  parseTypes(constants, path, [property]);
  return new Map(
    Object.entries(constants).map(([name, json]) => {
      const at = `${path}/${name}`;
      const type = parseType(json, at, [property]);
      const value = (json as Readonly<Record<string, unknown>>)[property];
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
  if (tool === undefined) throw new PlanError('UNKNOWN_TOOL', `${path}/tool`, `${step.tool} is no tool of the plan`);
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

/** Every step that is waited for is known, none waits for itself, and a run of all of them is not too long. */
function assertOrder(steps: readonly Step[]): void {
  const known = new Map(steps.map((step, index) => [step.stepId, { step, path: `/steps/${index}/after` }]));
  for (const { step, path } of known.values()) {
    const unknown = step.after.find((stepId) => !known.has(stepId));
    if (unknown !== undefined) throw new PlanError('UNKNOWN_STEP', path, `${unknown} is no step of the plan`);
  }
  const actions = steps.reduce((sum, { max }) => sum + max, 0);
  if (actions > MAX_ACTIONS) {
    throw new PlanError('TOO_MANY_ACTIONS', '/steps', `a run may have ${actions} actions, more than ${MAX_ACTIONS}`);
  }
  const done = new Set<string>();
  // Each round some step has all that it waits for behind it, or the rest wait for each other.
  while (done.size < known.size) {
    const next = [...known.values()].filter(
      ({ step }) => !done.has(step.stepId) && step.after.every((id) => done.has(id)),
    );
    const [stuck] = [...known.values()].filter(({ step }) => !done.has(step.stepId));
    if (next.length === 0) throw new PlanError('CYCLIC_ORDER', stuck?.path ?? '', 'waits for itself');
    for (const { step } of next) done.add(step.stepId);
  }
}
