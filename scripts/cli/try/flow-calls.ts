import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { createReader } from '../../launch/parse/json-reader.ts';
import { type Api, ApiError } from './api.ts';
import { type PlayedAction, type PlayedArtifact, readToolFile } from './run-file.ts';

const Verdict = Type.Object({
  verdict: Type.String(),
  reasons: Type.Array(Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() })),
});
export type Verdict = Static<typeof Verdict>;

const Plan = Type.Object({ plan_id: Type.String(), plan_hash: Type.String() });
export type Plan = Static<typeof Plan>;

const Check = Type.Object({ check_id: Type.String(), result: Verdict });
export type Check = Static<typeof Check>;

const Execution = Type.Object({
  execution_id: Type.String(),
  actions: Type.Array(Type.Object({ action_id: Type.String() })),
  /** Why it was refuted when it was recorded. */
  refused: Type.Optional(Type.Array(Type.Object({ code: Type.String(), message: Type.String() }))),
});
export type Execution = Static<typeof Execution>;

const Verification = Type.Object({
  state: Type.String(),
  verdicts: Type.Record(Type.String(), Verdict),
  proof_id: Type.Union([Type.String(), Type.Null()]),
});
export type Verification = Static<typeof Verification>;

const readPlan = createReader(Plan, 'the answer to a new plan');
const readCheck = createReader(Check, 'the answer to a check');
const readExecution = createReader(Execution, 'the answer to a new execution');
const readVerification = createReader(Verification, 'the answer to a verification');

/** The checks before an execution, in order, with the paths that run them. */
export const CHECKS = [
  ['plan_alignment', '/api/v1/verify/plan-alignment'],
  ['constraints', '/api/v1/verify/constraints'],
] as const;

/** Describes tools, those of the example by default, in the tenant's catalogue, unless it has them. */
export async function describeTools(approver: Api, tools = readToolFile()): Promise<void> {
  for (const tool of tools) {
    try {
      await approver.post('/api/v1/tools', { tool });
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'TOOL_EXISTS')) throw error;
    }
  }
}

/** @param plan its text, or its canonical form */
export async function createPlan(agent: Api, plan: unknown): Promise<Plan> {
  return readPlan(await agent.post('/api/v1/plans', typeof plan === 'string' ? { plan_text: plan } : { plan }));
}

export async function approvePlan(approver: Api, { plan_id, plan_hash }: Plan): Promise<void> {
  await approver.post(`/api/v1/plans/${plan_id}/approve`, { plan_hash });
}

/** Asks whether the actions are allowed, before they are done. */
export async function checkActions(
  agent: Api,
  path: string,
  { plan_id, plan_hash }: Plan,
  actions: readonly PlayedAction[],
): Promise<Check> {
  const intents = actions.map(({ response: _, ...intent }) => intent);
  return readCheck(await agent.post(path, { plan_id, plan_hash, mode: 'complete', actions: intents }));
}

export interface CheckIds {
  readonly alignment_check_id: string;
  readonly constraints_check_id: string;
}

/** Records the actions. All of them happen at the moment of the call. */
export async function recordExecution(
  agent: Api,
  { plan_id, plan_hash }: Plan,
  checkIds: CheckIds,
  actions: readonly PlayedAction[],
): Promise<Execution> {
  // Times of the API have microseconds.
  const now = `${new Date(Date.now()).toISOString().slice(0, -1)}000Z`;
  const timed = actions.map((action) => ({ ...action, started_at: now, ended_at: now }));
  return readExecution(await agent.post('/api/v1/executions', { plan_id, plan_hash, ...checkIds, actions: timed }));
}

export async function submitEvidence(
  agent: Api,
  execution: Execution,
  evidence: readonly PlayedArtifact[],
): Promise<void> {
  const artifacts = evidence.map((artifact) => encode(artifact, execution));
  await agent.post(`/api/v1/executions/${execution.execution_id}/evidence`, { artifacts });
}

/** An artifact for an action that does not exist has no `action_id`, which the server refuses. */
function encode({ seq, kind, media_type, content }: PlayedArtifact, { actions }: Execution) {
  return { action_id: actions[seq]?.action_id, kind, media_type, ...encodeJson(content) };
}

/** The bytes of an artifact, and their digest. */
export function encodeJson(content: unknown) {
  const bytes = Buffer.from(JSON.stringify(content));
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes_base64: bytes.toString('base64') };
}

export async function verifyExecution(agent: Api, { execution_id }: Execution): Promise<Verification> {
  return readVerification(await agent.post(`/api/v1/executions/${execution_id}/verify`, {}));
}
