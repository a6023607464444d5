import { defined } from '../../exact/defined.ts';
import { claimsOfStep } from '../claims.ts';
import { effectsOf } from '../expressions.ts';
import { type Expression, literal } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import { rewrite, walkExpressions } from '../language/walk.ts';
import { argumentOf, rowFor } from '../own-parts.ts';
import type { Plan, Step } from '../plan.ts';
import { ANY, both, type Interval, isEmpty, point } from './interval.ts';
import { type Bounds, boundsFrom, eitherOf, NEVER, NO_NUMBER, type Numbers } from './linear.ts';
import { listedValues } from './listed-values.ts';
import { columnInterval, nameOf, numbersOfAction, ofType } from './numbers.ts';

/**
 * `open`: of actions that may follow, where rules and conditions are asked about as well. Bounds that contradict each other are
 * left: the conditions themselves say so. `proven`: of the actions in runs that pass. If the plan asks that every act is done, they
 * also meet the conditions of the tool. If there is no such action, the least is above the greatest.
 */
type Runs = 'open' | 'proven';

/**
 * Bounds of the numbers of every action of a step, by {@link nameOf}: those of their types, and those that conditions and rules
 * about single actions set.
 */
export const rangesOf = (step: Step, plan: Plan, runs: Runs): Bounds => known(step, plan, runs).ranges;

/**
 * The values that an argument can have in runs that pass, each with the bounds of all numbers of an action that has it.
 * Undefined: there are more than {@link MAX_CASES}.
 */
export const casesOf = (step: Step, argument: string, plan: Plan): Cases | undefined =>
  known(step, plan, 'proven').cases.get(argument);

type Cases = ReadonlyMap<Value, Bounds>;

interface Found {
  readonly ranges: Bounds;
  readonly cases: ReadonlyMap<string, Cases>;
}

const found: Readonly<Record<Runs, WeakMap<Plan, Map<Step, Found>>>> = { open: new WeakMap(), proven: new WeakMap() };

function known(step: Step, plan: Plan, runs: Runs): Found {
  const ofPlan = found[runs].get(plan) ?? new Map<Step, Found>();
  found[runs].set(plan, ofPlan);
  const kept = ofPlan.get(step) ?? computeRanges(step, plan, runs);
  ofPlan.set(step, kept);
  return kept;
}

/** Values of an argument that are tried one by one. */
const MAX_CASES = 64;
/** Nodes of claims that are looked at in all cases of a plan, of which each step has an equal part. */
const MAX_NODES = 200_000;

function computeRanges(step: Step, plan: Plan, runs: Runs): Found {
  // Of an act that failed, or whose outcome is unknown, no condition of the tool is asked.
  const post = runs === 'open' || !plan.mustBeDone ? [] : step.tool.post.map(({ expression }) => expression);
  const claims = [...claimsOfStep(step, plan), ...post];
  const narrow = (one: Interval, other: Interval) => {
    const range = both(one, other);
    return runs === 'proven' || !isEmpty(range) ? range : one;
  };
  const ofTypes = numbersOf(step).map(({ scope, name, type }): readonly [string, Interval] => {
    const keys = scope === 'arg' ? ofKeys(name, step, plan) : [];
    return [nameOf(scope, name), keys.reduce(narrow, ofType(type))];
  });
  let ranges = narrowed(new Map([...ofTypes, [NO_NUMBER, ANY]]), claims, plan, narrow);
  const cases = new Map<string, Cases>();
  const measured = runs === 'open' ? [] : claims.map(measure);
  let left = MAX_NODES / plan.steps.length;
  // Every action has one of the values of an argument, so what holds with each of them holds of every action.
  for (const argument of runs === 'open' ? [] : step.tool.args.keys()) {
    const name = nameOf('arg', argument);
    const values = fewValues(step, argument, ranges.get(name) ?? ANY, plan);
    if (values === undefined || isImpossible(ranges)) continue;
    const own = measured.filter(({ names }) => names.has(argument));
    const nodes = own.reduce((sum, { size }) => sum + size, 0) * values.length;
    if (nodes > left) continue;
    left -= nodes;
    const ofValues = new Map<Value, Bounds>();
    for (const value of values) {
      const begins = typeof value === 'bigint' ? new Map([...ranges, [name, point(value)]]) : ranges;
      const given = own.map(({ claim }) => withValue(claim, argument, value, plan));
      const bounds = narrowed(begins, given, plan, both);
      if (!isImpossible(bounds)) ofValues.set(value, bounds);
    }
    cases.set(argument, ofValues);
    const hull = ofValues.size === 0 ? NEVER : [...ofValues.values()].reduce(eitherOf);
    ranges = new Map([...ranges, ...hull]);
  }
  return { ranges: cases.size === 0 ? ranges : narrowed(ranges, claims, plan, narrow), cases };
}

