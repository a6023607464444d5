import { defined } from '../../exact/defined.ts';
import { PURE_TOOLS } from '../../replay/pure-tools.ts';
import { respondsAs } from '../../replay/replay-pure.ts';
import type { Formula } from '../decide/problem.ts';
import { definitely, elaborate } from '../elaborate/elaborate.ts';
import { knownOutcome, knownValue } from '../elaborate/kleene.ts';
import type { Situation } from '../elaborate/situation.ts';
import { type Expression, literal, type Term } from '../language/terms.ts';
import { formatValue, type Value } from '../language/values.ts';
import type { Plan, Tool } from '../plan/plan.ts';
import type { Action } from './action.ts';
import { follow } from './course.ts';
import type { ValueWith } from './depends-on-arguments.ts';
import { isModelled, type Origins, originsAfter } from './modelled.ts';
import { type PlacedAction, placed } from './placed-action.ts';
import type { PlannedRun } from './session.ts';
import { usesTimes } from './times.ts';

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
  /** States that actions change without a tool that observes them, in order. */
  readonly ghost_states: readonly string[];
  /** Whether rules or effects depend on the times that actions report. */
  readonly reported_times: boolean;
}

export interface Divergence {
  readonly code: 'RESPONSE_DIVERGES' | 'TOOL_REPLACED' | 'STATE_OUT_OF_RANGE' | 'POST_BROKEN' | 'TOO_MANY_RECORDED';
  /** JSON pointer into the run. */
  readonly path: string;
  readonly message: string;
}

type Known = ReadonlyMap<string, Value>;

/**
 * Replays the plan's state machine over the actions, exactly and in order. All effects of an action are computed from the
 * state before it. State values in a response must equal the computed ones.
 * @param actions actions that are aligned with the plan: their steps, arguments and responses are known
 */
export function replayRun({ plan, actions, circumstances }: PlannedRun): Replay {
  const counts = { recomputed: 0, modelled: 0, recorded: 0 };
  let divergence: Divergence | undefined;
  let origins: Origins = new Map();
  let before: Known = new Map();
  let situation: Situation | undefined;
  const originalOf = ({ index }: PlacedAction) => defined(actions[defined(index)]);
  follow(plan, placed(actions), {
    circumstances,
    visit(action, at) {
      if (divergence !== undefined) return;
      divergence = divergenceOfPure(originalOf(action), action.path) ?? brokenPost(action, at);
      before = valuesOf(at.names.state);
      // The state is changed in place.
      situation = { ...at, names: { ...at.names, state: new Map(at.names.state) } };
    },
    leave(action, after, bounds) {
      if (divergence !== undefined || situation === undefined) return;
      const { tool } = action.step;
      const state = valuesOf(after);
      const { response } = alignedParts(originalOf(action));
      divergence = outOfRange(bounds) ?? divergenceOf(plan, { tool, state, response, path: action.path });
      if (divergence !== undefined) return;
      for (const changes of [tool, action.step]) origins = originsAfter(changes, { origins, before, after: state });
      counts[countedAs(action, origins, situation)] += 1;
      if (counts.recorded > plan.maxRecorded) {
        const message = `the run has more recorded actions than the ${plan.maxRecorded} that the plan allows`;
        divergence = { code: 'TOO_MANY_RECORDED', path: action.path, message };
      }
    },
  });
  if (divergence !== undefined) return { verdict: 'violated', divergence };
  const assurance = { ...counts, ghost_states: ghostStates(plan), reported_times: usesTimes(plan) };
  return { verdict: 'satisfied', assurance };
}

function brokenPost({ path, step }: PlacedAction, before: Situation): Divergence | undefined {
  const { post, ref } = step.tool;
  const broken = post.find(({ expression }) => knownValue(definitely(expression, before)) !== true);
  if (broken === undefined) return undefined;
  return { code: 'POST_BROKEN', path: `${path}/post/${broken.id}`, message: `a condition of ${ref} is broken` };
}

function outOfRange(bounds: readonly Formula[]): Divergence | undefined {
  const broken = bounds.find(({ term }) => knownValue(term) !== true);
  if (broken === undefined) return undefined;
  const message = 'becomes a value outside its type, or an undefined one';
  return { code: 'STATE_OUT_OF_RANGE', path: broken.id, message };
}

function countedAs(
  { step }: PlacedAction,
  origins: Origins,
  before: Situation,
): 'recomputed' | 'modelled' | 'recorded' {
  const { tool } = step;
  if (tool.replay === 'pure') return 'recomputed';
  if (tool.replay === 'recorded') return 'recorded';
  const valueWith =
    (effect: Expression): ValueWith =>
    (args) => {
      const arg = new Map([...args].map(([name, value]) => [name, literal(value)]));
      return knownOutcome(elaborate(effect, { ...before, names: { ...before.names, arg }, memo: new Map() }));
    };
  return isModelled(tool, origins, { names: before.names, valueWith }) ? 'modelled' : 'recorded';
}

/** States that are changed by effects of steps, or by tools that are believed. */
export function ghostStates({ steps }: Plan): readonly string[] {
  const changes = steps.flatMap((step) => (step.tool.replay === 'recorded' ? [step, step.tool] : [step]));
  const names = changes.flatMap(({ effects, mapEffects }) => [...effects.keys(), ...mapEffects.keys()]);
  return [...new Set(names)].sort();
}

function valuesOf(terms: ReadonlyMap<string, Term> | undefined): Known {
  const known = [...(terms ?? [])].flatMap(([name, term]): readonly (readonly [string, Value])[] => {
    const value = knownValue(term);
    return value === undefined ? [] : [[name, value]];
  });
  return new Map(known);
}

/** What is known of an aligned action. @throws {TypeError} for an action that is not aligned with the plan */
function alignedParts({ step, args, response }: Action) {
  if (step === undefined || args === undefined || response === undefined)
    throw new TypeError('the action is not aligned with the plan');
  return { tool: step.tool, args, response };
}

/** Runs a pure tool again. Undefined if it gives the recorded response, and for other tools. */
function divergenceOfPure(action: Action, path: string): Divergence | undefined {
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
  readonly state: Known;
  readonly response: ReadonlyMap<string, Value>;
  readonly path: string;
}

/** The first observed value that is not the computed one. */
function divergenceOf(plan: Plan, { tool, state, response, path }: Observed): Divergence | undefined {
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
