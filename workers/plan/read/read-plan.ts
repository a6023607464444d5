/*
 * The reader. Canonical JSON becomes one typed `Plan`, which the view, lint, bounds, the search and the judge all use. It works
 * in the order of what names need: constants, state, tables, then tools, steps, rules, and sheets. Each part says which names
 * its expressions may have (`Scope`), and `language/parse-*` gives every expression its type.
 *
 * Example: `sum(pay, p, p.amount) <= cap`, where amounts have a scale of 2 and `cap` is 100.00. In canonical JSON it is
 *
 *   ["<=", ["sum", "pay", "p", ["arg", "p", "amount"]], ["var", "cap"]]
 *
 * `whole`, the scope of rules about a run, knows the step `pay` and the constant `cap`. The reader finds that both sides are
 * numbers, brings them to the same scale, and writes
 *
 *   { op: '<=', left: { op: 'total', binder: 'p', range: { kind: 'step', name: 'pay' },
 *                       body: { op: 'part', binder: 'p', part: 'arg', name: 'amount', type: … } },
 *     right: { op: 'reference', scope: 'var', name: 'cap' } }
 *
 * The value of `cap` is then 10000n: numbers are integers at the scale of their type, so nothing is ever rounded. If a side were a
 * text, or `cap` were not declared, the reader would throw with the JSON pointer `/constraints/0/expr/2/1`.
 */
import type { PlanDocument, StepDocument } from '../../exact/plan-schema.ts';
import { readPlanShape } from '../../exact/plan-shape.ts';
import { createRoom, type RelationScope, type Scope } from '../language/site.ts';
import type { ValueType } from '../language/types.ts';
import type { Plan, Step, Table, Tool } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { assertOrder, readConstants, readConstraints, readEvidence, readRunRules } from './read-parts.ts';
import { readSheetUses } from './read-sheet-uses.ts';
import { readState } from './read-state.ts';
import { readTable, type TableText } from './read-table.ts';
import { findCatalogueTool, hashToolText, readEffects, readTool, type ToolScope } from './read-tool.ts';
import { assertDistinct, readRules, typesOf } from './tool-parts.ts';

/** What a plan refers to by hash. */
export interface PlanParts {
  /** Canonical texts of descriptions of the catalogue. */
  readonly tools: readonly string[];
  readonly tables: readonly TableText[];
}

/** The scopes of a plan's expressions. */
interface Scopes {
  /** Conditions and effects of actions, besides the names of the action itself. */
  readonly action: ToolScope;
  readonly evidence: Scope;
  readonly vars: ReadonlyMap<string, ValueType>;
}

const NO_PARTS: PlanParts = { tools: [], tables: [] };

/**
 * Reads an unchecked plan. Every name of the result is known, every expression has its type, and the order of steps has no
 * cycle. Whether a run can obey the rules is not checked here: the solver decides it.
 * @param sheets texts of the sheets that the plan uses, in canonical form and in any order
 * @param parts what a plan refers to by hash
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer to the fault
 */
export function readPlan(document: unknown, sheets: readonly string[] = [], parts: PlanParts = NO_PARTS): Plan {
  const { plan: json, fault } = readPlanShape(document);
  if (fault !== undefined) throw new PlanError('MALFORMED_PLAN', fault.path, fault.message);
  const variables = readConstants(json.variables, 'value', '/variables');
  const { state, maps } = readState(json.state, '/state');
  const tables = readTables(json, parts);
  const [vars, states] = [typesOf(variables), typesOf(state)];
  const none = { maps: undefined, hasOwnTimes: false, hasRunFacts: false };
  const relations: RelationScope = { tables, room: createRoom(), ...none };
  const ofAction: RelationScope = {
    ...relations,
    maps: { at: 'state', types: maps },
    hasOwnTimes: true,
    hasRunFacts: true,
  };
  const scopes: Scopes = {
    action: { names: { var: vars, state: states }, states, maps, relations: ofAction },
    evidence: { names: { var: vars }, relations: { ...relations, hasOwnTimes: true } },
    vars,
  };
  const tools = readTools(json, parts.tools, scopes.action);
  const steps = readSteps(json, tools, scopes);
  const whole: Scope = {
    names: { var: vars, final: states },
    relations: { ...relations, maps: { at: 'final', types: maps }, hasRunFacts: true },
    steps: new Map(steps.map(({ stepId, tool }) => [stepId, { arg: tool.args, resp: typesOf(tool.responds) }])),
  };
  const scopeOfActions = (wanted: string): Scope | undefined => {
    const tool = steps.find(({ stepId }) => stepId === wanted)?.tool;
    return tool && withAction(scopes.action, tool);
  };
  return {
    title: json.title,
    expiresAt: json.expires_at,
    maxExecutions: json.max_executions,
    maxRecorded: json.max_recorded,
    mustBeDone: json.outcomes === 'done',
    supersedes: json.supersedes ?? undefined,
    approvals: json.approvals,
    variables,
    state,
    maps,
    tables,
    tools,
    steps,
    constraints: readConstraints(json.constraints, whole, '/constraints'),
    runs: readRunRules(json, { ...whole, names: { var: vars }, relations: { ...relations, hasRunFacts: true } }, steps),
    sheets: readSheetUses(json.sheets, sheets, (stepId) => (stepId === undefined ? whole : scopeOfActions(stepId))),
  };
}

