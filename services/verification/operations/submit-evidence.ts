import { v7 as uuidv7 } from 'uuid';
import type { EvidenceDocument, PlanDocument } from '../../../workers/solver/plan/plan-schema.ts';
import { decodeBase64 } from '../../shared/base64.ts';
import { ServiceError } from '../../shared/service-error.ts';
import {
  type ArtifactDocument,
  MAX_ARTIFACT_BYTES,
  MAX_EVIDENCE_BYTES,
  SubmitEvidenceArguments,
} from '../../shared/verification/arguments.ts';
import { digestBytes } from '../proof/digests.ts';
import { evidenceOf, evidenceWanted } from '../records/evidence-wanted.ts';
import { type ActionRecord, findActions, findArtifacts, findExecution } from '../records/execution-records.ts';
import { findPlan } from '../records/plan-records.ts';
import { assertStored } from '../records/read-back.ts';
import type { RecordedAction } from '../records/record-hashes.ts';
import { brokenConstraint } from '../records/unique.ts';
import {
  assertRole,
  at,
  createArgumentsReader,
  notFound,
  readCaller,
  readId,
  readIdempotencyKey,
} from '../requests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type GuardedRequest, guard } from './guarded.ts';
import type { GuardedAnswer, OperationDeps } from './operation.ts';

const readArguments = createArgumentsReader(SubmitEvidenceArguments);

/** An artifact whose bytes are what their hash says. */
interface Artifact {
  readonly document: ArtifactDocument;
  readonly content: Buffer;
  readonly path: string;
}

/**
 * Keeps artifacts that bear actions out. What they say is judged when the execution is verified.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, NOT_FOUND, MALFORMED_INPUT, EVIDENCE_REJECTED, EVIDENCE_REUSED,
 *   EXECUTION_CLOSED
 */
export async function submitEvidence(
  deps: OperationDeps,
  request: GuardedRequest & { readonly executionId: string },
): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  assertRole(caller, 'agent');
  const idempotencyKey = readIdempotencyKey(request.idempotencyKey);
  const executionId = readId(request.executionId, 'execution');
  const input = readArguments(request.arguments);
  const write = { caller, operation: 'submit_evidence', idempotencyKey, request: { execution_id: executionId, input } };
  return guard(deps, write, async () => {
    const artifacts = input.artifacts.map(readArtifact);
    return { apply: (transaction) => insertAll(transaction, { caller, executionId, artifacts }) };
  });
}

function readArtifact(document: ArtifactDocument, index: number): Artifact {
  const path = `/artifacts/${index}`;
  const content = decodeBase64(document.bytes_base64);
  if (content === undefined) throw rejected(`${path}/bytes_base64`, 'is not canonical base64');
  if (content.length > MAX_ARTIFACT_BYTES) throw rejected(`${path}/bytes_base64`, 'is larger than 2 MiB');
  if (digestBytes(content) !== document.sha256) throw rejected(`${path}/sha256`, 'is not the hash of the bytes');
  return { document, content, path };
}

function rejected(path: string, message: string): ServiceError {
  return new ServiceError('EVIDENCE_REJECTED', at(path, message));
}

interface Submission {
  readonly caller: Caller;
  readonly executionId: string;
  readonly artifacts: readonly Artifact[];
}

async function insertAll(transaction: TenantTransaction, submission: Submission): Promise<unknown> {
  const { executionId, artifacts } = submission;
  await takeOpen(transaction, executionId);
  const execution = await findExecution(transaction, executionId);
  const record = execution && (await findPlan(transaction, execution.plan_id));
  if (execution === undefined || record === undefined) throw notFound('execution');
  const plan = JSON.parse(record.document) as PlanDocument;
  const actions = JSON.parse(execution.actions) as readonly RecordedAction[];
  const ids = await findActions(transaction, executionId);
  const before = await findArtifacts(transaction, executionId);
  assertWanted(artifacts, { plan, actions, ids, before: before.map(({ action_id, kind }) => ({ action_id, kind })) });
  const added = [];
  for (const artifact of artifacts) added.push(await insertArtifact(transaction, submission, artifact));
  const given = await findArtifacts(transaction, executionId);
  for (const { artifact_id, sha256 } of added) {
    assertStored(given.find((artifact) => artifact.artifact_id === artifact_id)?.sha256, sha256);
  }
  if (given.reduce((sum, { size }) => sum + size, 0) > MAX_EVIDENCE_BYTES) {
    throw rejected('/artifacts', 'would make more than 24 MiB of evidence for the execution');
  }
  const missing = evidenceWanted(plan, actions, { ids, given });
  return { execution_id: executionId, state: 'evidence_submitted', artifacts: added, missing };
}

/** Holds the execution until the transaction ends. @throws {ServiceError} NOT_FOUND, EXECUTION_CLOSED */
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

interface Wanted {
  readonly plan: PlanDocument;
  readonly actions: readonly RecordedAction[];
  readonly ids: readonly ActionRecord[];
  readonly before: readonly { readonly action_id: string; readonly kind: string }[];
}

/** @throws {ServiceError} EVIDENCE_REJECTED for what no action of the execution asks for */
function assertWanted(artifacts: readonly Artifact[], { plan, actions, ids, before }: Wanted): void {
  const given = [...before];
  for (const { document, content, path } of artifacts) {
    const { action_id, kind } = document;
    const action = actions[ids.find((each) => each.action_id === action_id)?.seq ?? -1];
    if (action === undefined) throw rejected(`${path}/action_id`, 'is no action of the execution');
    const wanted = evidenceOf(plan, action).find((each) => each.kind === kind);
    if (wanted === undefined) throw rejected(`${path}/kind`, 'is no kind of evidence that the step asks for');
    assertAllowed(wanted, document, content, path);
    given.push({ action_id, kind });
    const count = given.filter((each) => each.action_id === action_id && each.kind === kind).length;
    if (count > wanted.max) throw rejected(path, `is more than the ${wanted.max} that the step allows`);
  }
}

function assertAllowed(wanted: EvidenceDocument, document: ArtifactDocument, content: Buffer, path: string): void {
  if (!wanted.media_types.includes(document.media_type)) {
    throw rejected(`${path}/media_type`, `is none of ${wanted.media_types.join(', ')}`);
  }
  if (content.length > wanted.max_bytes) {
    throw rejected(`${path}/bytes_base64`, `is larger than the ${wanted.max_bytes} bytes that the step allows`);
  }
}

async function insertArtifact(
  transaction: TenantTransaction,
  { caller, executionId }: Submission,
  { document, content }: Artifact,
) {
  const { action_id, kind, media_type } = document;
  const sha256 = digestBytes(content);
  const artifactId = uuidv7();
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
        content,
      })
      .execute();
  } catch (error) {
    if (brokenConstraint(error) !== 'artifact_bytes') throw error;
    throw new ServiceError('EVIDENCE_REUSED', `the bytes with hash ${sha256} bear out another action already`, {
      cause: error,
    });
  }
  return { artifact_id: artifactId, sha256, size: content.length };
}
