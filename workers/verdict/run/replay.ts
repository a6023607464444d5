import { defined } from '../../exact/defined.ts';
import { usesTimes } from '../../plan/expressions.ts';
import { createNodeBudget, type SpendNodes } from '../../plan/language/expand.ts';
import { type Expression, literal, type Term } from '../../plan/language/terms.ts';
import { formatValue, type Value } from '../../plan/language/values.ts';
import type { Plan } from '../../plan/plan.ts';
import { findPureTool } from '../../plan/pure-tools.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { elaborate } from '../elaborate/elaborate.ts';
import { knownOutcome, knownValue } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import { respondsAs } from '../replay/run-pure-tool.ts';
import { isDone, outcomeOf } from './action.ts';
import type { ValueWith } from './depends-on-arguments.ts';
import { MAX_NODES, type PlannedRun } from './encoding-session.ts';
import { judgeRecorded } from './judge.ts';
import { type Judgement, type Reason, undecided } from './judgement.ts';
import { isModelled, type Origins, originsAfter } from './modelled.ts';
import { type PlacedAction, placed } from './placed-action.ts';
import { ruleOf } from './rule-of.ts';
import { toProblem } from './to-problem.ts';
import { traceRun } from './trace.ts';

export interface Replay {
  readonly replay: Judgement;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

/** How many actions the replay computed, how many it believed, and how many had no response. */
export interface Assurance {
  /** Actions that the service ran again. */
  readonly recomputed: number;
  /** Actions that were replayed on the plan's model and whose response shows a computed value: see `isModelled`. */
  readonly modelled: number;
  /** Actions that were believed, apart from the conditions of their tool. */
  readonly recorded: number;
  /** Actions without a response, by their outcome. */
  readonly failed: number;
  readonly unknown: number;
  /** States that actions change without a tool that observes them, in order. */
  readonly ghost_states: readonly string[];
  /** Whether rules or effects depend on the times that actions report. */
  readonly reported_times: boolean;
}

type Known = ReadonlyMap<string, Value>;

/** To find out which arguments matter, effects are computed with others, up to 256 times for an action. */
const MAX_TRIED_NODES = 4 * MAX_NODES;

/**
 * Replays a run: pure tools are run again, and the plan's state machine is followed exactly and in order. All effects of an
 * action are computed from the state before it. Both engines compute the states, and whether the responses agree with them.
 * @param run actions that are aligned with the plan: their steps, arguments and responses are known
 */
export function judgeReplay(run: PlannedRun, solver: BoundedSolver): Replay {
  let followed: Followed | undefined;
  const build = (asked: PlannedRun) => {
    followed = followRun(asked);
    return followed.replaced === undefined ? followed.problem : undefined;
  };
  const replay = judgeRecorded(run, build, solver) ?? undecided(defined(followed?.replaced));
  return { replay, assurance: replay.verdict === 'satisfied' ? followed?.assurance : undefined };
}

interface Followed {
  readonly problem: Problem;
  readonly assurance: Assurance;
  /** Why nothing is known about a response. */
  readonly replaced: Reason | undefined;
}

/**
 * The rules end with the first one that is broken, because later ones may be broken by it. Ids of rules:
 * `/actions/0/response`: a pure tool gives the response again; `/actions/0/post/small`; `/actions/1/state/balance`: the state
 * stays within its type; `/actions/1/response/left`: the field is the computed state; `/actions/1`: no more actions are
 * believed so far than the plan allows.
 */
function followRun({ plan, actions, runContext }: PlannedRun): Followed {
  const counts = { recomputed: 0, modelled: 0, recorded: 0, failed: 0, unknown: 0 };
  let believed = 0;
  const rules: Formula[] = [];
  const observed: Formula[] = [];
  let replaced: Reason | undefined;
  let hasDiverged = false;
  let origins: Origins = new Map();
  let before: Known = new Map();
  let scope: Scope | undefined;
  const trying = createNodeBudget(MAX_TRIED_NODES);
  const add = (more: Iterable<Formula>) => {
    if (hasDiverged) return;
    for (const rule of more) {
      rules.push(rule);
      hasDiverged = knownValue(rule.term) === false;
      if (hasDiverged) return;
    }
  };
  const { session } = traceRun(plan, placed(actions), {
    runContext,
    visit(action, at) {
      if (hasDiverged) return;
      if (isDone(action)) {
        const again = runAgain(action);
        ({ replaced } = again);
        hasDiverged = replaced !== undefined;
        add(again.rules);
        add(postRules(action, at));
      }
      before = valuesOf(at.names.state);
      // The state is changed in place. Tools that move money see no maps.
      scope = { ...at, names: { ...at.names, state: new Map(at.names.state) } };
    },
    leave(action, after, bounds) {
      add(bounds);
      for (const rule of isDone(action) ? observedRules(plan, action, after) : []) {
        // What a tool observes says how an act before it turned out, which is open.
        if (knownValue(rule.term) === undefined) observed.push(rule);
        else add([rule]);
      }
      if (hasDiverged) return;
      const outcome = outcomeOf(action);
      if (outcome !== 'done') counts[outcome] += 1;
      const { path, step, isAttempt, earlier } = action;
      if (isAttempt && earlier === undefined) return;
      for (const changes of [step.tool, step]) {
        origins = originsAfter(changes, { origins, before, after: valuesOf(after) });
      }
      if (isAttempt) return;
      const counted = outcome === 'done' ? countedAs(action, origins, withBudget(defined(scope), trying)) : 'recorded';
      if (outcome === 'done') counts[counted] += 1;
      if (counted !== 'recorded') return;
      believed += 1;
      add([{ id: path, term: isAtMost(believed, plan.maxRecorded) }]);
    },
  });
  session.facts.push(...observed);
  return {
    problem: toProblem(session, { question: 'holds', rules, asks: 'values' }),
    assurance: { ...counts, ghost_states: ghostStates(plan), reported_times: usesTimes(plan) },
    replaced,
  };
}

const withBudget = (scope: Scope, spend: SpendNodes): Scope => ({
  ...scope,
  session: { ...scope.session, spend },
});

function countedAs({ step }: PlacedAction, origins: Origins, before: Scope): 'recomputed' | 'modelled' | 'recorded' {
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

interface Again {
  readonly rules: readonly Formula[];
  /** Why nothing is known: another tool was run instead, and gives another response. */
  readonly replaced?: Reason;
}

/** Runs a pure tool again. The hashes of the two responses are compared here, and the solver gets the outcome. */
function runAgain({ path, step, args, record }: PlacedAction): Again {
  const { replay, ref } = step.tool;
  if (replay !== 'pure') return { rules: [] };
  const texts = new Map([...defined(args)].map(([name, value]) => [name, `${value}`]));
  const pure = defined(findPureTool(ref));
  const id = `${path}/response`;
  if (pure.hasPlugins) {
    const message = `${ref} ran with Turndown plugins, which are not here`;
    return { rules: [], replaced: { code: 'TOOL_REPLACED', path: id, message } };
  }
  const isSame = respondsAs(pure, texts, defined(record).response);
  if (isSame || pure.replacedBy === undefined) {
    return { rules: [{ id, term: literal(isSame), fault: () => `${ref} gives another response` }] };
  }
  const message = `${pure.replacedBy} gives another response, and ${ref} cannot be run any more`;
  return { rules: [], replaced: { code: 'TOOL_REPLACED', path: id, message } };
}

function* postRules({ path, step }: PlacedAction, before: Scope): Generator<Formula> {
  for (const { id, expression } of step.tool.post) yield ruleOf(`${path}/post/${id}`, expression, before);
}

/** The fields of the response that must be the states that the plan computes. */
function* observedRules(
  plan: Plan,
  { path, step, response }: PlacedAction,
  after: ReadonlyMap<string, Term>,
): Generator<Formula> {
  for (const [name, field] of step.tool.observe) {
    const { type } = defined(plan.state.get(name));
    const [computed, seen] = [defined(after.get(name)), defined(response?.get(field))];
    const fault = () => {
      const expected = formatValue(defined(knownValue(computed)), type);
      return `${name} is ${expected}, and the response says ${formatValue(seen, type)}`;
    };
    yield { id: `${path}/response/${field}`, term: { op: '=', left: computed, right: literal(seen) }, fault };
  }
}

const isAtMost = (count: number, max: number): Term => ({
  op: '<=',
  left: literal(BigInt(count)),
  right: literal(BigInt(max)),
});
