import { defined } from '../../exact/defined.ts';
import type { Session } from '../elaborate/situation.ts';
import type { Expression, Term } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Remaining } from './continuations.ts';
import { ANY, type Bounds, boundsOfStep, type Interval, intervalOf } from './intervals.ts';
import { linearOf } from './linear.ts';

/** The actions of a step that may follow, described by a few numbers. */
export interface Rest {
  readonly step: Step;
  /** How many follow. */
  readonly count: Term;
  /** The sum of an expression over them. With `isPartial`, over some of them. */
  readonly sum: (expression: Expression, isPartial: boolean) => Term;
  /** Bounds of the numbers of each of them. */
  readonly bounds: Bounds;
}

const BIG = 10n ** 96n;
/** Sums of many large numbers may have more digits than a number of a plan. */
const SUM: ValueType = { type: 'int', min: -BIG, max: BIG };

/** Steps with actions that may follow. */
export function restsOf(plan: Plan, remaining: readonly Remaining[], session: Session): ReadonlyMap<string, Rest> {
  return new Map(
    remaining.filter(({ left }) => left > 0).map((one) => [one.step.stepId, createRest(plan, one, session)]),
  );
}

function createRest(plan: Plan, { step, left }: Remaining, session: Session): Rest {
  const path = `/completion/${step.stepId}`;
  const count = session.open(`${path}/count`, { type: 'int', min: 0n, max: BigInt(left) });
  const bounds = boundsOfStep(step, plan);
  const sums = new Map<string, Term>();

  /** A number between the least and the greatest sum of values within these bounds. */
  function within({ min, max }: Interval, isPartial: boolean): Term {
    const sum = session.open(`${path}/sum/${session.variables.size}`, SUM);
    const low = isPartial && min > 0n ? 0n : min;
    const high = isPartial && max < 0n ? 0n : max;
    const facts: Term[] = [
      { op: '<=', left: { op: '*', arg: count, by: low }, right: sum },
      { op: '<=', left: sum, right: { op: '*', arg: count, by: high } },
    ];
    session.spend(12);
    session.facts.push({ id: `${path}/sum`, term: { op: 'and', args: facts } });
    return sum;
  }

  /** The sum of one number of each action. Rules and effects share it. */
  function base(name: string): Term {
    const known = sums.get(name);
    if (known !== undefined) return known;
    const [scope, field] = name.split(' ');
    const interval = (scope === 'arg' ? bounds.args : bounds.responds).get(defined(field));
    const sum = within(interval ?? ANY, false);
    sums.set(name, sum);
    return sum;
  }

  return {
    step,
    count,
    bounds,
    sum(expression, isPartial) {
      const linear = isPartial ? undefined : linearOf(expression, plan);
      if (linear === undefined) return within(intervalOf(expression, bounds) ?? ANY, isPartial);
      const parts = [...linear.factors].map(([name, by]): Term => ({ op: '*', arg: base(name), by }));
      return { op: '+', args: [{ op: '*', arg: count, by: linear.constant }, ...parts] };
    },
  };
}
