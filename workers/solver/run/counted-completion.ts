import type { Formula, Problem } from '../decide/problem.ts';
import { expand } from '../language/expand.ts';
import { type Expression, literal, type Reference, type Term } from '../language/terms.ts';
import { walkExpressions } from '../language/walk.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { type Additions, addendsOf, additionsOf, argumentsOf } from './additive-effects.ts';
import { append } from './append.ts';
import { constraintRules } from './constraints.ts';
import { referencesIn } from './references.ts';
import { type Row, rowsOf } from './rows.ts';
import { RunBuilder, type RunSlot } from './run-builder.ts';
import { countOf } from './run-model.ts';
import { withoutUnasked } from './without-unasked.ts';

/**
 * The same question as `completionProblem`, for plans in which it is enough to count further actions by their row: the
 * values of the arguments that rules depend on. Undefined for other plans.
 *
 * Counting is enough under two conditions. The order of further actions does not matter: tools only add to states, each
 * state changes in one direction only, and no condition is about a changed state. And each further action has one of a few
 * rows, which fix every argument that the rules depend on. Then any numbers of actions, sorted by `after`, make a run.
 * Arguments outside the row can be the same for all actions of a row, because no rule compares them. So the problem has one
 * number for each row instead of a place for each action, and its size does not grow with the number of actions.
 * @throws {DocumentError} TOO_MANY_NODES
 */
export function countedCompletionProblem(plan: Plan, actions: readonly Action[]): Problem | undefined {
  const asked = askedOfActions(plan);
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  const remaining: Remaining[] = [];
  for (const step of plan.steps) {
    const done = countOf(actions, step);
    const left = Math.max(0, step.max - done);
    const counted = left === 0 ? { rows: [], addends: new Map() } : rowsToCount(step, asked, plan);
    if (counted === undefined) return undefined;
    const slots = counted.rows.map((row, index) => {
      const path = `/completion/${step.stepId}/${index}`;
      const additions = additionsOf(counted.addends, row, plan);
      return { ...addRow(builder, { step, row, left, path }), additions };
    });
    remaining.push({ step, done, left, slots });
  }
  const states = endStates(plan, builder, remaining);
  if (states === undefined) return undefined;
  const rules = [...constraintRules(plan, builder), ...rulesOfSteps(builder, remaining), ...states];
  const { variables, values, facts } = builder;
  return withoutUnasked({ question: 'possible', variables, values, facts, rules });
}

interface Remaining {
  readonly step: Step;
  readonly done: number;
  /** How often it may still be done. */
  readonly left: number;
  readonly slots: readonly CountedSlot[];
}

/** A slot for several like actions. */
interface CountedSlot extends RunSlot {
  readonly additions: Additions;
}

/**
 * Adds the changes to the states, and returns the rules that the final states are within their types. States in between
 * are then within their types too, because each changes in one direction. Undefined if a state may change in both
 * directions, or a condition is about a changed state.
 */
function endStates(plan: Plan, builder: RunBuilder, remaining: readonly Remaining[]): readonly Formula[] | undefined {
  const slots = remaining.flatMap((one) => one.slots);
  const changed = new Set(slots.flatMap(({ additions }) => [...additions.keys()]));
  const isAsked = ({ scope, name }: Reference) => scope === 'state' && changed.has(name);
  const dependsOnChange = ({ step, left }: Remaining) =>
    left > 0 && conditionsOf(step, plan).some((one) => referencesIn(one).some(isAsked));
  if (remaining.some(dependsOnChange)) return undefined;
  const formulas: Formula[] = [];
  for (const name of changed) {
    // An action that does not change the state adds 0.
    const added = slots.map(({ times, additions }) => ({ times, by: additions.get(name) ?? 0n }));
    if (added.some(({ by }) => by > 0n) && added.some(({ by }) => by < 0n)) return undefined;
    const within = builder.add(
      name,
      added.flatMap(({ times, by }) =>
        times === undefined || by === 0n ? [] : [{ op: '*', arg: times, by } as const],
      ),
    );
    if (within !== undefined) formulas.push({ id: `/completion/final/state/${name}`, term: within });
  }
  return formulas;
}

