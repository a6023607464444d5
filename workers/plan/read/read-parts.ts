import { defined } from '../../exact/defined.ts';
import {
  type EvidenceDocument,
  MAX_RUN_ACTIONS,
  type PlanDocument,
  type RuleDocument,
} from '../../exact/plan-schema.ts';
import { stepsIn } from '../expressions.ts';
import { parseSlack } from '../language/parse-expression.ts';
import type { Scope } from '../language/site.ts';
import { fieldsOf, parseType, parseTypes, TIMED_TYPES } from '../language/types.ts';
import { parseValue } from '../language/values.ts';
import type { Constant, Constraint, EvidenceKind, Step, Tool } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { readFields, readRules, typesOf } from './tool-parts.ts';

/** Reads constants of a plan, or states with initial values. */
export function readConstants(
  constants: Readonly<Record<string, unknown>>,
  property: 'value' | 'initial',
  path: string,
): ReadonlyMap<string, Constant> {
  // All at once first: parseTypes also limits how many there are.
  parseTypes(constants, path, [property], TIMED_TYPES);
  return new Map(
    Object.entries(constants).map(([name, json]) => {
      const at = `${path}/${name}`;
      const type = parseType(json, at, [property], TIMED_TYPES);
      const value = fieldsOf(json, at).get(property);
      return [name, { type, value: parseValue(value, type, `${at}/${property}`) }];
    }),
  );
}

/** Reads the rules about whole runs. */
export function readConstraints(
  constraints: readonly RuleDocument[],
  scope: Scope,
  path: string,
): readonly Constraint[] {
  const rules = readRules(constraints, scope, path);
  return constraints.map(({ expr }, index) => ({ ...defined(rules[index]), slack: parseSlack(expr, scope) }));
}

/** Most actions, in all runs of a plan, of the steps that its rules over the runs name. */
const MAX_ACTIONS_OF_RUNS = 10_000;

/** Reads the rules over the runs of a plan. @throws {PlanError} DUPLICATE_ID, TOO_MANY_ACTIONS */
export function readRunRules(
  { constraints, runs = [], max_executions: executions }: PlanDocument,
  scope: Scope,
  steps: readonly Step[],
): readonly Constraint[] {
  // Preflight names how much is left of each rule by its id.
  const taken = new Set(constraints.map(({ id }) => id));
  const twice = runs.findIndex(({ id }) => taken.has(id));
  if (twice !== -1)
    throw new PlanError('DUPLICATE_ID', `/runs/${twice}`, `${defined(runs[twice]).id} is a rule of each run as well`);
  const rules = readConstraints(runs, scope, '/runs');
  const named = stepsIn(rules.map(({ expression }) => expression));
  const each = steps.reduce((sum, { stepId, max }) => sum + (named.has(stepId) ? max : 0), 0);
  if (each * executions <= MAX_ACTIONS_OF_RUNS) return rules;
  const message = `the rules over the runs name steps with ${each} actions in each of ${executions} runs, and at most ${MAX_ACTIONS_OF_RUNS} together are allowed: allow fewer`;
  throw new PlanError('TOO_MANY_ACTIONS', '/runs', message);
}

/** @param scope what conditions refer to besides the arguments, the response and the evidence itself */
export function readEvidence(
  evidence: EvidenceDocument,
  { scope, tool }: { readonly scope: Scope; readonly tool: Tool },
  path: string,
): EvidenceKind {
  if (evidence.min > evidence.max) throw new PlanError('IMPOSSIBLE_COUNT', path, 'min is above max');
  const reads = readFields(evidence.reads, `${path}/reads`);
  const names = { ...scope.names, arg: tool.args, resp: typesOf(tool.responds), ev: typesOf(reads) };
  return {
    kind: evidence.kind,
    mediaTypes: evidence.media_types,
    maxBytes: evidence.max_bytes,
    min: evidence.min,
    max: evidence.max,
    reads,
    binds: readRules(evidence.binds, { ...scope, names }, `${path}/binds`),
  };
}

/**
 * Checks that every step in an `after` or in `overlaps` exists, that no step waits for itself, and that the longest run is
 * not too long.
 * @throws {PlanError}
 */
export function assertOrder(steps: readonly Step[]): void {
  const known = new Map(steps.map((step, index) => [step.stepId, { step, path: `/steps/${index}/after` }]));
  for (const { step, path } of known.values()) {
    const unknown = step.after.find(({ stepId }) => !known.has(stepId));
    if (unknown !== undefined) throw new PlanError('UNKNOWN_STEP', path, `${unknown.stepId} is not a step of the plan`);
    const stranger = [...step.overlaps].find((stepId) => !known.has(stepId));
    if (stranger !== undefined) {
      throw new PlanError('UNKNOWN_STEP', path.replace('/after', '/overlaps'), `${stranger} is not a step of the plan`);
    }
  }
  const actions = steps.reduce((sum, { max }) => sum + max, 0);
  if (actions > MAX_RUN_ACTIONS) {
    throw new PlanError(
      'TOO_MANY_ACTIONS',
      '/steps',
      `the steps allow ${actions} actions, and a run has at most ${MAX_RUN_ACTIONS}: allow fewer`,
    );
  }
  const done = new Set<string>();
  let waiting = [...known.values()];
  for (let [first] = waiting; first !== undefined; [first] = waiting) {
    // In each round, some step waits for no other one, or the remaining steps wait for each other.
    const ready = waiting.filter(({ step }) => step.after.every(({ stepId }) => done.has(stepId)));
    if (ready.length === 0) {
      const circle = circleFrom(
        first.step,
        waiting.map(({ step }) => step),
      );
      const message = `these steps wait for each other: ${circle.join(' after ')}`;
      throw new PlanError('CYCLIC_ORDER', defined(known.get(defined(circle[0]))).path, message);
    }
    for (const { step } of ready) done.add(step.stepId);
    waiting = waiting.filter(({ step }) => !done.has(step.stepId));
  }
}

/** A step outside the circle may wait for it as well. Following the order leads into the circle. */
function circleFrom(first: Step, waiting: readonly Step[]): readonly string[] {
  const path: string[] = [];
  let next = first;
  while (!path.includes(next.stepId)) {
    path.push(next.stepId);
    const { after } = next;
    next = defined(waiting.find((step) => after.some(({ stepId }) => stepId === step.stepId)));
  }
  return [...path.slice(path.indexOf(next.stepId)), next.stepId];
}
