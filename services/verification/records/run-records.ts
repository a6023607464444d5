import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { assertStored } from '../../store/read-back.ts';
import { MAX_ARTIFACT_BYTES } from '../contract/arguments.ts';
import { digestBytes } from '../proof/digests.ts';
import type { TaskOf } from '../solver/judge.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { evidenceOf } from './evidence-wanted.ts';
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
import { findPlan, type PlanRecord } from './plan-records.ts';
import { hashIntents, hashRecords, type RecordedAction, type RecordHashes } from './record-hashes.ts';

/** Everything that a verification is of, as it stands in one transaction. */
export interface RunRecords {
  readonly plan: PlanRecord & { readonly approved_at: string };
  readonly execution: ExecutionRecord;
  readonly actions: readonly RecordedAction[];
  readonly ids: readonly ActionRecord[];
  readonly artifacts: readonly StoredArtifact[];
  readonly hashes: RecordHashes;
  readonly isEvidenceRequired: boolean;
}

/** With the bytes of its artifacts, which are many. */
export interface WholeRecords extends RunRecords {
  readonly contents: readonly ArtifactContent[];
}

/**
 * Undefined for an execution that is not there, or another tenant's.
 * @param until what came later is left out: a time as records have it
 */
export async function findRunRecords(
  transaction: TenantTransaction,
  executionId: string,
  until = 'infinity',
): Promise<RunRecords | undefined> {
  const execution = await findExecution(transaction, executionId);
  const plan = execution && (await findPlan(transaction, execution.plan_id));
  if (execution === undefined || plan === undefined || plan.approved_at === null) return undefined;
  const document = JSON.parse(plan.document) as PlanDocument;
  const actions = JSON.parse(execution.actions) as readonly RecordedAction[];
  const artifacts = await findArtifacts(transaction, executionId, until);
  return {
    plan: { ...plan, approved_at: plan.approved_at },
    execution,
    actions,
    ids: await findActions(transaction, executionId),
    artifacts,
    hashes: hashRecords({
      plan: document,
      actions,
      artifacts: artifacts.map(({ action_id: _, ...artifact }) => artifact),
      approvedAt: plan.approved_at,
      receivedAt: execution.received_at,
      proposedIntents: execution.intents_hash,
    }),
    isEvidenceRequired: actions.some((action) => evidenceOf(document, action).some(({ min }) => min > 0)),
  };
}

/** As `findRunRecords`, with the bytes. @throws {Error} if a record is not what was hashed when it came */
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
  return { ...records, contents };
}

/** The question that a verification is. */
export function toVerifyTask({ plan, execution, actions, artifacts, contents }: WholeRecords): TaskOf<'verify'> {
  const bytes = new Map(contents.map(({ artifact_id, content }) => [artifact_id, content]));
  return {
    plan: plan.document,
    sheets: plan.sheets,
    actions: execution.actions,
    artifacts: artifacts.map(({ artifact_id, seq, kind }) => ({
      action: seq,
      kind,
      ...jsonOf(bytes.get(artifact_id)),
    })),
    circumstances: {
      approvedAt: plan.approved_at,
      receivedAt: execution.received_at,
      proposedIntents: execution.intents_hash,
      recordedIntents: hashIntents(actions),
    },
  };
}

/** Evidence with more values takes seconds to read, and is no receipt. */
const MAX_EVIDENCE_VALUES = 100_000;
const EVIDENCE_JSON = { ...RECORD_JSON, numbers: 'any', nul: 'accepted', maxValues: MAX_EVIDENCE_VALUES } as const;

/** The text of an artifact that is JSON with one meaning; of any other, nothing can be read. */
export function jsonOf(content: Buffer | undefined): { readonly json?: string } {
  if (content === undefined) return {};
  try {
    parseStrictJsonBytes(content, MAX_ARTIFACT_BYTES, EVIDENCE_JSON);
    return { json: content.toString('utf8') };
  } catch (error) {
    if (error instanceof StrictJsonError) return {};
    throw error;
  }
}
