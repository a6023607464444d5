import { Compile } from 'typebox/schema';
import { defined } from '../../exact/defined.ts';
import { valueAt } from '../../exact/json-pointer.ts';
import { PlanDocument, type StepDocument } from '../../exact/plan-schema.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import type { Scope } from '../language/site.ts';
import type { Plan, Predecessor, Step, Tool } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { assertOrder, readConstants, readConstraints, readEvidence } from './read-parts.ts';
import { type PlanParts, readPlan2 } from './read-plan-2.ts';
import { readSheetUses } from './read-sheet-uses.ts';
import { assertDistinct, type PlanNames, readRules, readTool, typesOf } from './read-tool.ts';

/** Most actions of a run. */
export const MAX_ACTIONS = 256;

const NO_PARTS: PlanParts = { tools: [], tables: [] };
const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

const document = Compile(PlanDocument);

/**
 * Reads an unchecked plan. Every name of the result is known, every expression has its type, and the order of steps has no
 * cycle. Whether a run can obey the rules is not checked here: the solver decides it.
 * @param sheets texts of the sheets that the plan uses, in canonical form and in any order
 * @param parts what a plan of format 2 refers to by hash
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer to the fault
 */
export function readPlan(json: unknown, sheets: readonly string[] = [], parts: PlanParts = NO_PARTS): Plan {
  if (valueAt(json, '/plan_format') === 2) return readPlan2(json, sheets, parts);
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
  const read = json.steps.map((step, index) => readStep(step, { names, tools }, `/steps/${index}`));
  const steps = read.map((step, index) => ({ ...step, after: predecessorsIn(json, index) }));
  assertOrder(steps, MAX_ACTIONS);
  return {
    format: 1,
    title: json.title,
    expiresAt: json.expires_at,
    maxExecutions: json.max_executions,
    maxRecorded: json.max_recorded,
    supersedes: json.supersedes ?? undefined,
    approvals: 1,
    variables,
    state,
    maps: NOTHING,
    tables: NOTHING,
    tools,
    steps,
    constraints: readConstraints(json.constraints, planScope(names, steps)),
    sheets: readSheetUses(json.sheets, sheets, (stepId) =>
      stepId === undefined ? planScope(names, steps) : actionScope(names, steps, stepId),
    ),
  };
}

function shapeError(json: unknown): PlanError {
  const { path, message } = shapeFault(document.Errors(json)[1]);
  return new PlanError('MALFORMED_PLAN', path, message);
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
    after: [],
    effects: NOTHING,
    mapEffects: NOTHING,
    min: step.min,
    max: step.max,
    evidence: step.evidence.map((kind, index) =>
      readEvidence(kind, { scope: { names: { var: names.var } }, tool }, `${path}/evidence/${index}`),
    ),
  };
}

/** A step must have max(1, min) actions before the first action of a step that waits for it. */
function predecessorsIn({ steps }: PlanDocument, index: number): readonly Predecessor[] {
  return defined(steps[index]).after.map((stepId) => {
    const min = steps.find(({ step_id }) => step_id === stepId)?.min;
    return { stepId, atLeast: Math.max(1, min ?? 0) };
  });
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
