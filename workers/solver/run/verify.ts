import { DocumentError } from '../../exact/document-error.ts';
import type { Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { Action } from './action.ts';
import { alignmentProblem } from './alignment.ts';
import { type Circumstances, underCircumstances } from './circumstances.ts';
import { constraintsProblem } from './constraints.ts';
import { type Artifact, evidenceProblem } from './evidence.ts';
import { judge } from './judge.ts';
import { type Judgement, malformed } from './judgement.ts';
import { readActions } from './read-actions.ts';
import { type Assurance, replayRun } from './replay.ts';
import type { RunModel } from './run-builder.ts';
import { modelRun } from './run-model.ts';

/** An execution as recorded. It has no verdicts. */
export interface Execution {
  readonly plan: unknown;
  /** Texts of the sheets that the plan uses. */
  readonly sheets?: readonly string[];
  readonly actions: unknown;
  readonly artifacts: readonly Artifact[];
  readonly circumstances?: Circumstances;
}

export interface Verification {
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Judgement>>;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

/** Verifies an execution from its records alone. The same records always give the same verdicts. */
export function verifyExecution({ plan, sheets, actions, ...rest }: Execution, by: BoundedSolver): Verification {
  try {
    const read = readPlan(plan, sheets);
    return verifyRun(read, readActions(actions, read), { ...rest, by });
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
    const judgement = malformed('holds', error);
    const verdicts = { plan_alignment: judgement, constraints: judgement, evidence: judgement, replay: judgement };
    return { verdicts, assurance: undefined };
  }
}

function verifyRun(
  plan: Plan,
  actions: readonly Action[],
  { artifacts, circumstances, by }: Pick<Execution, 'artifacts' | 'circumstances'> & { readonly by: BoundedSolver },
): Verification {
  const ask = (build: (model: RunModel) => Problem) => judge('holds', () => build(modelRun(plan, actions)), by);
  const alignment = ask((model) => {
    const problem = alignmentProblem(plan, actions, { model, question: 'holds' });
    return circumstances === undefined ? problem : underCircumstances(problem, actions, circumstances);
  });
  const { replay, assurance } = judgeReplay(plan, actions, alignment);
  return {
    verdicts: {
      plan_alignment: alignment,
      constraints: ask((model) => constraintsProblem(plan, model)),
      evidence: ask((model) => evidenceProblem(model, artifacts)),
      replay,
    },
    assurance,
  };
}

/** Actions that are not aligned with the plan cannot be replayed: the plan does not say what they do. */
function judgeReplay(
  plan: Plan,
  actions: readonly Action[],
  alignment: Judgement,
): { readonly replay: Judgement; readonly assurance: Assurance | undefined } {
  const common = { question: 'holds', core: [], engine: 'evaluator', checks: [] } as const;
  if (alignment.verdict !== 'satisfied') {
    const reason = { code: 'NOT_ALIGNED', path: '', message: 'the actions are not aligned with the plan' } as const;
    return { replay: { ...common, verdict: 'indeterminate', engine: 'none', reasons: [reason] }, assurance: undefined };
  }
  const replay = replayRun(plan, actions);
  if (replay.verdict === 'satisfied') {
    return { replay: { ...common, verdict: 'satisfied', reasons: [] }, assurance: replay.assurance };
  }
  return { replay: { ...common, verdict: 'violated', reasons: [replay.divergence] }, assurance: undefined };
}
