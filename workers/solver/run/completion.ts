import { defined } from '../../exact/defined.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import { expand } from '../language/expand.ts';
import { literal, type Term } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { append } from './append.ts';
import { constraintRules } from './constraints.ts';
import { BOOL, RunBuilder, type RunModel, type RunSlot, type StateAfter } from './run-builder.ts';
import { countOf } from './run-model.ts';
import { withoutUnasked } from './without-unasked.ts';

const COUNT: ValueType = { type: 'int', min: 0n, max: 512n };
const ZERO = literal(0n);
const ONE = literal(1n);

/** A step, and how often it was done and can be done. */
interface Remaining {
  readonly step: Step;
  readonly done: number;
  /** How often it may still be done. */
  readonly left: number;
  /** How often it must still be done before a step that waits for it. */
  readonly missing: number;
}

/**
 * The problem whether a run that begins with these actions can be completed: whether further actions exist, in some order,
 * that the plan allows one after the other, so that every step is done often enough and the plan's rules hold at the end.
 *
 * Each further action has a place. Facts: each place is taken by at most one step, and after an empty place there are only
 * empty ones. Rules: `/completion/pay/where/order`, `/completion/pay/after/look`, `/completion/pay/state/refundable`,
 * `/completion/pay/min`, `/completion/pay/max`, and those of the plan.
 * @param mostPlaces most further actions; a run that is possible with fewer places is possible
 * @throws {DocumentError} TOO_MANY_NODES
 */
export function completionProblem(
  plan: Plan,
  actions: readonly Action[],
  mostPlaces = Number.POSITIVE_INFINITY,
): Problem {
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  const remaining = plan.steps.map((step): Remaining => {
    const done = countOf(actions, step);
    return { step, done, left: Math.max(0, step.max - done), missing: Math.max(0, neededOf(step) - done) };
  });
  const conditions = new Map<string, Term[]>();
  const counts = new Map<string, Term>(remaining.map(({ step, done }) => [step.stepId, literal(BigInt(done))]));
  const places = Math.min(mostPlaces, placesOf(remaining));
  let isTakenBefore: Term = literal(true);
  for (let place = 0; place < places; place++) {
    const path = `/completion/${place}`;
    const slots = addPlace(builder, { path, steps: remaining.filter((one) => canStandAt(place, one, remaining)) });
    const ruled = { counts, remaining, conditions };
    for (const slot of slots) rule(builder, { slot, ...ruled });
    const isTaken: Term = { op: 'or', args: slots.map(({ present }) => present) };
    const isInOrder: Term = { op: 'or', args: [{ op: 'not', arg: isTaken }, isTakenBefore] };
    builder.facts.push({ id: `${path}/order`, term: isInOrder });
    builder.facts.push({ id: `${path}/one`, term: { op: '<=', left: sum(slots), right: ONE } });
    builder.spend(5 * slots.length);
    const states = builder.advance(path, slots);
    for (const slot of slots) for (const state of states) ruleState(builder, { slot, state, conditions });
    countPlace(builder, { path, slots, counts, plan });
    isTakenBefore = isTaken;
  }
  builder.endState('/final');
  const completion = [...conditions].map(([id, args]): Formula => ({ id, term: { op: 'and', args } }));
  const { variables, values, facts } = builder;
  const rules = [...constraintRules(plan, builder), ...completion, ...countRules(builder, remaining)];
  return withoutUnasked({ question: 'possible', variables, values, facts, rules });
}

const placesOf = (remaining: readonly Remaining[]) => remaining.reduce((sum, { left }) => sum + left, 0);

const neededOf = ({ min }: Step): number => Math.max(1, min);

/** Whether enough places come before a place for every action that a step must wait for. */
function canStandAt(place: number, { step, left }: Remaining, all: readonly Remaining[]): boolean {
  const waitedFor = new Set<Remaining>();
  const pending = step.after.map(({ stepId }) => stepId);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const one = all.find((other) => other.step.stepId === next);
    // A step that was done often enough is not waited for, nor are the steps that it waited for.
    if (one === undefined || one.missing === 0 || waitedFor.has(one)) continue;
    waitedFor.add(one);
    pending.push(...one.step.after.map(({ stepId }) => stepId));
  }
  return left > 0 && [...waitedFor].reduce((sum, { missing }) => sum + missing, 0) <= place;
}

