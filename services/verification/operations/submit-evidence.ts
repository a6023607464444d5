import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { EvidenceDocument } from '../../../workers/exact/plan-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { brokenConstraint } from '../../store/unique.ts';
import { tablesNamedBy } from '../catalogue/named-parts.ts';
import { findSizes } from '../catalogue/table-records.ts';
import {
  MAX_COUNTED_ARTIFACTS,
  MAX_EVIDENCE_BYTES,
  MAX_KEPT_EVIDENCE_BYTES,
  SubmitEvidenceArguments,
} from '../contract/arguments.ts';
import { byDigests, type DigestedArtifact, digestArtifacts } from '../records/digest-artifacts.ts';
import { evidenceOf, evidenceWanted } from '../records/evidence-wanted.ts';
import {
  findActions,
  findArtifacts,
  findExecution,
  listArtifacts,
  type StoredArtifact,
} from '../records/execution-records.ts';
import { findOwnRun } from '../records/own-run.ts';
import type { PlanRecord } from '../records/plan-records.ts';
import { assertWanted, readReplaced, rejected } from '../records/read-artifacts.ts';
import { toState } from '../records/refusals.ts';
import { readActions, readPlanDocument } from '../records/stored-documents.ts';
import type { Caller } from '../tenants/keys.ts';
import { createArgumentsReader, malformed, notFound, readId } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineWrite } from './define.ts';
import { readSettlement, type Settlement } from './settle-actions.ts';

const readArguments = createArgumentsReader(SubmitEvidenceArguments);

/**
 * Stores artifacts as evidence for actions. Their content is checked when the execution is verified. Until then an
 * artifact may replace another one, which stays stored and no longer counts, and an action without a response may be settled.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, KEY_NOT_OWNER, NOT_FOUND, MALFORMED_INPUT, EVIDENCE_REJECTED,
 *   EVIDENCE_REUSED, EXECUTION_CLOSED, IDENTITY_REUSED, REVENUE_WRITES_FROZEN
 */
export const submitEvidence = defineWrite({
  operation: 'submit_evidence',
  role: 'agent',
  idempotencyKey: 'required',
  readInput(request) {
    const input = { execution_id: readId(request, 'execution_id'), ...readArguments(request) };
    if (input.artifacts.length === 0 && input.settled === undefined) {
      throw malformed('/artifacts', 'has nothing, and no action is settled');
    }
    return input;
  },
  async prepare(call, deps) {
    const { caller, input, options, inTenant } = call;
    const executionId = input.execution_id;
    const settlement = await readSettlement(call, deps, { caller, executionId, settled: input.settled ?? [] });
    const artifacts = await digestArtifacts(input.artifacts);
    const reads = await inTenant((transaction) => readsOf(transaction, { caller, executionId, artifacts }));
    const task = {
      artifacts: artifacts.map(({ text }, index) => ({ reads: canonicalText(reads[index]), ...text })),
    };
    const faults = await deps.solver.readEvidence(task, options);
    return {
      isRevenueWrite: settlement.isRevenueWrite,
      apply: async (transaction) => ({
        ...(await insertAll(transaction, { caller, executionId, artifacts, settle: settlement.apply })),
        unreadable: faults.flatMap((message, index) =>
          message === null ? [] : [{ path: `/artifacts/${index}`, message }],
        ),
      }),
    };
  },
});

/** What the plan reads from each artifact. Nothing, where the artifact is refused later. */
async function readsOf(
  transaction: TenantTransaction,
  { caller, executionId, artifacts }: Omit<Submission, 'settle'>,
): Promise<readonly EvidenceDocument['reads'][]> {
  const { execution, record } = await findOwnRun(transaction, caller, executionId);
  const plan = readPlanDocument(record);
  const actions = readActions(execution);
  const ids = await findActions(transaction, executionId);
  return artifacts.map(({ document }) => {
    const id = ids.find(({ action_id }) => action_id === document.action_id);
    const kinds = id === undefined ? [] : evidenceOf(plan, defined(actions[id.seq]));
    return kinds.find(({ kind }) => kind === document.kind)?.reads ?? {};
  });
}

interface Submission {
  readonly caller: Caller;
  readonly executionId: string;
  readonly artifacts: readonly DigestedArtifact[];
  readonly settle: Settlement['apply'];
}

