import { defined } from '../../../workers/exact/defined.ts';
import { type Api, ApiError } from './api.ts';
import {
  approvePlan,
  CHECKS,
  checkActions,
  createPlan,
  type Execution,
  recordExecution,
  submitEvidence,
  type Verdict,
  verifyExecution,
} from './flow-calls.ts';
import type { Ending, RunFile } from './run-file.ts';

export interface Player {
  readonly agent: Api;
  readonly approver: Api;
  /** Called after every step. `page` is the path of a page that shows its outcome. */
  readonly onStep: (step: string, detail: string, page?: string) => void;
}

/** Where a play ended. `proofId` and `executionId` are set if there is a proof. */
export type Played = Ending & { readonly proofId?: string; readonly executionId?: string };

/** Plays a run from the plan, which is text, to the proof, or until a step is refused. */
export async function playRun(plan: string, run: RunFile, player: Player): Promise<Played> {
  const { agent } = player;
  let at: Ending['at'] = 'create_plan';
  try {
    const text = Object.entries(run.plan ?? {}).reduce((changed, [from, to]) => changed.replace(from, to), plan);
    const proposed = await createPlan(agent, text);
    player.onStep(at, `plan ${proposed.plan_id}`, `/plans/${proposed.plan_id}`);
    at = 'approve_plan';
    await approvePlan(run.approver === 'agent' ? agent : player.approver, proposed);
    player.onStep(at, `hash ${proposed.plan_hash.slice(0, 16)}…`);
    const checkIds: string[] = [];
    for (const [kind, path] of CHECKS) {
      at = kind;
      const check = await checkActions(agent, path, proposed, run.proposed ?? run.actions);
      player.onStep(at, check.result.verdict);
      if (check.result.verdict !== 'satisfied') return { at, ...endingOf(check.result) };
      checkIds.push(check.check_id);
    }
    at = 'execute';
    const ids = { alignment_check_id: defined(checkIds[0]), constraints_check_id: defined(checkIds[1]) };
    const execution = await recordExecution(agent, proposed, ids, run.actions);
    player.onStep(at, `execution ${execution.execution_id}`, `/executions/${execution.execution_id}`);
    const [refused] = execution.refused ?? [];
    if (refused !== undefined) {
      player.onStep(at, `refuted: ${refused.message}`);
      return { at, code: refused.code };
    }
    at = 'evidence';
    await submitEvidence(agent, execution, run.evidence);
    player.onStep(at, `${run.evidence.length} artifacts`);
    at = 'replay_verify';
    return await verify(player, execution);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    player.onStep(at, `${error.code}: ${error.message}`);
    return { at, code: error.code };
  }
}

async function verify({ agent, onStep }: Player, execution: Execution): Promise<Played> {
  const { state, verdicts, proof_id: proofId } = await verifyExecution(agent, execution);
  const summary = Object.entries(verdicts).map(([check, { verdict }]) => `${check} ${verdict}`);
  const page = proofId === null ? undefined : `/proofs/${proofId}`;
  onStep('replay_verify', `${state}: ${summary.join(', ')}`, page);
  if (proofId !== null) return { at: 'proof', proofId, executionId: execution.execution_id };
  const failed = Object.entries(verdicts).find(([, { verdict }]) => verdict !== 'satisfied');
  if (failed === undefined) return { at: 'replay_verify' };
  const [check, verdict] = failed;
  return { at: 'replay_verify', check, ...endingOf(verdict) };
}

function endingOf({ verdict, reasons: [first] }: Verdict): Omit<Ending, 'at'> {
  return first === undefined ? { verdict } : { verdict, reason: first.code, path: first.path };
}