const waitsFor = ({ after }: Step, wanted: string): boolean => after.some(({ stepId }) => stepId === wanted);

function addPlace(
  builder: RunBuilder,
  { path, steps }: { readonly path: string; readonly steps: readonly Remaining[] },
): readonly RunSlot[] {
  return steps.map(({ step: one }) => {
    const present = builder.variable(`${path}/present/${one.stepId}`, BOOL);
    return builder.addSlot(one, { path: `${path}/${one.stepId}`, present });
  });
}

interface Ruled {
  readonly slot: RunSlot;
  /** How often each step was done before the place. */
  readonly counts: ReadonlyMap<string, Term>;
  readonly remaining: readonly Remaining[];
  /** Id of a rule → its condition for each place. */
  readonly conditions: Map<string, Term[]>;
}

function rule(builder: RunBuilder, { slot, counts, remaining, conditions }: Ruled): void {
  const { plannedStep, names } = slot;
  for (const { id, expression } of plannedStep.where) {
    const term = expand(expression, { names }, builder.spend);
    ruleWhenPresent(builder, { slot, conditions }, `where/${id}`, term);
  }
  for (const { step, missing } of remaining) {
    if (missing === 0 || !waitsFor(plannedStep, step.stepId)) continue;
    const isReached = atLeast(defined(counts.get(step.stepId)), neededOf(step));
    ruleWhenPresent(builder, { slot, conditions }, `after/${step.stepId}`, isReached);
  }
}

function ruleState(
  builder: RunBuilder,
  { slot, state, conditions }: Pick<Ruled, 'slot' | 'conditions'> & { readonly state: StateAfter },
): void {
  if (state.within === undefined || !slot.plannedStep.tool.effects.has(state.name)) return;
  ruleWhenPresent(builder, { slot, conditions }, `state/${state.name}`, state.within);
}

function ruleWhenPresent(
  builder: RunBuilder,
  { slot, conditions }: Pick<Ruled, 'slot' | 'conditions'>,
  rule: string,
  term: Term,
): void {
  builder.spend(4);
  const id = `/completion/${slot.step}/${rule}`;
  const whenPresent: Term = { op: 'or', args: [{ op: 'not', arg: slot.present }, term] };
  append(conditions, id, whenPresent);
}

interface Counted {
  readonly path: string;
  readonly slots: readonly RunSlot[];
  readonly counts: Map<string, Term>;
  readonly plan: Plan;
}

/** Counts are variables. Sums over all places before each place would grow with the square of the places. */
function countPlace(builder: RunBuilder, { path, slots, counts, plan }: Counted): void {
  for (const slot of slots) {
    if (!plan.steps.some((step) => waitsFor(step, slot.step))) continue;
    builder.spend(6);
    const count: Term = { op: '+', args: [defined(counts.get(slot.step)), sum([slot])] };
    counts.set(slot.step, builder.define(`${path}/count/${slot.step}`, COUNT, count));
  }
}

function countRules(model: RunModel, remaining: readonly Remaining[]): readonly Formula[] {
  return remaining.flatMap(({ step, done, left }) => {
    const slots = model.slots.filter(({ index, plannedStep }) => index === undefined && plannedStep === step);
    model.spend(8 * slots.length);
    const min: Formula = { id: `/completion/${step.stepId}/min`, term: atLeast(sum(slots), step.min - done) };
    const max: Formula = {
      id: `/completion/${step.stepId}/max`,
      term: { op: '<=', left: sum(slots), right: literal(BigInt(left)) },
    };
    return [...(done < step.min ? [min] : []), ...(left < slots.length ? [max] : [])];
  });
}

function sum(slots: readonly RunSlot[]): Term {
  return {
    op: '+',
    args: slots.map(({ present }) => ({ op: 'ite', condition: present, whenTrue: ONE, whenFalse: ZERO })),
  };
}

function atLeast(count: Term, least: number): Term {
  return { op: '<=', left: literal(BigInt(least)), right: count };
}
