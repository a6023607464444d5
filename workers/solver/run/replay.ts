import { PURE_TOOLS } from '../../replay/pure-tools.ts';
import { respondsAs } from '../../replay/replay-pure.ts';
import { evaluate, type Values } from '../language/evaluate.ts';
import { expand } from '../language/expand.ts';
import { literal, type Term } from '../language/terms.ts';
import { formatValue, isOfType, type Value } from '../language/values.ts';
import type { Plan, Tool } from '../plan/plan.ts';
import type { Action } from './action.ts';

/** What a replay came to. Of a divergence only the first is told: what follows it follows from it. */
export type Replay =
  | { readonly verdict: 'satisfied'; readonly assurance: Assurance }
  | { readonly verdict: 'violated'; readonly divergence: Divergence };

/** How many actions were worked out again, and how many are believed. */
export interface Assurance {
  /** Run again by the service itself. */
  readonly recomputed: number;
  /** Replayed on the plan's own model of their effects. */
  readonly modelled: number;
  /** Held to the conditions of their tool, and otherwise believed. */
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
 * Replays the plan's state machine over the actions, in order and exactly: each effect from the state before, all of an
 * action at once, and what the response shows of the state must be what comes out.
 * @param actions aligned with the plan: steps, arguments and responses are known
 */
export function replayRun(plan: Plan, actions: readonly Action[]): Replay {
  let state: State = new Map([...plan.state].map(([name, { value }]) => [name, value]));
  const counts = { recomputed: 0, modelled: 0, recorded: 0 };
  for (const [index, action] of actions.entries()) {
    const path = `/actions/${index}`;
    const next = divergenceOfPure(action, path) ?? replayAction(plan, { action, state, path });
    if ('code' in next) return { verdict: 'violated', divergence: next };
    state = next;
    counts[COUNTED[action.step?.tool.replay ?? 'recorded']] += 1;
    if (counts.recorded > plan.maxRecorded) {
      const message = `more than ${plan.maxRecorded} actions are recorded only`;
      return { verdict: 'violated', divergence: { code: 'TOO_MANY_RECORDED', path, message } };
    }
  }
  return { verdict: 'satisfied', assurance: counts };
}

type State = ReadonlyMap<string, Value>;

const COUNTED = { pure: 'recomputed', effects: 'modelled', recorded: 'recorded' } as const;

interface Replayed {
  readonly action: Action;
  readonly state: State;
  readonly path: string;
}

/** The state after an action, or where it diverges. */
function replayAction(plan: Plan, { action, state, path }: Replayed): State | Divergence {
  const { step, args, response } = action;
  if (step === undefined || args === undefined || response === undefined) throw new TypeError('not aligned');
  const { tool } = step;
  const constants = new Map([...plan.variables].map(([name, { value }]) => [name, value]));
  const names = { arg: literals(args), resp: literals(response), state: literals(state), var: literals(constants) };
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

/** What can be run again is. */
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
