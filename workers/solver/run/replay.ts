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
  /** Run again by the service itself. */
  readonly recomputed: number;
  /** Replayed on the plan's model of their effects, which computed a value that the response shows: `isModelled`. */
  readonly modelled: number;
  /** Believed, apart from the conditions of their tool. */
  readonly recorded: number;
}

export interface Divergence {
  readonly code: 'RESPONSE_DIVERGES' | 'STATE_OUT_OF_RANGE' | 'POST_BROKEN' | 'TOO_MANY_RECORDED';
  /** JSON pointer into the run. */
  readonly path: string;
  readonly message: string;
}

const NOTHING: Values = new Map();

/**
 * Replays the plan's state machine over the actions, in order and exactly. All effects of an action are computed at once
 * from the state before it. The values that the response shows of the state must equal the computed ones.
 * @param actions aligned with the plan: steps, arguments and responses are known
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

function countedAs(tool: Tool, origins: Origins, names: Scoped<Term>): keyof Assurance {
  if (tool.replay === 'pure') return 'recomputed';
  return isModelled(tool, origins, names) ? 'modelled' : 'recorded';
}

interface Replayed {
  readonly action: Action;
  readonly state: State;
  readonly path: string;
}

/** The state after an action, or where it diverges. */
function replayAction(plan: Plan, { action, state, path }: Replayed): State | Divergence {
  const { tool, response } = alignedParts(action);
  const names = namesOf(plan, action, state);
  const broken = tool.post.find(({ expression }) => evaluate(expand(expression, { names }), NOTHING) !== true);
  if (broken) {
    return { code: 'POST_BROKEN', path: `${path}/post/${broken.id}`, message: `${tool.ref} breaks its condition` };
  }
  const next = new Map(state);
  for (const [name, effect] of tool.effects) {
    const type = plan.state.get(name)?.type;
    const value = evaluate(expand(effect, { names }), NOTHING);
    if (value === undefined || type === undefined) throw new TypeError(`no value for state ${name}`);
    if (!isOfType(value, type)) {
      const message = `becomes ${formatValue(value, type)}, which its type does not allow`;
      return { code: 'STATE_OUT_OF_RANGE', path: `${path}/state/${name}`, message };
    }
    next.set(name, value);
  }
  return divergenceOf(plan, { tool, state: next, response, path }) ?? next;
}

/** What the names of an effect stand for: the action as it was done, and the state before it. */
function namesOf(plan: Plan, action: Action, state: State): Scoped<Term> {
  const { args, response } = alignedParts(action);
  const constants = new Map([...plan.variables].map(([name, { value }]) => [name, value]));
  return { arg: literals(args), resp: literals(response), state: literals(state), var: literals(constants) };
}

/** @throws {TypeError} for an action that is not aligned with the plan */
function alignedParts({ step, args, response }: Action) {
  if (step === undefined || args === undefined || response === undefined) throw new TypeError('not aligned');
  return { tool: step.tool, args, response };
}

/** Runs a pure tool again. */
function divergenceOfPure({ step, args, record }: Action, path: string): Divergence | undefined {
  if (step?.tool.replay !== 'pure') return undefined;
  const tool = PURE_TOOLS.get(step.tool.ref);
  if (tool === undefined) throw new TypeError(`no pure tool ${step.tool.ref}`);
  const texts = new Map([...(args ?? [])].map(([name, value]) => [name, `${value}`]));
  if (respondsAs(tool, texts, record?.response)) return undefined;
  return { code: 'RESPONSE_DIVERGES', path: `${path}/response`, message: `${step.tool.ref} responds something else` };
}

interface Observed {
  readonly tool: Tool;
  readonly state: State;
  readonly response: ReadonlyMap<string, Value>;
  readonly path: string;
}

function divergenceOf(plan: Plan, { tool, state, response, path }: Observed): Divergence | undefined {
  for (const [name, field] of tool.observe) {
    const type = plan.state.get(name)?.type;
    const [expected, seen] = [state.get(name), response.get(field)];
    if (type === undefined || expected === undefined || seen === undefined)
      throw new TypeError(`no ${name} or ${field}`);
    if (expected === seen) continue;
    const message = `${name} is ${formatValue(expected, type)}, and the response says ${formatValue(seen, type)}`;
    return { code: 'RESPONSE_DIVERGES', path: `${path}/response/${field}`, message };
  }
  return undefined;
}

function literals(values: ReadonlyMap<string, Value>): ReadonlyMap<string, Term> {
  return new Map([...values].map(([name, value]) => [name, literal(value)]));
}
