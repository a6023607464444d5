import { createHash } from 'node:crypto';
import { type Api, ApiError } from './api.ts';
import type { Ending, PlayedAction, PlayedArtifact, RunFile } from './run-file.ts';

export interface Player {
  readonly agent: Api;
  readonly approver: Api;
  /** Told of every step that was done. */
  readonly onStep: (step: string, detail: string) => void;
}

interface Verdict {
  readonly verdict: string;
  readonly reasons: readonly { readonly code: string; readonly path: string; readonly message: string }[];
}

interface Plan {
  readonly plan_id: string;
  readonly plan_hash: string;
}

interface Check {
  readonly check_id: string;
  readonly result: Verdict;
}

interface Execution {
  readonly execution_id: string;
  readonly actions: readonly { readonly action_id: string }[];
}

interface Verification {
  readonly state: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly proof_id: string | null;
}

/** Where a play ended; `proofId` of one that was proven. */
export type Played = Ending & { readonly proofId?: string; readonly executionId?: string };

/** Plays the flow from its beginning until something is refused, or there is a proof. */
export async function playRun(plan: object, run: RunFile, player: Player): Promise<Played> {
  let at: Ending['at'] = 'create_plan';
  try {
    const proposed = await player.agent.post<Plan>('/api/v1/plans', { plan: changed(plan, run.plan ?? {}) });
    player.onStep(at, `plan ${proposed.plan_id}`);
    at = 'approve_plan';
    await player[run.approver ?? 'approver'].post(`/api/v1/plans/${proposed.plan_id}/approve`, {
      plan_hash: proposed.plan_hash,
    });
    player.onStep(at, `hash ${proposed.plan_hash.slice(0, 16)}…`);
    const checkIds = [];
    for (const [kind, path] of CHECKS) {
      at = kind;
      const check = await propose(player.agent, path, proposed, run.proposed ?? run.actions);
      player.onStep(at, check.result.verdict);
      if (check.result.verdict !== 'satisfied') return { at, ...endingOf(check.result) };
      checkIds.push(check.check_id);
    }
    at = 'execute';
    const execution = await execute(player.agent, proposed, checkIds, run.actions);
    player.onStep(at, `execution ${execution.execution_id}`);
    at = 'evidence';
    const artifacts = run.evidence.map((artifact) => encode(artifact, execution));
    await player.agent.post(`/api/v1/executions/${execution.execution_id}/evidence`, { artifacts });
    player.onStep(at, `${artifacts.length} artifacts`);
    at = 'replay_verify';
    return await verify(player, execution);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    player.onStep(at, `${error.code}: ${error.message}`);
    return { at, code: error.code };
  }
}

const CHECKS = [
  ['plan_alignment', '/api/v1/verify/plan-alignment'],
  ['constraints', '/api/v1/verify/constraints'],
] as const;

function propose(agent: Api, path: string, plan: Plan, actions: readonly PlayedAction[]): Promise<Check> {
  const intents = actions.map(({ response: _, ...intent }) => intent);
  return agent.post<Check>(path, {
    plan_id: plan.plan_id,
    plan_hash: plan.plan_hash,
    mode: 'complete',
    actions: intents,
  });
}

function execute(
  agent: Api,
  plan: Plan,
  [alignment, constraints]: readonly string[],
  actions: readonly PlayedAction[],
): Promise<Execution> {
  // The play is done in no time: all of it at the instant before it is recorded.
  const now = `${new Date(Date.now()).toISOString().slice(0, -1)}000Z`;
  return agent.post<Execution>('/api/v1/executions', {
    plan_id: plan.plan_id,
    plan_hash: plan.plan_hash,
    alignment_check_id: alignment,
    constraints_check_id: constraints,
    actions: actions.map((action) => ({ ...action, started_at: now, ended_at: now })),
  });
}

function encode({ seq, kind, media_type, content }: PlayedArtifact, { actions }: Execution) {
  const bytes = Buffer.from(JSON.stringify(content));
  return {
    action_id: actions[seq]?.action_id,
    kind,
    media_type,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes_base64: bytes.toString('base64'),
  };
}

async function verify({ agent, onStep }: Player, { execution_id: executionId }: Execution): Promise<Played> {
  const {
    state,
    verdicts,
    proof_id: proofId,
  } = await agent.post<Verification>(`/api/v1/executions/${executionId}/verify`, {});
  const said = Object.entries(verdicts).map(([check, { verdict }]) => `${check} ${verdict}`);
  onStep('replay_verify', `${state}: ${said.join(', ')}`);
  if (proofId !== null) return { at: 'proof', proofId, executionId };
  const [check, failed] = Object.entries(verdicts).find(([, { verdict }]) => verdict !== 'satisfied') ?? [];
  return { at: 'replay_verify', ...(check && { check }), ...(failed && endingOf(failed)) };
}

function endingOf({ verdict, reasons: [first] }: Verdict): Omit<Ending, 'at'> {
  return { verdict, ...(first && { reason: first.code, path: first.path }) };
}

/** A copy with other values at some JSON pointers. */
function changed(plan: object, changes: Readonly<Record<string, unknown>>): object {
  const copy = structuredClone(plan);
  for (const [pointer, value] of Object.entries(changes)) {
    const [last = '', ...path] = pointer.slice(1).split('/').toReversed();
    let node = copy as Record<string, unknown>;
    for (const name of path.toReversed()) node = node[name] as Record<string, unknown>;
    node[last] = value;
  }
  return copy;
}