async function insertAll(transaction: TenantTransaction, submission: Submission): Promise<object> {
  const { caller, executionId, artifacts } = submission;
  await findOwnRun(transaction, caller, executionId);
  await takeOpen(transaction, executionId);
  await submission.settle(transaction);
  const { execution, record } = await findOwnRun(transaction, caller, executionId);
  const plan = readPlanDocument(record);
  const actions = readActions(execution);
  const ids = await findActions(transaction, executionId);
  const before = await findArtifacts(transaction, executionId);
  const replaced = readReplaced(artifacts, before);
  assertWanted(artifacts, {
    plan,
    actions,
    ids,
    before: before.filter(({ artifact_id }) => !replaced.has(artifact_id)),
  });
  await markReplaced(transaction, replaced);
  const added = await insertArtifacts(transaction, submission);
  const given = await findArtifacts(transaction, executionId);
  for (const { artifact_id, sha256 } of added) {
    assertStored(given.find((artifact) => artifact.artifact_id === artifact_id)?.sha256, sha256);
  }
  if (given.length > MAX_COUNTED_ARTIFACTS) {
    throw rejected(
      '/artifacts',
      `would make more than ${MAX_COUNTED_ARTIFACTS} artifacts that count for the execution`,
    );
  }
  await assertSize(transaction, { executionId, plan: record }, given);
  const missing = evidenceWanted(plan, actions, { ids, given });
  return { execution_id: executionId, state: toState(execution, 'evidence_submitted'), artifacts: added, missing };
}

/** Runs before the new artifacts are stored: the bytes of a replaced one may be evidence for another action. */
async function markReplaced(transaction: TenantTransaction, replaced: ReadonlySet<string>): Promise<void> {
  if (replaced.size === 0) return;
  const { numUpdatedRows } = await transaction
    .updateTable('verification.artifact')
    .set({ is_current: false })
    .where('artifact_id', 'in', [...replaced])
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== BigInt(replaced.size)) throw new Error('a replaced artifact still counts');
}

/** @throws {ServiceError} EVIDENCE_REJECTED */
async function assertSize(
  transaction: TenantTransaction,
  { executionId, plan }: { readonly executionId: string; readonly plan: Pick<PlanRecord, 'document'> },
  given: readonly StoredArtifact[],
): Promise<void> {
  const sizeOf = (parts: readonly { readonly size: number }[]) => parts.reduce((sum, { size }) => sum + size, 0);
  const hashes = tablesNamedBy(JSON.parse(plan.document)).map(({ sha256 }) => sha256);
  const tables = await findSizes(transaction, [...new Set(hashes)]);
  if (sizeOf(given) + sizeOf(tables) > MAX_EVIDENCE_BYTES) {
    throw rejected(
      '/artifacts',
      'would make more than 24 MiB of evidence for the execution, with the tables of its plan',
    );
  }
  if (sizeOf(await listArtifacts(transaction, executionId)) > MAX_KEPT_EVIDENCE_BYTES) {
    throw rejected('/artifacts', 'would make more than 96 MiB of evidence with what was replaced');
  }
}

/** Locks the execution until the transaction ends. @throws {ServiceError} NOT_FOUND, EXECUTION_CLOSED */
async function takeOpen(transaction: TenantTransaction, executionId: string): Promise<void> {
  const taken = await transaction
    .updateTable('verification.execution')
    .set({ state: 'evidence_submitted' })
    .where('execution_id', '=', executionId)
    .where('state', 'in', ['recorded', 'evidence_submitted'])
    .returning('execution_id')
    .executeTakeFirst();
  if (taken !== undefined) return;
  const execution = await findExecution(transaction, executionId);
  if (execution === undefined) throw notFound('execution');
  throw new ServiceError('EXECUTION_CLOSED', `the execution is ${execution.state}`);
}

/** What an artifact has in common with an earlier one, by the constraint that says so. */
const REUSED: ReadonlyMap<string, string> = new Map([
  ['artifact_bytes', 'an artifact with the same bytes'],
  ['artifact_json', 'an artifact with the same JSON'],
]);

interface AddedArtifact {
  readonly artifact_id: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Inserts in the order of digests, so that two submissions of the same artifacts wait for each other in one order and
 * cannot deadlock. Ids, and the answer, keep the order of the request.
 */
async function insertArtifacts(
  transaction: TenantTransaction,
  submission: Submission,
): Promise<readonly AddedArtifact[]> {
  const artifacts = submission.artifacts.map((artifact) => ({ ...artifact, artifactId: uuidv7() }));
  for (const artifact of artifacts.toSorted(byDigests)) await insertArtifact(transaction, submission, artifact);
  return artifacts.map(({ artifactId, sha256, content }) => ({
    artifact_id: artifactId,
    sha256,
    size: content.length,
  }));
}

async function insertArtifact(
  transaction: TenantTransaction,
  { caller, executionId }: Submission,
  { artifactId, document, content, sha256, jsonSha256 }: DigestedArtifact & { readonly artifactId: string },
): Promise<void> {
  const { action_id, kind, media_type, replaces = null } = document;
  try {
    await transaction
      .insertInto('verification.artifact')
      .values({
        tenant_id: caller.tenantId,
        artifact_id: artifactId,
        execution_id: executionId,
        action_id,
        kind,
        media_type,
        sha256,
        json_sha256: jsonSha256 ?? null,
        replaces,
        content,
      })
      .execute();
  } catch (error) {
    const constraint = brokenConstraint(error);
    const what = constraint === undefined ? undefined : REUSED.get(constraint);
    if (what === undefined) throw error;
    const message = `${what} as the artifact with hash ${sha256} is already evidence for an action`;
    throw new ServiceError('EVIDENCE_REUSED', message, { cause: error });
  }
}