/** The conditions of each action of a step. */
function conditionsOf({ stepId, where }: Step, { sheets }: Plan): readonly Expression[] {
  const ofSheets = sheets.filter((use) => use.stepId === stepId).flatMap(({ bind }) => [...bind.values()]);
  return [...where.map(({ expression }) => expression), ...ofSheets];
}

/** Step → the names of its actions that rules about the whole run refer to. */
type Asked = ReadonlyMap<string, readonly Reference[]>;

function askedOfActions({ constraints, sheets }: Plan): Asked {
  const asked = new Map<string, Reference[]>();
  const ofRun = sheets.filter(({ stepId }) => stepId === undefined).flatMap(({ bind }) => [...bind.values()]);
  for (const expression of [...constraints.map((constraint) => constraint.expression), ...ofRun]) {
    walkExpressions([expression], (node) => {
      if (node.op !== 'sum' && node.op !== 'count' && node.op !== 'forall' && node.op !== 'exists') return;
      for (const reference of referencesIn(node.body)) append(asked, node.step, reference);
    });
  }
  return asked;
}

interface CountedRows {
  readonly rows: readonly Row[];
  readonly addends: ReadonlyMap<string, Expression>;
}

function rowsToCount(step: Step, asked: Asked, plan: Plan): CountedRows | undefined {
  // No rule may be about the step.
  const references = asked.get(step.stepId) ?? [];
  const addends = addendsOf(step);
  if (addends === undefined) return undefined;
  // Responses are unknown, and the final state is not a property of one action.
  if (references.some(({ scope }) => scope === 'resp' || scope === 'final')) return undefined;
  const wanted = references.flatMap(({ scope, name }) => (scope === 'arg' ? [name] : []));
  const rows = rowsOf(step, new Set([...wanted, ...argumentsOf(addends)]), plan);
  return rows && { rows, addends };
}

function addRow(
  builder: RunBuilder,
  { step, row, left, path }: { readonly step: Step; readonly row: Row; readonly left: number; readonly path: string },
): RunSlot {
  const times = builder.variable(`${path}/times`, { type: 'int', min: 0n, max: BigInt(left) });
  return builder.addSlot(step, { path, present: atLeast(times, 1), times, args: row });
}

function rulesOfSteps(builder: RunBuilder, remaining: readonly Remaining[]): readonly Formula[] {
  return remaining.flatMap(({ step, done, left, slots }): Formula[] => {
    const path = `/completion/${step.stepId}`;
    builder.spend(2 * slots.length);
    const wheres = step.where.map(({ id, expression }): Formula => {
      const args = slots.map((slot) => whenPresent(slot, expand(expression, { names: slot.names }, builder.spend)));
      return { id: `${path}/where/${id}`, term: { op: 'and', args } };
    });
    const waits = step.after.flatMap(({ stepId, atLeast: wanted }): Formula[] => {
      const before = remaining.find((other) => other.step.stepId === stepId);
      if (before === undefined) return [];
      const needed = wanted - before.done;
      if (needed <= 0) return [];
      const isReached = atLeast(timesOf(before.slots), needed);
      return [
        { id: `${path}/after/${stepId}`, term: { op: 'and', args: slots.map((slot) => whenPresent(slot, isReached)) } },
      ];
    });
    const most: Formula = { id: `${path}/max`, term: { op: '<=', left: timesOf(slots), right: literal(BigInt(left)) } };
    const least: Formula = { id: `${path}/min`, term: atLeast(timesOf(slots), step.min - done) };
    return [...wheres, ...waits, ...(slots.length > 1 ? [most] : []), ...(done < step.min ? [least] : [])];
  });
}

function timesOf(slots: readonly CountedSlot[]): Term {
  return { op: '+', args: slots.flatMap(({ times }) => (times === undefined ? [] : [times])) };
}

function whenPresent({ present }: RunSlot, term: Term): Term {
  return { op: 'or', args: [{ op: 'not', arg: present }, term] };
}

function atLeast(count: Term, least: number): Term {
  return { op: '<=', left: literal(BigInt(least)), right: count };
}
