import type { ActionDocument } from '../../exact/action-schema.ts';
import { defined } from '../../exact/defined.ts';
import { parseInstant } from '../../exact/instants.ts';
import { usesTimes } from '../../plan/expressions.ts';
import { isTooLarge } from '../../plan/language/expand.ts';
import type { Value } from '../../plan/language/values.ts';
import { variablesIn } from '../../plan/language/walk.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, Problem, Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { knownValue } from '../elaborate/kleene.ts';
import { type Action, isDone } from './action.ts';
import { tookEffectKey } from './action-element.ts';
import { decideParts } from './decide-parts.ts';
import type { PlannedRun } from './encoding-session.ts';
import { type Judgement, type Reason, toJudgement } from './judgement.ts';
import { placed } from './placed-action.ts';
import { type Schedule, schedulesOf } from './schedules.ts';
import { endKey } from './times.ts';
import { valuesIn } from './to-problem.ts';

const MAX_NAMED = 3;

interface How {
  /** Gets the whole decision. */
  readonly see?: (decision: Decision) => void;
  readonly by?: (problem: Problem, solver: BoundedSolver) => Decision;
}

/**
 * Decides the problem that `build` makes, if it makes one. The judgement of a problem that is too large is `indeterminate`.
 */
export function judge<Built extends Problem | undefined>(
  question: Question,
  build: () => Built,
  solver: BoundedSolver,
  how?: How,
): Judgement | (undefined extends Built ? undefined : never);
export function judge(
  question: Question,
  build: () => Problem | undefined,
  solver: BoundedSolver,
  { see, by = decide }: How = {},
): Judgement | undefined {
  return unlessTooLarge(question, () => {
    const problem = build();
    const decision = problem && by(problem, solver);
    if (decision !== undefined) see?.(decision);
    return problem && decision && toJudgement(decision, problem.rules);
  });
}

/**
 * Judges a recorded run: does it obey the rules however its acts of no certain outcome turned out? If it does not, the judgement
 * is that of one way in which it breaks them.
 */
export function judgeRecorded<Built extends Problem | undefined>(
  run: PlannedRun,
  build: (run: PlannedRun) => Built,
  solver: BoundedSolver,
): Judgement | (undefined extends Built ? undefined : never);
export function judgeRecorded(
  run: PlannedRun,
  build: (run: PlannedRun) => Problem | undefined,
  solver: BoundedSolver,
): Judgement | undefined {
  const open = openActs(run);
  if (open.length === 0) return judge('holds', () => build(run), solver);
  let problem: Problem | undefined;
  let decision: Decision | undefined;
  const built = () => {
    problem = build(run);
    return problem;
  };
  const see = (decided: Decision) => {
    decision = decided;
  };
  const judgement = judge('holds', built, solver, { see, by: decideParts });
  if (problem === undefined || decision === undefined) return judgement;
  const inCase = (turnedOut: ReadonlyMap<string, Value>) =>
    judge('holds', () => build({ ...run, runContext: { ...run.runContext, turnedOut } }), solver);
  const cases = [false, true].map((did) => turnedOutIn(run, did));
  if (decision.verdict === 'underdetermined') {
    const failing = valuesIn(decision.failing, problem);
    const known = inCase(new Map([...defined(cases[0]), ...failing]));
    // A case in which nothing is broken says nothing of the others.
    if (known === undefined || known.verdict === 'satisfied') return judgement;
    return { ...known, reasons: known.reasons.map((reason) => whereTurnedOut(reason, open, failing)) };
  }
  if (decision.verdict !== 'violated' && decision.verdict !== 'invalid_input') return judgement;
  // It breaks the rules in every case, or so it seems while the keys of maps are open. A case with known values says more.
  for (const turnedOut of cases) {
    const found = inCase(turnedOut);
    if (found?.verdict !== 'satisfied') return found;
  }
  return judgement;
}

interface OpenAct {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** `the run`, or `run 1`. */
  readonly of: string;
  readonly record: ActionDocument;
}

/** Acts of no certain outcome, of this run and of those that were recorded before. */
function openActs({ actions, runContext }: PlannedRun): readonly OpenAct[] {
  const openIn = (acts: readonly Action[], list: string, of: string) =>
    acts.flatMap((action, index): readonly OpenAct[] => {
      if (isDone(action) || action.record === undefined) return [];
      return [{ path: `${list}/${index}`, number: index + 1, of, record: action.record }];
    });
  const earlier = runContext?.earlier ?? [];
  return [
    ...earlier.flatMap((acts, run) => openIn(acts, `/runs/${run}/actions`, `run ${run + 1}`)),
    ...openIn(actions, '/actions', 'the run'),
  ];
}

