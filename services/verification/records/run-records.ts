import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { assertStored } from '../../store/read-back.ts';
import { digestBytes } from '../proof/digests.ts';
import type { TaskOf } from '../solver/solver.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { findEarlierRuns } from './earlier-runs.ts';
import { jsonOf } from './evidence-json.ts';
import {
  type ActionRecord,
  type ArtifactContent,
  type ExecutionRecord,
  findActions,
  findArtifacts,
  findContents,
  findExecution,
  type StoredArtifact,
} from './execution-records.ts';
import { approvalFacts, findParts, findPlan, type PlanParts, type PlanRecord } from './plan-records.ts';
import { type EarlierRun, hashIntents, hashRecords, hashRuns, type RecordHashes, runsFact } from './record-hashes.ts';
import { readActions } from './stored-documents.ts';

/** Everything that a verification reads, as of one transaction. */
export interface RunRecords {
  readonly plan: PlanRecord & { readonly approved_at: string };
  readonly execution: ExecutionRecord;
  readonly actions: readonly ActionDocument[];
  readonly ids: readonly ActionRecord[];
  readonly artifacts: readonly StoredArtifact[];
  /** Those of the plan that were recorded before. Undefined if it has no rules over its runs. */
  readonly runs: readonly EarlierRun[] | undefined;
  readonly hashes: RecordHashes;
}

/** With the bytes of the artifacts, which can be large. */
export interface WholeRecords extends RunRecords {
  readonly contents: readonly ArtifactContent[];
  readonly parts: PlanParts;
}

/**
 * Returns undefined for an execution that does not exist, or belongs to another tenant.
 * @param until a time as records have it; later artifacts are left out
 */
export async function findRunRecords(
  transaction: TenantTransaction,
  executionId: string,
  until = 'infinity',
): Promise<RunRecords | undefined> {
  const execution = await findExecution(transaction, executionId, until);
  const found = execution && (await findPlan(transaction, execution.plan_id));
  if (execution === undefined || found === undefined || found.approved_at === null) return undefined;
  // The plan as it was approved when the execution was recorded.
  const approvals = found.approvals.filter(({ at }) => at <= execution.received_at);
  const plan = { ...found, approvals, approved_at: found.approved_at };
  const actions = readActions(execution);
  const artifacts = await findArtifacts(transaction, executionId, until);
  const runs = await findEarlierRuns(transaction, plan, execution.run ?? 0);
  return {
    plan,
    execution,
    actions,
    runs,
    ids: await findActions(transaction, executionId),
    artifacts,
    hashes: hashRecords({
      plan: JSON.parse(plan.document),
      actions,
      artifacts: artifacts.map(({ action_id: _, ...artifact }) => artifact),
      approvedAt: plan.approved_at,
      receivedAt: execution.received_at,
      proposedIntents: execution.intents_hash,
      approvals: plan.approvals,
      runs: runs && hashRuns(plan.plan_hash, runs),
    }),
  };
}

/** Like `findRunRecords`, with the bytes. @throws {Error} if a record differs from what was hashed when it came */
export async function findWholeRecords(
  transaction: TenantTransaction,
  executionId: string,
  until?: string,
): Promise<WholeRecords | undefined> {
  const records = await findRunRecords(transaction, executionId, until);
  if (records === undefined) return undefined;
  const { plan, execution, artifacts, hashes } = records;
  const ids = artifacts.map(({ artifact_id }) => artifact_id);
  const contents = await findContents(transaction, ids);
  assertStored(plan.plan_hash, hashes.plan_hash);
  assertStored(execution.execution_hash, hashes.execution_hash);
  const digests = new Map(contents.map(({ artifact_id, content }) => [artifact_id, digestBytes(content)]));
  for (const { artifact_id, sha256 } of artifacts) assertStored(digests.get(artifact_id), sha256);
  return { ...records, contents, parts: await findParts(transaction, plan) };
}

/** The task of the solver that verifies a run. */
export function toVerifyTask({
  plan,
  parts,
  execution,
  actions,
  artifacts,
  contents,
  runs,
}: WholeRecords): TaskOf<'verify'> {
  const bytes = new Map(contents.map(({ artifact_id, content }) => [artifact_id, content]));
  return {
    ...parts,
    actions: execution.actions,
    ...runsFact(runs),
    artifacts: artifacts.map(({ artifact_id, seq, kind }) => ({
      action: seq,
      kind,
      ...jsonOf(defined(bytes.get(artifact_id))),
    })),
    runContext: {
      approvedAt: plan.approved_at,
      receivedAt: execution.received_at,
      proposedIntents: execution.intents_hash,
      recordedIntents: hashIntents(actions),
      ...approvalFacts(plan),
    },
  };
}
