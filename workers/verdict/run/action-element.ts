import { literal, type Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import type { ActionElement } from '../elaborate/element.ts';
import { all, not } from '../elaborate/kleene.ts';
import { spanOf } from '../elaborate/order.ts';
import type { EncodingSession } from '../elaborate/scope.ts';
import { isDone, outcomeOf } from './action.ts';
import { BOOL } from './encoding-session.ts';
import type { PlacedAction } from './placed-action.ts';
import type { Times } from './times.ts';

interface Placing {
  readonly position: number;
  readonly session: EncodingSession;
  readonly times: Times;
  /** The attempt of the same act that is done. */
  readonly counted: Pick<PlacedAction, 'response' | 'record' | 'index'> | undefined;
}

/** An action as aggregates see it: known values are literals, and what is open has variables. */
export function elementOf(action: PlacedAction, { position, session, times, counted }: Placing): ActionElement {
  const { path, step, args, isAttempt, earlier } = action;
  const { response } = counted ?? action;
  const end = spanOf(counted?.record, path)?.ended;
  const isBefore = (action.index ?? 0) < (counted?.index ?? 0);
  const timed = times(action);
  // What was done at the latest by an attempt that is done.
  if (end !== undefined && isBefore && timed.ended.op === 'variable') {
    session.facts.push({ id: `${path}/ended_at/once`, term: { op: '<=', left: timed.ended, right: literal(end) } });
  }
  const responds = new Map([...step.tool.responds].map(([name, { type }]) => [name, type]));
  // Recorded, with arguments that are not those of its tool.
  const isMalformed = action.record !== undefined && args === undefined;
  return {
    kind: 'action',
    position,
    isMalformed,
    arg: isMalformed ? new Map() : valuesOf(`${path}/args`, step.tool.args, args, session),
    resp: isMalformed ? new Map() : valuesOf(`${path}/response`, responds, response, session),
    ...timed,
    span: spanOf(action.record, path),
    outcome: literal(outcomeOf(action)),
    tookEffect: tookEffectAt(action, session),
    isAttempt: isAttempt && earlier === undefined,
  };
}

/** Undefined: it certainly did. */
function tookEffectAt(action: PlacedAction, { open, spend }: EncodingSession): Term | undefined {
  const { path, earlier = [] } = action;
  const own = isDone(action) ? [] : [open(tookEffectKey(path), BOOL)];
  spend(earlier.length);
  const list = path.slice(0, path.lastIndexOf('/'));
  const isFirst = earlier.map((index) => not(open(tookEffectKey(`${list}/${index}`), BOOL)));
  return own.length + isFirst.length === 0 ? undefined : all([...own, ...isFirst]);
}

/** The variable whether an act of no certain outcome took effect. */
export const tookEffectKey = (path: string): string => `${path}/took_effect`;

function valuesOf(
  path: string,
  types: ReadonlyMap<string, ValueType>,
  known: ReadonlyMap<string, Value> | undefined,
  { open, spend }: EncodingSession,
): ReadonlyMap<string, Term> {
  return new Map(
    [...types].map(([name, type]): readonly [string, Term] => {
      spend(1);
      const value = known?.get(name);
      if (value !== undefined) return [name, literal(value)];
      return [name, open(`${path}/${name}`, type)];
    }),
  );
}
