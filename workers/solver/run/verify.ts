import { decide } from '../decide/decide.ts';
import type { Problem } from '../decide/verdict.ts';
import { LanguageError } from '../language/language-error.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { SmtSolver } from '../smt-solver.ts';
import type { Action } from './action.ts';
import { alignmentProblem } from './alignment.ts';
import { constraintsProblem } from './constraints.ts';
import { type Artifact, evidenceProblem } from './evidence.ts';
import { type Judgement, malformed, toJudgement } from './judgement.ts';
import { readActions } from './read-actions.ts';
import { type Assurance, replayRun } from './replay.ts';
import { modelRun } from './run-model.ts';

/** An execution as it was recorded; nothing in it is a verdict. */
export interface Execution {
  readonly plan: unknown;
  readonly actions: unknown;
  readonly artifacts: readonly Artifact[];
}

export interface Verification {
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Judgement>>;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

export interface Judge {
  readonly solver: SmtSolver;
  readonly rlimit: number;
}

/** Works out from the records alone whether the acts were the plan: the same records, the same verdicts. */
export function verifyExecution({ plan, actions, artifacts }: Execution, judge: Judge): Verification {
  try {
    const read = readPlan(plan);
    return verifyRun(read, readActions(actions, read), { artifacts, judge });
  } catch (error) {
    if (!(error instanceof LanguageError || error instanceof PlanError)) throw error;
    const judgement = malformed('holds', error);
    const verdicts = { plan_alignment: judgement, constraints: judgement, evidence: judgement, replay: judgement };
    return { verdicts, assurance: undefined };
  }
}

function verifyRun(
  plan: Plan,
  actions: readonly Action[],
  { artifacts, judge }: { readonly artifacts: readonly Artifact[]; readonly judge: Judge },
): Verification {
  const ask = (problem: Problem) => toJudgement(decide(problem, judge));
  const alignment = ask(alignmentProblem(plan, actions, { model: modelRun(plan, actions), question: 'holds' }));
  const { replay, assurance } = judgeReplay(plan, actions, alignment);
  return {
    verdicts: {
      plan_alignment: alignment,
      constraints: ask(constraintsProblem(plan, modelRun(plan, actions))),
      evidence: ask(evidenceProblem(modelRun(plan, actions), artifacts)),
      replay,
    },
    assurance,
  };
}

/** Of actions that are not the plan's nothing can be replayed: what they would do is not known. */
function judgeReplay(
  plan: Plan,
  actions: readonly Action[],
  alignment: Judgement,
): { readonly replay: Judgement; readonly assurance: Assurance | undefined } {
  const common = { question: 'holds', core: [], engine: 'evaluator', checks: [] } as const;
  if (alignment.verdict !== 'satisfied') {
    const reason = { code: 'NOT_ALIGNED', path: '', message: 'the actions are not those of the plan' } as const;
    return { replay: { ...common, verdict: 'indeterminate', engine: 'none', reasons: [reason] }, assurance: undefined };
  }
  const replay = replayRun(plan, actions);
  if (replay.verdict === 'satisfied') {
    return { replay: { ...common, verdict: 'satisfied', reasons: [] }, assurance: replay.assurance };
  }
  return { replay: { ...common, verdict: 'violated', reasons: [replay.divergence] }, assurance: undefined };
}
