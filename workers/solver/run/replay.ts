import { defined } from '../../exact/defined.ts';
import { PURE_TOOLS } from '../../replay/pure-tools.ts';
import { respondsAs } from '../../replay/replay-pure.ts';
import { evaluate, type Values } from '../language/evaluate.ts';
import { expand } from '../language/expand.ts';
import { literal, type Scoped, type Term } from '../language/terms.ts';
import { formatValue, isOfType, type Value } from '../language/values.ts';
import type { Plan, Tool } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { isModelled, type Origins, originsAfter } from './modelled.ts';

/** The result of a replay. Only the first divergence is reported, because later ones follow from it. */
export type Replay =
  | { readonly verdict: 'satisfied'; readonly assurance: Assurance }
  | { readonly verdict: 'violated'; readonly divergence: Divergence };

/** How many actions the replay computed, and how many it believed. */
export interface Assurance {
  /** Actions that the service ran again. */
  readonly recomputed: number;
  /** Actions that were replayed on the plan's model and whose response shows a computed value: see `isModelled`. */
  readonly modelled: number;
  /** Actions that were believed, apart from the conditions of their tool. */
  readonly recorded: number;
  /** In format 2: states that actions change without a tool that observes them, in order. */
  readonly ghost_states?: readonly string[];
  /** In format 2: whether rules or effects depend on the times that actions report. */
  readonly reported_times?: boolean;
}

export interface Divergence {
  readonly code: 'RESPONSE_DIVERGES' | 'TOOL_REPLACED' | 'STATE_OUT_OF_RANGE' | 'POST_BROKEN' | 'TOO_MANY_RECORDED';
  /** JSON pointer into the run. */
  readonly path: string;
  readonly message: string;
}

const NOTHING: Values = new Map();

/**
 * Replays the plan's state machine over the actions, exactly and in order. All effects of an action are computed from the
 * state before it. State values in a response must equal the computed ones.
 * @param actions actions that are aligned with the plan: their steps, arguments and responses are known
 */
export function replayRun(plan: Plan, actions: readonly Action[]): Replay {
  let state: State = new Map([...plan.state].map(([name, { value }]) => [name, value]));
  let origins: Origins = new Map();
  const counts = { recomputed: 0, modelled: 0, recorded: 0 };
  for (const [index, action] of actions.entries()) {
    const path = `/actions/${index}`;
    const next = divergenceOfPure(action, path) ?? replayAction(plan, { action, state, path });
    if ('code' in next) return { verdict: 'violated', divergence: next };
    const { tool } = alignedParts(action);
    origins = originsAfter(tool, { origins, before: state, after: next });
    counts[countedAs(tool, origins, namesOf(plan, action, state))] += 1;
    state = next;
    if (counts.recorded > plan.maxRecorded) {
      const message = `the run has more recorded actions than the ${plan.maxRecorded} that the plan allows`;
      return { verdict: 'violated', divergence: { code: 'TOO_MANY_RECORDED', path, message } };
    }
  }
  return { verdict: 'satisfied', assurance: counts };
}

type State = ReadonlyMap<string, Value>;

function countedAs(tool: Tool, origins: Origins, names: Scoped<Term>): 'recomputed' | 'modelled' | 'recorded' {
  if (tool.replay === 'pure') return 'recomputed';
  return isModelled(tool, origins, { names }) ? 'modelled' : 'recorded';
}

interface Replayed {
  readonly action: Action;
  readonly state: State;
  readonly path: string;
}

/** The state after an action, or its divergence. */
function replayAction(plan: Plan, { action, state, path }: Replayed): State | Divergence {
  const { tool, response } = alignedParts(action);
  const names = namesOf(plan, action, state);
  const broken = tool.post.find(({ expression }) => evaluate(expand(expression, { names }), NOTHING) !== true);
  if (broken) {
    return { code: 'POST_BROKEN', path: `${path}/post/${broken.id}`, message: `a condition of ${tool.ref} is broken` };
  }
  const next = new Map(state);
  for (const [name, effect] of tool.effects) {
    const type = plan.state.get(name)?.type;
    const value = evaluate(expand(effect, { names }), NOTHING);
    if (value === undefined || type === undefined) throw new TypeError(`the state ${name} has no value`);
    if (!isOfType(value, type)) {
      const message = `becomes ${formatValue(value, type)}, which is outside its type`;
      return { code: 'STATE_OUT_OF_RANGE', path: `${path}/state/${name}`, message };
    }
    next.set(name, value);
  }
  return divergenceOf(plan, { tool, state: next, response, path }) ?? next;
}

/** The terms of an effect's names: the action as it was done, the state before it, and the plan's constants. */
function namesOf(plan: Plan, action: Action, state: State): Scoped<Term> {
  const { args, response } = alignedParts(action);
  const constants = new Map([...plan.variables].map(([name, { value }]) => [name, value]));
  return { arg: literals(args), resp: literals(response), state: literals(state), var: literals(constants) };
}

/** What is known of an aligned action. @throws {TypeError} for an action that is not aligned with the plan */
export function alignedParts({ step, args, response }: Action) {
  if (step === undefined || args === undefined || response === undefined)
    throw new TypeError('the action is not aligned with the plan');
  return { tool: step.tool, args, response };
}

/** Runs a pure tool again. Undefined if it gives the recorded response, and for other tools. */
export function divergenceOfPure(action: Action, path: string): Divergence | undefined {
  const { tool, args } = alignedParts(action);
  if (tool.replay !== 'pure') return undefined;
  const texts = new Map([...args].map(([name, value]) => [name, `${value}`]));
  const pure = defined(PURE_TOOLS.get(tool.ref));
  if (respondsAs(pure, texts, defined(action.record).response)) return undefined;
  const at = `${path}/response`;
  if (pure.replacedBy === undefined) {
    return { code: 'RESPONSE_DIVERGES', path: at, message: `${tool.ref} gives another response` };
  }
  const message = `${pure.replacedBy} gives another response, and ${tool.ref} cannot be run any more`;
  return { code: 'TOOL_REPLACED', path: at, message };
}

/** What the tool of an action observes after it. */
interface Observed {
  readonly tool: Tool;
  readonly state: State;
  readonly response: ReadonlyMap<string, Value>;
  readonly path: string;
}

/** The first observed value that is not the computed one. */
export function divergenceOf(plan: Plan, { tool, state, response, path }: Observed): Divergence | undefined {
  for (const [name, field] of tool.observe) {
    const type = plan.state.get(name)?.type;
    const [expected, seen] = [state.get(name), response.get(field)];
    if (type === undefined || expected === undefined || seen === undefined) {
      throw new TypeError(`the state ${name} or the field ${field} has no value`);
    }
    if (expected === seen) continue;
    const message = `${name} is ${formatValue(expected, type)}, and the response says ${formatValue(seen, type)}`;
    return { code: 'RESPONSE_DIVERGES', path: `${path}/response/${field}`, message };
  }
  return undefined;
}

function literals(values: ReadonlyMap<string, Value>): ReadonlyMap<string, Term> {
  return new Map([...values].map(([name, value]) => [name, literal(value)]));
}
