import type { Claim, Problem } from '../decide/verdict.ts';
import { expand } from '../language/expand.ts';
import { literal, type Reference, type Term } from '../language/terms.ts';
import { walkExpression } from '../language/walk-expression.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { constraintRules } from './constraints.ts';
import { referencesIn } from './references.ts';
import { type Row, rowsOf } from './rows.ts';
import { RunBuilder, type RunSlot } from './run-builder.ts';
import { countOf } from './run-model.ts';
import { withoutUnasked } from './without-unasked.ts';

/**
 * The same question as `completionProblem`, for plans where it is enough to count: how often is an action of each row
 * still done? Undefined for other plans.
 *
 * It is enough where the order of what is still done does not matter, because no tool of theirs changes a state, and where each
 * action that may still be done has one of a few rows that fix everything the rules of the plan ask of it. Sorted by
 * `after`, actions in any number then make a run: a step that is waited for comes first. What a row leaves open can be
 * the same for all its actions, as no rule compares them. So the problem has a number for each row instead of a place
 * for each action, and its size does not grow with the number of actions.
 * @throws {LanguageError} TOO_MANY_NODES
 */
export function countedCompletionProblem(plan: Plan, actions: readonly Action[]): Problem | undefined {
  const asked = askedOfActions(plan);
  const builder = new RunBuilder(plan);
  builder.addDone(actions);
  const remaining: Remaining[] = [];
  for (const step of plan.steps) {
    const done = countOf(actions, step);
    const left = Math.max(0, step.max - done);
    if (left > 0 && step.tool.effects.size > 0) return undefined;
    const rows = left === 0 ? [] : rowsToCount(step, asked, plan);
    if (rows === undefined) return undefined;
    const slots = rows.map((row, index) =>
      addRow(builder, { step, row, left, path: `/completion/${step.stepId}/${index}` }),
    );
    remaining.push({ step, done, left, slots });
  }
  const rules = [...constraintRules(plan, builder), ...rulesOfSteps(builder, remaining)];
  const { variables, values, facts } = builder;
  return withoutUnasked({ question: 'possible', variables, values, facts, rules });
}

interface Remaining {
  readonly step: Step;
  readonly done: number;
  /** How often it may still be done. */
  readonly left: number;
  readonly slots: readonly RunSlot[];
}

/** By step: what the rules of the plan as a whole are about. */
type Asked = ReadonlyMap<string, readonly Reference[]>;

function askedOfActions({ constraints, sheets }: Plan): Asked {
  const asked = new Map<string, Reference[]>();
  const ofRun = sheets.filter(({ stepId }) => stepId === undefined).flatMap(({ bind }) => [...bind.values()]);
  for (const expression of [...constraints.map((constraint) => constraint.expression), ...ofRun]) {
    walkExpression(expression, (node) => {
      if (node.op !== 'sum' && node.op !== 'count' && node.op !== 'forall' && node.op !== 'exists') return;
      asked.set(node.step, [...(asked.get(node.step) ?? []), ...referencesIn(node.body)]);
    });
  }
  return asked;
}

function rowsToCount(step: Step, asked: Asked, plan: Plan): readonly Row[] | undefined {
  const references = asked.get(step.stepId) ?? [];
  // What a tool will respond is open.
  if (references.some(({ scope }) => scope === 'resp')) return undefined;
  return rowsOf(step, new Set(references.flatMap(({ scope, name }) => (scope === 'arg' ? [name] : []))), plan);
}

function addRow(
  builder: RunBuilder,
  { step, row, left, path }: { readonly step: Step; readonly row: Row; readonly left: number; readonly path: string },
): RunSlot {
  const times = builder.variable(`${path}/times`, { type: 'int', min: 0n, max: BigInt(left) });
  return builder.addSlot(step, { path, present: atLeast(times, 1), times, args: row });
}

function rulesOfSteps(builder: RunBuilder, remaining: readonly Remaining[]): readonly Claim[] {
  return remaining.flatMap(({ step, done, left, slots }): Claim[] => {
    const path = `/completion/${step.stepId}`;
    builder.spend(2 * slots.length);
    const wheres = step.where.map(({ id, expression }): Claim => {
      const args = slots.map((slot) => whenPresent(slot, expand(expression, { names: slot.names }, builder.spend)));
      return { id: `${path}/where/${id}`, term: { op: 'and', args } };
    });
    const waits = step.after.flatMap((stepId): Claim[] => {
      const before = remaining.find((other) => other.step.stepId === stepId);
      if (before === undefined) return [];
      const needed = Math.max(1, before.step.min) - before.done;
      if (needed <= 0) return [];
      const isReached = atLeast(timesOf(before.slots), needed);
      return [
        { id: `${path}/after/${stepId}`, term: { op: 'and', args: slots.map((slot) => whenPresent(slot, isReached)) } },
      ];
    });
    const most: Claim = { id: `${path}/max`, term: { op: '<=', left: timesOf(slots), right: literal(BigInt(left)) } };
    const least: Claim = { id: `${path}/min`, term: atLeast(timesOf(slots), step.min - done) };
    return [...wheres, ...waits, ...(slots.length > 1 ? [most] : []), ...(done < step.min ? [least] : [])];
  });
}

function timesOf(slots: readonly RunSlot[]): Term {
  return { op: '+', args: slots.flatMap(({ times }) => (times === undefined ? [] : [times])) };
}

function whenPresent({ present }: RunSlot, term: Term): Term {
  return { op: 'or', args: [{ op: 'not', arg: present }, term] };
}

function atLeast(count: Term, least: number): Term {
  return { op: '<=', left: literal(BigInt(least)), right: count };
}
