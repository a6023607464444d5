import { DocumentError } from '../../exact/document-error.ts';
import { PlanError } from '../../plan/plan-error.ts';
import { readPlan } from '../../plan/read/read-plan.ts';
import type { TableText } from '../../plan/read/read-table.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { EarlierRuns } from '../run/action.ts';
import { alignmentProblem } from '../run/alignment.ts';
import { constraintsProblem } from '../run/constraints.ts';
import { readEarlierRuns } from '../run/earlier-runs.ts';
import type { PlannedRun } from '../run/encoding-session.ts';
import { type Artifact, evidenceProblem } from '../run/evidence.ts';
import { judgeRecorded } from '../run/judge.ts';
import { type Judgement, malformed, undecided } from '../run/judgement.ts';
import { readActions } from '../run/read-actions.ts';
import { type Assurance, judgeReplay, type Replay } from '../run/replay.ts';
import { type ReportedContext, withReportedContext } from '../run/reported-times.ts';

/** An execution as recorded. It has no verdicts. */
export interface Execution {
  readonly plan: unknown;
  /** Texts of the sheets that the plan uses. */
  readonly sheets?: readonly string[];
  /** Texts of the descriptions and tables that the plan refers to. */
  readonly tools?: readonly string[];
  readonly tables?: readonly TableText[];
  readonly actions: unknown;
  readonly artifacts: readonly Artifact[];
  readonly runContext?: ReportedContext;
  /** A list of the actions of each run that was recorded before. */
  readonly runs?: unknown;
}

export interface Verification {
  readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Judgement>>;
  /** Undefined unless the replay is satisfied. */
  readonly assurance: Assurance | undefined;
}

/** Verifies an execution from its records alone. The same records always give the same verdicts. */
export function verifyExecution(
  { plan, sheets, tools = [], tables = [], actions, runs = [], ...rest }: Execution,
  solver: BoundedSolver,
): Verification {
  try {
    const read = readPlan(plan, sheets, { tools, tables });
    const earlier = readEarlierRuns(runs, read);
    return verifyRun({ plan: read, actions: readActions(actions, read) }, { ...rest, earlier, solver });
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
    const judgement = malformed('holds', error);
    const verdicts = { plan_alignment: judgement, constraints: judgement, evidence: judgement, replay: judgement };
    return { verdicts, assurance: undefined };
  }
}

interface Verified extends Pick<Execution, 'artifacts' | 'runContext'> {
  readonly earlier: EarlierRuns;
  readonly solver: BoundedSolver;
}

function verifyRun(
  { plan, actions }: Pick<PlannedRun, 'plan' | 'actions'>,
  { artifacts, runContext, earlier, solver }: Verified,
): Verification {
  const run: PlannedRun = { plan, actions, runContext: { ...runContext, earlier } };
  const alignment = judgeRecorded(
    run,
    (asked) => {
      const problem = alignmentProblem(asked, { question: 'holds', isComplete: true });
      return runContext === undefined ? problem : withReportedContext(problem, asked, runContext);
    },
    solver,
  );
  const { replay, assurance } = replayAligned(run, alignment, solver);
  return {
    verdicts: {
      plan_alignment: alignment,
      constraints: judgeRecorded(run, (asked) => constraintsProblem(asked, 'holds'), solver),
      evidence: judgeRecorded(run, (asked) => evidenceProblem(asked, artifacts), solver),
      replay,
    },
    assurance,
  };
}

/** Actions that are not aligned with the plan cannot be replayed: the plan does not say what they do. */
function replayAligned(run: PlannedRun, alignment: Judgement, solver: BoundedSolver): Replay {
  if (alignment.verdict === 'satisfied') return judgeReplay(run, solver);
  const message = 'the actions are not aligned with the plan';
  return { replay: undecided({ code: 'NOT_ALIGNED', path: '', message }), assurance: undefined };
}
