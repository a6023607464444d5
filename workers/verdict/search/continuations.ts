import { isAlwaysRecorded } from '../../plan/never-modelled.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { type Counted, countByStep, doneByStep } from '../run/count-by-step.ts';
import type { PlacedAction } from '../run/placed-action.ts';
import { AS_WRITTEN, orderedColumns, type RowOrder, rowsFor } from './links.ts';

/** How often each step was done and may still be done. An act without a response is not done, and leaves one less. */
export interface StepAllowance {
  readonly step: Step;
  readonly done: number;
  readonly left: number;
}

/** Further actions that may complete a run, and the order in which rows of tables are tried for them. */
export interface Continuation {
  readonly actions: readonly PlacedAction[];
  readonly order: RowOrder;
}

export type Counts = ReadonlyMap<string, number>;

/** Steps that are tried alone. */
const MAX_SINGLE = 16;

export function allowancesOf(plan: Plan, actions: readonly Counted[]): readonly StepAllowance[] {
  const counts = countByStep(actions);
  const done = doneByStep(actions);
  return plan.steps.map((step) => {
    const left = Math.max(0, step.max - (counts.get(step.stepId) ?? 0));
    return { step, done: done.get(step.stepId) ?? 0, left };
  });
}

/**
 * The shortest continuation first: the actions that the steps still require. Then a few more of each step, or of one.
 * @param guess how many more may suffice. Asked after the first continuation
 */
export function* continuationsOf(
  plan: Plan,
  remaining: readonly StepAllowance[],
  guess: () => Counts | undefined = () => undefined,
): Generator<Continuation> {
  const tried = new Set<string>();
  const orders = ordersOf(plan);
  for (const extra of extras(plan, remaining, guess)) {
    const counts = required(remaining, extra);
    if (counts === undefined || isTooMuchBelieved(plan, remaining, counts)) continue;
    const id = [...counts].join();
    if (tried.has(id)) continue;
    tried.add(id);
    const actions = arrange(plan, counts);
    for (const order of orders) yield { actions, order };
  }
}

function* extras(plan: Plan, remaining: readonly StepAllowance[], guess: () => Counts | undefined): Generator<Counts> {
  const each = (more: (one: StepAllowance) => number): Counts =>
    new Map(remaining.map((one) => [one.step.stepId, more(one)]));
  const alone = (stepId: string, more: number): Counts => new Map([[stepId, more]]);
  yield new Map();
  const guessed = guess();
  if (guessed !== undefined) yield guessed;
  const rows = new Map(remaining.map(({ step }) => [step.stepId, rowsFor(step, plan)]));
  const fill = (one: StepAllowance) => Math.max(0, (rows.get(one.step.stepId) ?? 0) - one.done);
  const single = remaining.slice(0, MAX_SINGLE);
  for (const { step } of single) yield alone(step.stepId, 1);
  yield each(fill);
  for (const one of single) yield alone(one.step.stepId, fill(one));
  yield each(() => 2);
  for (const { step } of single) yield alone(step.stepId, 2);
  yield each(() => 8);
  for (const one of single) yield alone(one.step.stepId, one.left);
}

/** Whether a run that was begun would have more recorded actions than the plan allows. Lint says so of a whole plan. */
export function isTooMuchBelieved(plan: Plan, remaining: readonly StepAllowance[], more: Counts): boolean {
  const believed = remaining.filter(({ step }) => isAlwaysRecorded(step.tool, plan));
  const count = believed.reduce((sum, { step, done }) => sum + done + (more.get(step.stepId) ?? 0), 0);
  return remaining.some(({ done }) => done > 0) && count > plan.maxRecorded;
}

function ordersOf(plan: Plan): readonly RowOrder[] {
  const by = orderedColumns(plan).slice(0, 2);
  return [AS_WRITTEN, ...by.flatMap((name) => [false, true].map((isDescending) => ({ by: name, isDescending })))];
}

/** How often each step is done: at least as often as required, and as its successors require. Undefined if it cannot be. */
function required(remaining: readonly StepAllowance[], extra: Counts): Counts | undefined {
  const counts = new Map(
    remaining.map(({ step, done, left }) => {
      const wanted = Math.max(step.min - done, extra.get(step.stepId) ?? 0, 0);
      return [step.stepId, Math.min(wanted, Math.max(left, step.min - done))];
    }),
  );
  const byId = new Map(remaining.map((one) => [one.step.stepId, one]));
  // Each round fixes the count of one more step in a chain of predecessors.
  for (let round = 0; round <= remaining.length; round++) {
    for (const { step } of remaining) {
      if ((counts.get(step.stepId) ?? 0) === 0) continue;
      for (const { stepId, atLeast } of step.after) {
        const needed = atLeast - (byId.get(stepId)?.done ?? 0);
        if (needed > (counts.get(stepId) ?? 0)) counts.set(stepId, needed);
      }
    }
  }
  const isPossible = remaining.every((one) => (counts.get(one.step.stepId) ?? 0) <= one.left && isOpen(one));
  return isPossible ? counts : undefined;

  /** Whether no step was done after which this one must not come. */
  function isOpen({ step }: StepAllowance): boolean {
    if ((counts.get(step.stepId) ?? 0) === 0) return true;
    return remaining.every(
      (later) =>
        later.done === 0 || later.step.after.every(({ stepId, atLeast }) => atLeast > 0 || stepId !== step.stepId),
    );
  }
}

/** All actions of a step follow those of the steps that it waits for. */
function arrange({ steps }: Plan, counts: Counts): readonly PlacedAction[] {
  const placed: PlacedAction[] = [];
  const isPlaced = new Set<string>();
  while (isPlaced.size < steps.length) {
    const ready = steps.filter(
      ({ stepId, after }) => !isPlaced.has(stepId) && after.every((before) => isPlaced.has(before.stepId)),
    );
    if (ready.length === 0) throw new TypeError('the steps wait for each other');
    for (const step of ready) {
      isPlaced.add(step.stepId);
      for (let number = 0; number < (counts.get(step.stepId) ?? 0); number++) {
        const path = `/completion/${placed.length}`;
        placed.push({ path, step, args: undefined, response: undefined, record: undefined, index: undefined });
      }
    }
  }
  return placed;
}