/** That none of its acts of no certain outcome took effect, or that all did, until the end that they report. */
function turnedOutIn(run: PlannedRun, did: boolean): ReadonlyMap<string, Value> {
  return new Map(
    openActs(run).flatMap(({ path, record }): readonly (readonly [string, Value])[] => {
      const end = endKey(path);
      return [
        [end, parseInstant(record.ended_at, end)],
        [tookEffectKey(path), did],
      ];
    }),
  );
}

/** The run in both cases, or the run itself if it has no such acts. */
export function casesOf(run: PlannedRun): readonly PlannedRun[] {
  if (openActs(run).length === 0) return [run];
  return [false, true].map((did) => ({ ...run, runContext: { ...run.runContext, turnedOut: turnedOutIn(run, did) } }));
}

function whereTurnedOut(reason: Reason, open: readonly OpenAct[], turnedOut: ReadonlyMap<string, Value>): Reason {
  const named = (wanted: boolean) => open.filter(({ path }) => turnedOut.get(tookEffectKey(path)) === wanted);
  const [did, didNot] = [named(true), named(false)];
  const listOf = (acts: readonly OpenAct[]) =>
    [...Map.groupBy(acts, ({ of }) => of)]
      .map(([of, each]) => {
        const shown = each.slice(0, MAX_NAMED).map(({ number }) => number);
        return `action${each.length === 1 ? '' : 's'} ${shown.join(', ')}${each.length > MAX_NAMED ? ', …' : ''} of ${of}`;
      })
      .join(' and ');
  const parts = [
    ...(did.length === 0 ? [] : [`${listOf(did)} took effect`]),
    ...(didNot.length === 0 ? [] : [`${listOf(didNot)} did not`]),
  ];
  return parts.length === 0 ? reason : { ...reason, message: `${reason.message} (if ${parts.join(', and ')})` };
}

/**
 * Judges whether a run whose times are open can obey rules. Most runs can at a simple schedule, which decides at once for
 * 1,000 actions. The solver looks for other times only if none of the schedules does, and may give up on some hundred.
 */
export function judgePossible(
  run: PlannedRun,
  build: (assigned?: Schedule) => Problem,
  solver: BoundedSolver,
): Judgement {
  if (!usesTimes(run.plan)) return judge('possible', build, solver);
  return unlessTooLarge('possible', () => decideTimes(run, build, solver));
}

function decideTimes(run: PlannedRun, build: (assigned?: Schedule) => Problem, solver: BoundedSolver): Judgement {
  let open: Problem | undefined;
  for (const schedule of schedulesOf(run, placed(run.actions))) {
    const problem = build(schedule);
    if (brokenIn(problem).size === 0) {
      const decision = decide(problem, solver);
      if (decision.verdict === 'satisfied' || decision.verdict === 'engine_error') return toJudgement(decision);
    } else if (open === undefined) {
      open = build();
      // Rules that are broken at any time are broken at these times, at which every fact can be computed.
      const broken = brokenIn(open);
      const rules = problem.rules.filter(({ id }) => broken.has(id));
      const decision = decide({ ...problem, rules }, solver);
      if (decision.verdict === 'violated') return toJudgement(decision, rules);
    }
  }
  open ??= build();
  const decision = decide(open, solver);
  const isUnnamed = decision.verdict === 'indeterminate' && decision.path === undefined;
  return isUnnamed ? tooHard(open, decision) : toJudgement(decision, open.rules);
}

const brokenIn = ({ rules }: Problem): ReadonlySet<string> =>
  new Set(rules.filter(({ term }) => knownValue(term) === false).map(({ id }) => id));

/** Names the rules that depend on times. */
function tooHard({ rules }: Problem, decision: Decision): Judgement {
  const ids = [...new Set(rules.filter(({ term }) => variablesIn([term]).size > 0).map(({ id }) => id))];
  const named = ids.slice(0, MAX_NAMED).join(', ') || 'the order of the times';
  return giveUp(toJudgement(decision), ids[0] ?? '', `no times were found that obey ${named}, and none were ruled out`);
}

const giveUp = (judgement: Judgement, path: string, why: string): Judgement => ({
  ...judgement,
  reasons: [
    {
      code: 'SOLVER_GAVE_UP',
      path,
      message: `${why}: propose fewer actions together, or check each before it is done`,
    },
  ],
});

function unlessTooLarge<Judged>(question: Question, judged: () => Judged): Judged | Judgement {
  try {
    return judged();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const judgement = toJudgement({ verdict: 'indeterminate', reason: error.message, question, checks: [] });
    return giveUp(judgement, error.path, `${error.path} ${error.message}`.trim());
  }
}