/** Whether there are no such actions. */
export const isImpossible = (ranges: Bounds): boolean => [...ranges.values()].some(isEmpty);

/** The values that an argument may have, if they are few. */
function fewValues(step: Step, argument: string, { min, max }: Interval, plan: Plan): readonly Value[] | undefined {
  const type = defined(step.tool.args.get(argument));
  const listed = listedValues(step, argument, plan);
  if (listed !== undefined && listed.size <= MAX_CASES)
    return [...listed].filter((value) => typeof value !== 'bigint' || !isEmpty(both({ min, max }, point(value))));
  if (type.type === 'bool') return [false, true];
  if (type.type === 'enum') return type.values.length <= MAX_CASES ? type.values : undefined;
  if (min === undefined || max === undefined || max - min >= BigInt(MAX_CASES)) return undefined;
  return Array.from({ length: Number(max - min + 1n) }, (_, index) => min + BigInt(index));
}

/** The arguments that a claim mentions, and its nodes. Written out for each element of a list, it has many of both. */
function measure(claim: Expression) {
  const names = new Set<string>();
  let size = 0;
  walkExpressions([claim], (node) => {
    size += 1;
    if (node.op === 'reference' && node.scope === 'arg')
      for (const name of [node.name, ...(node.needs ?? [])]) names.add(name);
  });
  return { claim, names, size };
}

/** The claim about actions that have a value in an argument, with the cells of the rows that it looks up. */
const withValue = (claim: Expression, argument: string, value: Value, plan: Plan): Expression =>
  rewrite(claim, (node) => {
    if (argumentOf(node) === argument) return literal(value);
    if (node.op !== 'look' && node.op !== 'in') return undefined;
    const keys = node.keys.flatMap((key) =>
      argumentOf(key) === argument ? value : key.op === 'literal' ? key.value : [],
    );
    if (keys.length < node.keys.length) return undefined;
    const { rowAt, positions } = defined(plan.tables.get(node.table));
    const row = rowAt(keys);
    if (node.op === 'in') return literal(row !== undefined);
    return row && literal(defined(row[defined(positions.get(node.column))]));
  });

function narrowed(begins: Bounds, claims: readonly Expression[], plan: Plan, narrow: typeof both): Bounds {
  let ranges = begins;
  // Twice, because a condition can bound a number by another one, which conditions bound.
  for (let round = 0; round < 2; round += 1) {
    const before = ranges;
    const numbers = numbersOfAction(plan, (name) => before.get(name) ?? ANY);
    const next = new Map(before);
    for (const claim of claims) {
      for (const [name, bounds] of boundsFrom(claim, numbers)) {
        const old = next.get(name);
        if (old !== undefined) next.set(name, narrow(old, bounds));
      }
    }
    ranges = next;
  }
  return ranges;
}

/** The numbers of an action of a step in runs that pass. @param binder as for {@link numbersOfAction} */
export function provenNumbers(step: Step, plan: Plan, binder?: string): Numbers {
  const ranges = rangesOf(step, plan, 'proven');
  return numbersOfAction(plan, (name) => ranges.get(name) ?? ANY, binder);
}

/** Bounds of an argument that is a key: of the rows that conditions and effects look up. A missing row has no value. */
function ofKeys(argument: string, step: Step, plan: Plan): readonly Interval[] {
  const effects = [...effectsOf(step), ...effectsOf(step.tool)];
  const computed = effects.map((effect): Expression => ({ op: '=', left: effect, right: effect }));
  return [...claimsOfStep(step, plan), ...computed].flatMap((condition) => {
    const row = rowFor(condition, argument);
    const table = row && defined(plan.tables.get(row.table));
    return (table && columnInterval(table, defined(table.key[row.position]))) ?? [];
  });
}

/** A number of the actions of a step. */
export interface StepNumber {
  readonly scope: 'arg' | 'resp';
  readonly name: string;
  readonly type: ValueType;
}

/** What can have bounds among the arguments and in the response: numbers, times and durations. Those in lists have none. */
export function numbersOf({ tool }: Step): readonly StepNumber[] {
  const responds = Array.from(tool.responds, ([name, { type }]) => [name, type] as const);
  return [
    ...Array.from(tool.args, ([name, type]): StepNumber => ({ scope: 'arg', name, type })),
    ...responds.map(([name, type]): StepNumber => ({ scope: 'resp', name, type })),
  ].filter(({ name, type }) => 'min' in type && !name.includes('#'));
}
