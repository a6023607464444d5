import { effectsOf } from '../../plan/expressions.ts';
import { type Expression, literal, type Term } from '../../plan/language/terms.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { keyText } from '../../plan/read/read-table.ts';
import type { Formula } from '../decide/problem.ts';
import { elaborate } from '../elaborate/elaborate.ts';
import { knownOutcome } from '../elaborate/kleene.ts';
import { isOver, type Span } from '../elaborate/order.ts';
import type { Scope } from '../elaborate/scope.ts';

/** A state, or the entry of a map at one key. Without a key: the map as a whole. */
interface Location {
  readonly name: string;
  readonly key: string | undefined;
}

/** What an action reads and changes. */
export interface Access {
  readonly step: Step;
  readonly reads: readonly Location[];
  readonly writes: readonly Location[];
}

interface Recorded {
  readonly path: string;
  readonly step: Step;
  readonly span: Span;
  /** The act that it is an attempt of, and whether that is done with it. */
  readonly act: string | undefined;
  readonly isDone: boolean;
}

/**
 * Collects the rules that actions do not overlap if one changes a state that the other reads or changes: the later one in
 * the list starts when the earlier one has ended. Steps can allow it by name. An attempt of unknown outcome ends when the act
 * is done. Ids: `/actions/3/overlap/balance`.
 */
export function createStateOrder(plan: Plan) {
  const done: (Access & Pick<Recorded, 'span' | 'act'>)[] = [];
  const doneActs = new Set<string>();
  return (action: Recorded, before: Scope) => {
    const { span, act } = action;
    const touch = { ...accessOf(plan, action.step, before), span, act };
    const rules = new Map<string, Formula>();
    for (const earlier of done) {
      const isSettled = earlier.act !== undefined && doneActs.has(earlier.act) && earlier.span.ended === undefined;
      if (isSettled || (act !== undefined && earlier.act === act)) continue;
      if (isOver(earlier.span, action.span) || mayOverlap(earlier.step, action.step)) continue;
      const shared = conflictOf(earlier, touch);
      if (shared === undefined) continue;
      const id = `${action.path}/overlap/${shared}`;
      rules.set(id, { id, term: isAfterEnd(earlier.span, action.span) });
    }
    done.push(touch);
    if (act !== undefined && action.isDone) doneActs.add(act);
    return [...rules.values()];
  };
}

const isAfterEnd = ({ ended }: Span, { started }: Span): Term =>
  ended === undefined ? literal(false) : { op: '<=', left: literal(ended), right: literal(started) };

export const mayOverlap = (one: Step, other: Step): boolean =>
  one.overlaps.has(other.stepId) || other.overlaps.has(one.stepId);

/** The name of a state because of which two actions must not overlap. */
export function conflictOf(one: Access, other: Access): string | undefined {
  const meets = (places: readonly Location[], others: readonly Location[]) =>
    places.find((place) => others.some((each) => isSame(place, each)))?.name;
  return meets(one.writes, other.writes) ?? meets(one.writes, other.reads) ?? meets(one.reads, other.writes);
}

const isSame = (one: Location, other: Location): boolean =>
  one.name === other.name && (one.key === undefined || other.key === undefined || one.key === other.key);

export function accessOf(plan: Plan, step: Step, before: Scope): Access {
  const { tool } = step;
  const writes = [tool, step].flatMap(({ effects, mapEffects }) => [
    ...[...effects.keys()].map((name) => ({ name, key: undefined })),
    ...[...mapEffects].flatMap(([name, updates]) => updates.map(({ key }) => ({ name, key: keyOf(key, before) }))),
  ]);
  const observed = [...tool.observe.keys()].map((name) => ({ name, key: undefined }));
  return { step, writes, reads: [...observed, ...readsIn(expressionsOf(plan, step), before)] };
}

/** What decides about an action of the step, and what it changes. */
function expressionsOf({ sheets }: Plan, step: Step): readonly Expression[] {
  const rules = [...step.where, ...step.tool.post].map(({ expression }) => expression);
  const bound = sheets.filter(({ stepId }) => stepId === step.stepId).flatMap(({ bind }) => [...bind.values()]);
  return [...rules, ...effectsOf(step), ...effectsOf(step.tool), ...bound];
}

function readsIn(expressions: readonly Expression[], before: Scope): readonly Location[] {
  const places: Location[] = [];
  walkExpressions(expressions, (node) => {
    if (node.op === 'reference' && node.scope === 'state') places.push({ name: node.name, key: undefined });
    if (node.op === 'at' && node.at === 'state') places.push({ name: node.map, key: keyOf(node.key, before) });
  });
  return places;
}

/** Undefined for a key that depends on an element of an aggregate, or has no value. */
function keyOf(key: Expression, before: Scope): string | undefined {
  let isBound = false;
  walkExpressions([key], (node) => {
    if (node.op === 'part') isBound = true;
  });
  const value = isBound ? undefined : knownOutcome(elaborate(key, before));
  return value === undefined ? undefined : keyText([value]);
}