const withAction = (scope: ToolScope, tool: Tool): ToolScope => ({
  ...scope,
  names: { ...scope.names, arg: tool.args, resp: typesOf(tool.responds) },
});

function readTables({ tables, steps }: PlanDocument, parts: PlanParts): ReadonlyMap<string, Table> {
  return new Map(
    Object.entries(tables).map(([name, table]) => {
      const path = `/tables/${name}`;
      const isTaken = steps.some(({ step_id }) => step_id === name);
      if (isTaken) throw new PlanError('DUPLICATE_ID', path, `${name} is the name of a step as well`);
      return [name, readTable(table, parts.tables, path)];
    }),
  );
}

function readTools({ tools }: PlanDocument, texts: readonly string[], scope: ToolScope): ReadonlyMap<string, Tool> {
  assertDistinct(tools, ({ name, version }) => `${name}@${version}`, '/tools');
  const byHash = new Map(texts.map((text) => [hashToolText(text), text]));
  return new Map(
    tools.map((tool, index) => {
      const path = `/tools/${index}`;
      const plan = { states: scope.states, maps: scope.maps };
      const read = 'sha256' in tool ? findCatalogueTool(tool, byHash, { plan, path }) : readTool(tool, scope, path);
      return [read.ref, read];
    }),
  );
}

function readSteps(json: PlanDocument, tools: ReadonlyMap<string, Tool>, scopes: Scopes): readonly Step[] {
  assertDistinct(json.steps, ({ step_id }) => step_id, '/steps');
  const steps = json.steps.map((step, index) => readStep(step, { tools, scopes }, `/steps/${index}`));
  assertOrder(steps);
  assertGhosts(steps, tools);
  return steps;
}

function readStep(
  step: StepDocument,
  { tools, scopes }: { readonly tools: ReadonlyMap<string, Tool>; readonly scopes: Scopes },
  path: string,
): Step {
  const tool = tools.get(step.tool);
  if (tool === undefined) throw new PlanError('UNKNOWN_TOOL', `${path}/tool`, `${step.tool} is not a tool of the plan`);
  if (step.min > step.max) throw new PlanError('IMPOSSIBLE_COUNT', path, 'min is above max');
  assertDistinct(step.evidence, ({ kind }) => kind, `${path}/evidence`);
  assertDistinct(step.after, (before) => before.step, `${path}/after`);
  const { action, evidence } = scopes;
  return {
    stepId: step.step_id,
    tool,
    where: readRules(step.where, { ...action, names: { ...action.names, arg: tool.args } }, `${path}/where`),
    after: step.after.map(({ step: stepId, at_least: atLeast }) => ({ stepId, atLeast })),
    overlaps: new Set(step.overlaps ?? []),
    ...readEffects(step.effects, withAction(action, tool), `${path}/effects`),
    min: step.min,
    max: step.max,
    evidence: step.evidence.map((kind, index) =>
      readEvidence(kind, { scope: evidence, tool }, `${path}/evidence/${index}`),
    ),
  };
}

/** Effects of steps are for states that only they change and no tool observes. Otherwise a replay would not notice them. */
function assertGhosts(steps: readonly Step[], tools: ReadonlyMap<string, Tool>): void {
  for (const [index, { effects, mapEffects, tool }] of steps.entries()) {
    for (const name of [...effects.keys(), ...mapEffects.keys()]) {
      const path = `/steps/${index}/effects/${name}`;
      if (tool.effects.has(name) || tool.mapEffects.has(name)) {
        throw new PlanError('WRONG_REPLAY', path, `${tool.ref} changes ${name} itself: remove this effect`);
      }
      const observer = [...tools.values()].find(({ observe }) => observe.has(name));
      if (observer === undefined) continue;
      const message = `${observer.ref} observes ${name}, so only tools may change it: use another state`;
      throw new PlanError('WRONG_REPLAY', path, message);
    }
  }
}
