import { defined } from '../../exact/defined.ts';
import { type Expression, literal, type Term, variable } from '../../plan/language/terms.ts';
import { type ValueType, withoutBounds } from '../../plan/language/types.ts';
import { isOfType, type Value } from '../../plan/language/values.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Formula } from '../decide/problem.ts';
import { elaborate } from '../elaborate/elaborate.ts';
import type { ActionElement } from '../elaborate/element.ts';
import {
  all,
  any,
  definedness,
  FALSE,
  ifThenElse,
  knownOutcome,
  knownValue,
  not,
  type Outcome,
  TRUE,
  termOf,
} from '../elaborate/kleene.ts';
import { RunMap } from '../elaborate/run-map.ts';
import type { EncodingSession, Scope } from '../elaborate/scope.ts';
import { isDone, outcomeOf } from './action.ts';
import { elementOf } from './action-element.ts';
import { append } from './append.ts';
import { earlierElements } from './earlier-runs.ts';
import { createSession, type SessionOptions } from './encoding-session.ts';
import { createOpenOrder } from './open-order.ts';
import type { PlacedAction } from './placed-action.ts';
import { timesOf } from './times.ts';

/** Called with each action and the state before it, which changes afterwards. */
export type Visit = (action: PlacedAction, before: Scope) => void;

/** Called with each action, the state after it, and the conditions that this state is of its types. */
export type Leave = (action: PlacedAction, after: ReadonlyMap<string, Term>, bounds: readonly Formula[]) => void;

export type Choose = (action: PlacedAction, before: Scope) => ReadonlyMap<string, Value>;

/** A run: known values are literals, and what is open has variables. */
export interface Trace {
  readonly session: EncodingSession;
  /** At the end of the run. */
  readonly end: Scope;
  /** That the state stays within its types. */
  readonly bounds: readonly Formula[];
}

export interface TraceOptions extends Omit<SessionOptions, 'began'> {
  readonly visit?: Visit;
  readonly leave?: Leave;
  /** Chooses arguments of an action that is not done yet, from the state before it. */
  readonly choose?: Choose;
}

/**
 * Follows a run action by action. The next value of a state is a fact even outside the bounds of its type: a state that
 * leaves its type breaks a rule and must not contradict the facts. A value that is undefined or too large for any type of
 * its kind is not kept: the state keeps its old value.
 * @throws {DocumentError} TOO_MANY_NODES; MALFORMED_VALUE for a time that does not exist
 */
export function traceRun(
  plan: Plan,
  actions: readonly PlacedAction[],
  { visit, leave, choose, ...options }: TraceOptions = {},
): Trace {
  const session = createSession(plan, { ...options, began: actions[0]?.record?.started_at });
  const times = timesOf(plan, session, options.runContext?.start);
  const vars = new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)]));
  const state = new Map<string, Term>([...plan.state].map(([name, { value }]) => [name, literal(value)]));
  const maps = new Map([...plan.maps].map(([name, map]) => [name, new RunMap(map)]));
  const done = new Map<string, ActionElement[]>();
  const bounds: Formula[] = [];
  /** States that acts of unknown outcome may still change. */
  const lasting = new Set<string>();
  // What is open of earlier runs alone changes no state.
  const isCase = options.runContext?.turnedOut !== undefined && !actions.every(isDone);
  const order = session.usesEnds ? createOpenOrder(plan) : undefined;
  for (const [position, planned] of actions.entries()) {
    const named = scopeOf(session, { names: { state, var: vars }, own: undefined, maps });
    const action =
      choose === undefined || planned.index !== undefined ? planned : { ...planned, args: choose(planned, named) };
    const last = action.doneAs;
    const counted = last === undefined ? undefined : actions.find(({ index }) => index === last);
    const element = elementOf(action, { position, session, times, counted });
    const scope = scopeOf(session, {
      names: { arg: element.arg, resp: element.resp, state, var: vars },
      own: element,
      maps,
    });
    order?.(action, element, scope);
    visit?.(action, scope);
    const own = element.isAttempt ? [] : advance(plan, action, { scope, state, maps, tookEffect: element.tookEffect });
    leave?.(action, state, own);
    bounds.push(...own);
    if (outcomeOf(action) === 'unknown' && action.doneAs === undefined) {
      for (const { effects } of [action.step.tool, action.step]) for (const name of effects.keys()) lasting.add(name);
    }
    settleObserved(action, state, { lasting, isCase });
    append(done, action.step.stepId, element);
  }
  const names = { var: vars, final: state };
  const earlier = earlierElements(plan, options.runContext?.earlier ?? [], session);
  return { session, bounds, end: { ...scopeOf(session, { names, own: undefined, maps }), actions: done, earlier } };
}

function scopeOf(session: EncodingSession, parts: Pick<Scope, 'names' | 'own' | 'maps'>): Scope {
  return { session, ...parts, actions: new Map(), bound: new Map(), memo: new Map() };
}

