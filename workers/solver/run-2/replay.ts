import type { Formula } from '../decide/problem.ts';
import { definitely, elaborate } from '../elaborate/elaborate.ts';
import { knownOutcome, knownValue } from '../elaborate/kleene.ts';
import type { Situation } from '../elaborate/situation.ts';
import { type Expression, literal, type Term } from '../language/terms.ts';
import type { Value } from '../language/values.ts';
import type { Plan } from '../plan/plan.ts';
import type { Action } from '../run/action.ts';
import type { ValueWith } from '../run/depends-on-arguments.ts';
import { isModelled, type Origins, originsAfter } from '../run/modelled.ts';
import { alignedParts, type Divergence, divergenceOf, divergenceOfPure, type Replay } from '../run/replay.ts';
import { follow } from './course.ts';
import { type PlacedAction, placed } from './placed-action.ts';
import type { RunCircumstances } from './session.ts';
import { usesTimes } from './times.ts';

type Known = ReadonlyMap<string, Value>;

/**
 * Replays the state machine of a plan of format 2 over the actions, exactly and in order. Only the first divergence is
 * reported.
 * @param actions actions that are aligned with the plan: their steps, arguments and responses are known
 */
export function replayRun2(
  plan: Plan,
  actions: readonly Action[],
  circumstances: RunCircumstances | undefined,
): Replay {
  const counts = { recomputed: 0, modelled: 0, recorded: 0 };
  let divergence: Divergence | undefined;
  let origins: Origins = new Map();
  let before: Known = new Map();
  let situation: Situation | undefined;
  const originalOf = (path: string) => actions[Number(path.slice('/actions/'.length))];
  const all = placed(actions);
  follow(plan, all, {
    circumstances,
    visit(action, at) {
      if (divergence !== undefined) return;
      const original = originalOf(action.path);
      if (original === undefined) throw new TypeError('an action has no place');
      divergence = divergenceOfPure(original, action.path) ?? brokenPost(action, at);
      before = valuesOf(at.names.state);
      // The state is changed in place.
      situation = { ...at, names: { ...at.names, state: new Map(at.names.state) } };
    },
    leave(action, after, bounds) {
      const original = originalOf(action.path);
      if (divergence !== undefined || original === undefined || situation === undefined) return;
      const { tool } = action.step;
      const state = valuesOf(after);
      const { response } = alignedParts(original);
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
