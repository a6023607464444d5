import { addedTo } from '../../plan/bounds/numbers.ts';
import { effectsOn } from '../../plan/expressions.ts';
import { literal, type Term } from '../../plan/language/terms.ts';
import { type ValueType, withoutBounds } from '../../plan/language/types.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import { definitely } from '../elaborate/elaborate.ts';
import { any, not, TRUE } from '../elaborate/kleene.ts';
import { RunMap } from '../elaborate/run-map.ts';
import type { EncodingSession, Scope } from '../elaborate/scope.ts';
import { rulesAtEnd, rulesOfAction } from '../run/constraints.ts';
import { toProblem } from '../run/to-problem.ts';
import { traceRun } from '../run/trace.ts';
import { isTooMuchBelieved, type StepAllowance } from './continuations.ts';
import { type RemainingActions, remainingActionsOf } from './remaining-actions.ts';
import { summarizeActions } from './summarized-actions.ts';
import type { Beginning } from './try-continuation.ts';
import { createWitnesses, isShort, type Witnesses } from './witnesses.ts';

const ZERO = literal(0n);

/** What describes the runs that may follow: numbers of actions, sums over them, and the state at the end. */
export interface Abstraction {
  readonly session: EncodingSession;
  readonly following: ReadonlyMap<string, RemainingActions>;
  /** After the actions that were done. */
  readonly now: Scope;
  /** At the end of the run, of which the actions that follow are not written out. */
  readonly end: Scope;
  /** Some action of the step, in some state. */
  readonly actionOf: (step: Step, name?: string) => Scope;
  readonly witnesses: Witnesses;
  /** Rules about actions that were done, and about the state. */
  readonly rules: readonly Formula[];
}

export function abstractionOf({ plan, done, runContext }: Beginning, remaining: readonly StepAllowance[]): Abstraction {
  const rules: Formula[] = [];
  const trace = traceRun(plan, done, {
    runContext,
    visit: (action, before) => rules.push(...rulesOfAction(plan, action, before)),
  });
  const { session } = trace;
  const actionOf = (step: Step, name?: string) => someAction(plan, step, session, name);
  const following = remainingActionsOf(plan, remaining, { session, actionOf });
  const witnesses = createWitnesses({ plan, session, actionOf });
  const summarized = summarizeActions({
    plan,
    session,
    remaining: following,
    changing: changingMaps(plan, following),
    witnesses: witnesses,
  });
  const { final, bounds } = finalState(plan, trace.end, { session, following });
  const end = { ...trace.end, names: { ...trace.end.names, final }, summarized, memo: new Map() };
  rules.push(...trace.bounds, ...bounds);
  return { session, following, now: trace.end, end, actionOf, witnesses, rules };
}

/**
 * The problem whether numbers exist that describe a completed run, at least roughly. Every run that may follow is described,
 * so if the problem has no solution, there is no run. A solution may describe no run.
 */
export function abstractionProblem(beginning: Beginning, remaining: readonly StepAllowance[]): Problem {
  const { plan } = beginning;
  const { session, following, now, end, actionOf, witnesses, rules: known } = abstractionOf(beginning, remaining);
  const ofOne = [...following.values()].flatMap((remaining) => conditionsOfOne(remaining, actionOf(remaining.step)));
  const counts = [...countRules(remaining, following), recordedRule(plan, remaining)];
  const firsts = firstRules(plan, now, following, actionOf);
  const rules = [...counts, ...ofOne, ...rulesAtEnd(plan, { end }), ...known, ...firsts];
  witnesses.boundSums();
  return toProblem(session, { question: 'possible', rules });
}

/** What every run still needs leaves it with no more recorded actions than the plan allows. */
function recordedRule(plan: Plan, remaining: readonly StepAllowance[]): Formula {
  const needed = new Map(remaining.map(({ step, done }) => [step.stepId, Math.max(0, step.min - done)]));
  return { id: '/max_recorded', term: literal(!isTooMuchBelieved(plan, remaining, needed)) };
}

function changingMaps(plan: Plan, following: ReadonlyMap<string, RemainingActions>): ReadonlySet<string> {
  const steps = plan.steps.filter(({ stepId }) => following.has(stepId));
  return new Set(steps.flatMap((step) => [...step.mapEffects.keys(), ...step.tool.mapEffects.keys()]));
}

/** Steps are done often enough, and only after those that they wait for. */
function countRules(
  remaining: readonly StepAllowance[],
  following: ReadonlyMap<string, RemainingActions>,
): readonly Formula[] {
  const byId = new Map(remaining.map((one) => [one.step.stepId, one]));
  const countOf = (stepId: string): Term => following.get(stepId)?.count ?? ZERO;
  return remaining.flatMap(({ step, done, left }): readonly Formula[] => {
    const path = `/completion/${step.stepId}`;
    const own = countOf(step.stepId);
    const isNone = atMost(own, 0);
    const least: Formula[] = done < step.min ? [{ id: `${path}/min`, term: atLeast(own, step.min - done) }] : [];
    const waits = step.after.flatMap(({ stepId, atLeast: wanted }): readonly Formula[] => {
      const before = byId.get(stepId);
      if (before === undefined) return [];
      // Once this step was done, the other one must not follow.
      if (wanted === 0 && left < step.max) {
        return [{ id: `/completion/${stepId}/order/${step.stepId}`, term: atMost(countOf(stepId), 0) }];
      }
      const needed = wanted - before.done;
      if (needed <= 0) return [];
      return [{ id: `${path}/after/${stepId}`, term: any([isNone, atLeast(countOf(stepId), needed)]) }];
    });
    return [...least, ...waits];
  });
}