interface Settling {
  /** States that an act of unknown outcome may change after this. */
  readonly lasting: ReadonlySet<string>;
  /** Whether what was open is assumed: what was seen replaces it as well. */
  readonly isCase: boolean;
}

/** After an act that failed, the state is open until a tool observes it. Replay checks that it can be what it saw. */
function settleObserved(
  { step, response }: PlacedAction,
  state: Map<string, Term>,
  { lasting, isCase }: Settling,
): void {
  if (response === undefined) return;
  for (const [name, field] of step.tool.observe) {
    if (lasting.has(name)) continue;
    if (isCase || knownValue(defined(state.get(name))) === undefined)
      state.set(name, literal(defined(response.get(field))));
  }
}

interface Advancing {
  readonly scope: Scope;
  readonly state: Map<string, Term>;
  readonly maps: ReadonlyMap<string, RunMap>;
  readonly tookEffect: Term | undefined;
}

/** Changes the state by the effects of the action, which all see the state before it. @returns the rules of its types */
function advance(
  plan: Plan,
  { path, step }: PlacedAction,
  { scope, state, maps, tookEffect = TRUE }: Advancing,
): readonly Formula[] {
  const bounds: Formula[] = [];
  const ifEffective = (term: Term) => any([not(tookEffect), term]);
  const values: (readonly [string, Term])[] = [];
  for (const [name, effect] of [...step.tool.effects, ...step.effects]) {
    const type = defined(plan.state.get(name)).type;
    const key = `${path}/state/${name}`;
    const { term, within } = keep(effect, type, { key, scope });
    if (term !== undefined) values.push([name, ifThenElse(tookEffect, term, defined(state.get(name)))]);
    if (within !== undefined) bounds.push({ id: key, term: ifEffective(within) });
  }
  const updates: { readonly map: RunMap; readonly key: Term; readonly value: Term }[] = [];
  for (const [name, entries] of [...step.tool.mapEffects, ...step.mapEffects]) {
    const types = defined(plan.maps.get(name));
    for (const [index, { key, value }] of entries.entries()) {
      const at = `${path}/state/${name}/${index}`;
      const kept = {
        key: keep(key, types.key, { key: `${at}/key`, scope }),
        value: keep(value, types.value, { key: `${at}/value`, scope }),
      };
      const within = [kept.key.within, kept.value.within].filter((term) => term !== undefined);
      if (within.length > 0) bounds.push({ id: `${path}/state/${name}`, term: ifEffective(all(within)) });
      if (kept.key.term === undefined || kept.value.term === undefined) continue;
      updates.push({ map: defined(maps.get(name)), key: kept.key.term, value: kept.value.term });
    }
  }
  // Rules that were made from the old state are terms already.
  for (const [name, term] of values) state.set(name, term);
  for (const { map, key, value } of updates) map.set(key, ifThenElse(tookEffect, value, map.at(key)));
  return bounds;
}

interface Kept {
  /** Undefined if the value cannot be kept. */
  readonly term: Term | undefined;
  /** The condition that the value is of its type. Undefined if it cannot be outside. */
  readonly within: Term | undefined;
}

function keep(
  effect: Expression,
  type: ValueType,
  { key, scope }: { readonly key: string; readonly scope: Scope },
): Kept {
  const outcome = elaborate(effect, scope);
  const { session } = scope;
  const value = knownOutcome(outcome);
  session.spend(8);
  if (value !== undefined) return keepKnown(outcome, value, { key, type, session });
  const isDefined = definedness(outcome) ?? TRUE;
  if (knownValue(isDefined) === false) return { term: undefined, within: FALSE };
  const widest = withoutBounds(type);
  session.variables.set(key, widest);
  const term = variable(key);
  session.facts.push({ id: key, term: { op: '=', left: term, right: termOf(outcome) } });
  const within = all([isDefined, ...boundsOf(type, widest, term)]);
  return { term, within: knownValue(within) === true ? undefined : within };
}

function keepKnown(
  outcome: Outcome,
  value: Value,
  { key, type, session }: { readonly key: string; readonly type: ValueType; readonly session: EncodingSession },
): Kept {
  const widest = withoutBounds(type);
  if (!isOfType(value, widest)) return { term: undefined, within: FALSE };
  const term = literal(value);
  // A literal is equal to itself: there is nothing to compute.
  const computed = termOf(outcome);
  if (computed.op !== 'literal') session.facts.push({ id: key, term: { op: '=', left: term, right: computed } });
  const bounds = boundsOf(type, widest, term);
  return { term, within: bounds.length === 0 ? undefined : { op: 'and', args: bounds } };
}

function boundsOf(type: ValueType, widest: ValueType, term: Term): readonly Term[] {
  if (!('min' in type) || !('min' in widest)) return [];
  if (type.min === widest.min && type.max === widest.max) return [];
  return [
    { op: '<=', left: literal(type.min), right: term },
    { op: '<=', left: term, right: literal(type.max) },
  ];
}
