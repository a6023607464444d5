import { LanguageError } from '../../exact/language-error.ts';
import type { Problem } from '../decide/verdict.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { Action } from './action.ts';
import { alignmentProblem } from './alignment.ts';
import { type Circumstances, underCircumstances } from './circumstances.ts';
import { constraintsProblem } from './constraints.ts';
import { type Artifact, evidenceProblem } from './evidence.ts';
import { type Judge, judge } from './judge.ts';
import { type Judgement, malformed } from './judgement.ts';
import { readActions } from './read-actions.ts';
import { type Assurance, replayRun } from './replay.ts';
import type { RunModel } from './run-builder.ts';
import { modelRun } from './run-model.ts';

/** An execution as it was recorded; nothing in it is a verdict. */
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

/** Works out from the records alone whether the acts were the plan: the same records, the same verdicts. */
export function verifyExecution({ plan, sheets, actions, ...rest }: Execution, by: Judge): Verification {
  try {
    const read = readPlan(plan, sheets);
    return verifyRun(read, readActions(actions, read), { ...rest, by });
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
  { artifacts, circumstances, by }: Pick<Execution, 'artifacts' | 'circumstances'> & { readonly by: Judge },
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
