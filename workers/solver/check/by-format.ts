import type { Problem, Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { judgeOutlook } from '../outlook/judge-outlook.ts';
import type { Plan } from '../plan/plan.ts';
import type { Action } from '../run/action.ts';
import { alignmentProblem } from '../run/alignment.ts';
import { constraintsProblem } from '../run/constraints.ts';
import { type Artifact, evidenceProblem } from '../run/evidence.ts';
import { judgeCompletion } from '../run/judge-completion.ts';
import type { Judgement } from '../run/judgement.ts';
import { type Replay, replayRun } from '../run/replay.ts';
import { modelRun } from '../run/run-model.ts';
import { type Slack, slacksOf } from '../run/slack.ts';
import { alignmentProblem2 } from '../run-2/alignment.ts';
import { constraintsProblem2 } from '../run-2/constraints.ts';
import { evidenceProblem2 } from '../run-2/evidence.ts';
import { placed } from '../run-2/placed-action.ts';
import { replayRun2 } from '../run-2/replay.ts';
import type { RunCircumstances } from '../run-2/session.ts';
import { slacksOf2 } from '../run-2/slack.ts';

// What is asked about a run, for plans of either format. Both formats have problems of their own: the questions to the
// solver that proofs of format 1 name must stay as they are.

/** A run, and what is known about its approval. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly actions: readonly Action[];
  readonly circumstances?: RunCircumstances | undefined;
}

/**
 * In format 2, a whole proposal is asked about as `possible`: conditions can depend on times, which are open until the
 * actions are done.
 */
export function proposalAlignmentOf(run: PlannedRun): Problem {
  const { plan, actions, circumstances } = run;
  if (plan.format === 1) return alignmentOf(run, 'holds');
  return alignmentProblem2(plan, actions, { question: 'possible', isComplete: true, circumstances });
}

export function alignmentOf({ plan, actions, circumstances }: PlannedRun, question: Question): Problem {
  if (plan.format === 2) {
    return alignmentProblem2(plan, actions, { question, isComplete: question === 'holds', circumstances });
  }
  return alignmentProblem(plan, actions, { model: modelRun(plan, actions), question });
}

export function constraintsOf({ plan, actions, circumstances }: PlannedRun, question: Question): Problem {
  if (plan.format === 2) return constraintsProblem2(plan, placed(actions), { question, circumstances });
  return constraintsProblem(plan, modelRun(plan, actions), question);
}

export function evidenceOf({ plan, actions }: PlannedRun, artifacts: readonly Artifact[]): Problem {
  if (plan.format === 2) return evidenceProblem2(plan, actions, artifacts);
  return evidenceProblem(modelRun(plan, actions), artifacts);
}

export function replayOf({ plan, actions, circumstances }: PlannedRun): Replay {
  return plan.format === 2 ? replayRun2(plan, actions, circumstances) : replayRun(plan, actions);
}

export function slacksIn({ plan, actions, circumstances }: PlannedRun): readonly Slack[] {
  if (plan.format === 2) return slacksOf2(plan, placed(actions), circumstances);
  return slacksOf(plan, modelRun(plan, actions));
}

/** Whether a run that begins with these actions can be completed within the rules. */
export function completionOf({ plan, actions, circumstances }: PlannedRun, by: BoundedSolver): Judgement {
  if (plan.format === 2) return judgeOutlook({ plan, actions, circumstances }, by);
  return judgeCompletion(plan, actions, by);
}
