import { sql } from 'kysely';
import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import type { Tables } from '../../store/tables.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { ArtifactRecord } from './record-hashes.ts';
import { readActions } from './stored-documents.ts';

/** Why an execution was refuted when it was recorded. */
export interface Refusal {
  readonly code: string;
  /** JSON pointer into the request, or empty. */
  readonly path: string;
  readonly message: string;
}

/** A stored execution. */
export interface ExecutionRecord {
  readonly execution_id: string;
  readonly plan_id: string;
  /** JSON. Those that were settled are done, with their response. */
  readonly actions: string;
  /** Of these actions. */
  readonly execution_hash: string;
  /** Hash of the proposed actions, from the alignment check. */
  readonly intents_hash: string;
  readonly received_at: string;
  readonly state: Tables['verification.execution']['state'];
  /** Why it was refuted when it was recorded. Undefined: it was not. */
  readonly refused: readonly Refusal[] | undefined;
  /** Group of the key that recorded it. */
  readonly owner: string;
  /** Its place among those of a plan with rules over its runs, from 1. */
  readonly run: number | null;
}

/** @param until a time as records have it; later settlements are left out */
export async function findExecution(
  transaction: TenantTransaction,
  executionId: string,
  until = 'infinity',
): Promise<ExecutionRecord | undefined> {
  const { rows } = await sql<Omit<ExecutionRecord, 'refused'> & { readonly reasons: string | null }>`
    SELECT reasons, execution.execution_id, execution.plan_id, execution.actions, execution_hash, intents_hash, state,
      execution.owner, run,
      verification.to_text(received_at) AS received_at
    FROM verification.execution
      JOIN verification.plan_check ON plan_check.tenant_id = execution.tenant_id AND check_id = alignment_check_id
      LEFT JOIN verification.refusal
        ON refusal.tenant_id = execution.tenant_id AND refusal.execution_id = execution.execution_id
    WHERE execution.execution_id = ${executionId}`.execute(transaction);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { reasons, ...stored } = row;
  const execution = { ...stored, refused: reasons === null ? undefined : (JSON.parse(reasons) as Refusal[]) };
  if (!execution.actions.includes('"outcome"')) return execution;
  const { rows: settled } = await sql<Settlement>`
    SELECT seq, response, execution_hash FROM verification.settlement
    WHERE execution_id = ${executionId} AND settled_at <= ${until} ORDER BY settled_at, seq`.execute(transaction);
  const last = settled.at(-1);
  if (last === undefined) return execution;
  const responses = new Map(settled.map(({ seq, response }) => [seq, JSON.parse(response) as unknown]));
  const actions = JSON.stringify(withResponses(readActions(execution), responses));
  return { ...execution, actions, execution_hash: last.execution_hash };
}

interface Settlement {
  readonly seq: number;
  readonly response: string;
  readonly execution_hash: string;
}

/** Actions of which some turned out to be done, with these responses by index. Nothing else of them changes. */
export function withResponses(
  actions: readonly ActionDocument[],
  responses: ReadonlyMap<number, unknown>,
): readonly ActionDocument[] {
  return actions.map((action, seq) => {
    if (!responses.has(seq)) return action;
    const { outcome: _, ...rest } = action;
    return { ...rest, response: responses.get(seq) };
  });
}

export interface ActionRecord {
  readonly seq: number;
  readonly action_id: string;
}

/** The actions of an execution, in order. */
export async function findActions(
  transaction: TenantTransaction,
  executionId: string,
): Promise<readonly ActionRecord[]> {
  return transaction
    .selectFrom('verification.action')
    .select(['seq', 'action_id'])
    .where('execution_id', '=', executionId)
    .orderBy('seq')
    .execute();
}

export interface StoredArtifact extends ArtifactRecord {
  readonly action_id: string;
}

/**
 * The artifacts that count: those that were not replaced, by id, which is the order of arrival.
 * @param until later artifacts are left out, and do not replace earlier ones
 */
export async function findArtifacts(
  transaction: TenantTransaction,
  executionId: string,
  until = 'infinity',
): Promise<readonly StoredArtifact[]> {
  const { rows } = await sql<StoredArtifact>`
    SELECT artifact_id, action_id, seq, kind, media_type, sha256, length(content) AS size
    FROM verification.artifact JOIN verification.action USING (tenant_id, action_id)
    WHERE artifact.execution_id = ${executionId} AND received_at <= ${until} AND NOT EXISTS (
      SELECT FROM verification.artifact AS newer
      WHERE newer.tenant_id = artifact.tenant_id AND newer.replaces = artifact.artifact_id
        AND newer.received_at <= ${until})
    ORDER BY artifact_id`.execute(transaction);
  return rows;
}

export interface ListedArtifact extends StoredArtifact {
  readonly replaces: string | null;
  readonly replaced_by: string | null;
}

/** All artifacts, including replaced ones, in the order of arrival. */
export async function listArtifacts(
  transaction: TenantTransaction,
  executionId: string,
): Promise<readonly ListedArtifact[]> {
  const { rows } = await sql<ListedArtifact>`
    SELECT artifact.artifact_id, artifact.action_id, seq, artifact.kind, artifact.media_type, artifact.sha256,
      length(artifact.content) AS size, artifact.replaces, newer.artifact_id AS replaced_by
    FROM verification.artifact JOIN verification.action USING (tenant_id, action_id)
      LEFT JOIN verification.artifact AS newer
        ON newer.tenant_id = artifact.tenant_id AND newer.replaces = artifact.artifact_id
    WHERE artifact.execution_id = ${executionId} ORDER BY artifact.artifact_id`.execute(transaction);
  return rows;
}

export interface ArtifactContent {
  readonly artifact_id: string;
  readonly media_type: string;
  readonly content: Buffer;
}

/** The bytes of artifacts, in the order of their ids. */
export async function findContents(
  transaction: TenantTransaction,
  artifactIds: readonly string[],
): Promise<readonly ArtifactContent[]> {
  if (artifactIds.length === 0) return [];
  return transaction
    .selectFrom('verification.artifact')
    .select(['artifact_id', 'media_type', 'content'])
    .where('artifact_id', 'in', artifactIds)
    .orderBy('artifact_id')
    .execute();
}