const atLeast = (count: Term, least: number): Term => ({ op: '<=', left: literal(BigInt(least)), right: count });
const atMost = (count: Term, most: number): Term => ({ op: '<=', left: count, right: literal(BigInt(most)) });

function someAction(plan: Plan, step: Step, session: EncodingSession, name?: string): Scope {
  const path = `/completion/${step.stepId}${name === undefined ? '' : `/${name}`}`;
  const open = (prefix: string, types: ReadonlyMap<string, ValueType>): ReadonlyMap<string, Term> =>
    new Map([...types].map(([name, type]) => [name, session.open(`${path}/${prefix}/${name}`, type)]));
  const ofField = new Map([...step.tool.responds].map(([name, { type }]) => [name, type]));
  const states = new Map([...plan.state].map(([name, { type }]) => [name, type]));
  const names: Scope['names'] = {
    arg: open('args', step.tool.args),
    resp: open('response', ofField),
    state: open('state', states),
    var: new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)])),
  };
  const time = { type: 'time', min: -(10n ** 18n), max: 10n ** 18n } as const;
  const own = { started: session.open(`${path}/started_at`, time), ended: session.open(`${path}/ended_at`, time) };
  return {
    session,
    names,
    own,
    maps: new Map([...plan.maps].map(([name, map]) => [name, new RunMap(map)])),
    actions: new Map(),
    bound: new Map(),
    memo: new Map(),
    // The maps may have changed before, in any way.
    summarized: summarizeActions({ plan, session, remaining: new Map(), changing: new Set(plan.maps.keys()) }),
  };
}

/** If actions of a step follow, one of them meets the conditions in some state. */
function conditionsOfOne({ step, count }: RemainingActions, action: Scope): readonly Formula[] {
  const isNone = atMost(count, 0);
  return step.where.map(({ id, expression }) => ({
    id: `/completion/${step.stepId}/where/${id}`,
    term: any([isNone, definitely(expression, action)]),
  }));
}

/** The first action of each step meets its conditions in the state that is known, unless other steps may change it before. */
function firstRules(
  plan: Plan,
  now: Scope,
  following: ReadonlyMap<string, RemainingActions>,
  actionOf: (step: Step, name: string) => Scope,
): readonly Formula[] {
  const steps = [...following.values()];
  // The state is known, and the arguments are open.
  const summarized = summarizeActions({ plan, session: now.session, remaining: new Map(), changing: new Set() });
  return steps.map(({ step, count }) => {
    const { names, own } = actionOf(step, 'first');
    const { final: state = new Map(), ...others } = now.names;
    const scope = { ...now, names: { ...others, ...names, state }, own, summarized, memo: new Map() };
    const conditions = step.where.filter(({ expression }) => isShort(expression, plan));
    const reads = statesReadBy(step);
    const changing = steps.filter((one) => one.step !== step && changedBy(one.step).some((name) => reads.has(name)));
    return {
      id: `/completion/${step.stepId}/first`,
      term: any([
        atMost(count, 0),
        ...changing.map((one) => atLeast(one.count, 1)),
        { op: 'and', args: [TRUE, ...conditions.map(({ expression }) => definitely(expression, scope))] },
      ]),
    };
  });
}

function statesReadBy({ where }: Step): ReadonlySet<string> {
  const read = new Set<string>();
  walkExpressions(
    where.map(({ expression }) => expression),
    (node) => {
      if (node.op === 'reference' && node.scope === 'state') read.add(node.name);
      if (node.op === 'at') read.add(node.map);
    },
  );
  return read;
}

const changedBy = ({ tool, effects, mapEffects }: Step): readonly string[] =>
  [tool.effects, effects, tool.mapEffects, mapEffects].flatMap((each) => [...each.keys()]);

interface FinalParts {
  readonly session: EncodingSession;
  readonly following: ReadonlyMap<string, RemainingActions>;
}

/** The state at the end: what the actions that follow add, if they only add, and otherwise anything of its type. */
function finalState(plan: Plan, end: Scope, { session, following }: FinalParts) {
  const final = new Map(end.names.final);
  const bounds: Formula[] = [];
  for (const [name, before] of final) {
    const type = plan.state.get(name)?.type;
    const changes = [...following.values()].flatMap((remaining) =>
      effectsOn(name, remaining.step).map((effect) => ({ rest: remaining, effect })),
    );
    if (type === undefined || changes.length === 0) continue;
    const added = changes.map(({ rest: remaining, effect }) => {
      const added = addedTo(name, effect);
      return added && remaining.sum(added);
    });
    const isAdditive = added.every((sum) => sum !== undefined);
    const key = `/final/${name}`;
    const term = session.open(key, isAdditive ? withoutBounds(type) : type);
    final.set(name, term);
    if (!isAdditive) {
      const isUnchanged = changes.map(({ rest: remaining }) => atMost(remaining.count, 0));
      session.facts.push({
        id: key,
        term: any([not({ op: 'and', args: isUnchanged }), { op: '=', left: term, right: before }]),
      });
      continue;
    }
    const sum: Term = { op: '+', args: [before, ...added.filter((one) => one !== undefined)] };
    session.facts.push({ id: key, term: { op: '=', left: term, right: sum } });
    if ('min' in type) {
      const within: Term = {
        op: 'and',
        args: [
          { op: '<=', left: literal(type.min), right: term },
          { op: '<=', left: term, right: literal(type.max) },
        ],
      };
      bounds.push({ id: `/completion/final/state/${name}`, term: within });
    }
  }
  return { final, bounds };
}
