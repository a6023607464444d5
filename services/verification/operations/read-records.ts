import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Caller as CallerMessage } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';

import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { type Answer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { Pins } from '../contract/answers.ts';
import { evidenceWanted } from '../records/evidence-wanted.ts';
import { listArtifacts } from '../records/execution-records.ts';
import { findPlan, toRejected } from '../records/plan-records.ts';
import { encodeRecordsFile } from '../records/records-file.ts';
import { withRefusal } from '../records/refusals.ts';
import { findRunRecords, findWholeRecords, toVerifyTask } from '../records/run-records.ts';
import { isOfEarlier, readPlanDocument } from '../records/stored-documents.ts';
import { notFound, readCaller, readId } from '../requests/requests.ts';
import type { Caller } from '../tenants/keys.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { toApproval, toApprovals, toWithdrawn } from './approve-plan.ts';

type Deps = Pick<OperationDeps, 'database'>;

/** Part of every read request. Any key of the tenant may read. */
export interface ReadRequest {
  readonly caller: CallerMessage | undefined;
}

async function read<Result>(
  { database }: Deps,
  caller: Caller,
  what: string,
  find: (transaction: TenantTransaction) => Promise<Result | undefined>,
): Promise<Result> {
  const found = await inTenant(database, caller.tenantId, find);
  if (found === undefined) throw notFound(what);
  return found;
}

/** @throws {ServiceError} NOT_FOUND, as do all of these */
export async function getPlan(deps: Deps, request: ReadRequest & { readonly planId: string }): Promise<Answer> {
  const planId = readId(request.planId, 'plan');
  const plan = await read(deps, readCaller(request.caller), 'plan', (transaction) => findPlan(transaction, planId));
  return {
    answer: toText({
      plan_id: planId,
      state: plan.state,
      plan_hash: plan.plan_hash,
      created_at: plan.created_at,
      lint: JSON.parse(plan.lint),
      approval: toApproval(plan),
      approvals: toApprovals(plan),
      ...toWithdrawn(plan),
      ...toRejected(plan),
      executions: plan.executions,
      plan: JSON.parse(plan.document),
    }),
  };
}

export async function getExecution(
  deps: Deps,
  request: ReadRequest & { readonly executionId: string },
): Promise<Answer> {
  const executionId = readId(request.executionId, 'execution');
  const answer = await read(deps, readCaller(request.caller), 'execution', async (transaction) => {
    const records = await findRunRecords(transaction, executionId);
    if (records === undefined) return undefined;
    const { plan, execution, actions, ids, artifacts } = records;
    const listed = await listArtifacts(transaction, executionId);
    return {
      execution_id: executionId,
      plan_id: plan.plan_id,
      plan_hash: plan.plan_hash,
      ...withRefusal(execution),
      execution_hash: execution.execution_hash,
      received_at: execution.received_at,
      ...(execution.run === null ? {} : { run: execution.run }),
      actions: ids.map(({ seq, action_id }) => ({ seq, action_id, action: actions[seq] })),
      artifacts: listed.map(({ seq: _, ...artifact }) => artifact),
      missing: isOfEarlier(plan) ? [] : evidenceWanted(readPlanDocument(plan), actions, { ids, given: artifacts }),
      ...(await findOutcome(transaction, executionId)),
    };
  });
  return { answer: toText(answer) };
}

async function findOutcome(transaction: TenantTransaction, executionId: string) {
  const verifications = await transaction
    .selectFrom('verification.verification')
    .select('verification_id')
    .where('execution_id', '=', executionId)
    .orderBy('verification_id')
    .execute();
  const proof = await transaction
    .selectFrom('verification.proof')
    .select('proof_id')
    .where('execution_id', '=', executionId)
    .executeTakeFirst();
  return {
    verifications: verifications.map(({ verification_id }) => verification_id),
    proof_id: proof?.proof_id ?? null,
  };
}

/** The records file: everything that a verification of the execution reads. */
export async function getRecords(deps: Deps, request: ReadRequest & { readonly executionId: string }): Promise<Answer> {
  const executionId = readId(request.executionId, 'execution');
  const caller = readCaller(request.caller);
  const records = await read(deps, caller, 'execution', (transaction) => findWholeRecords(transaction, executionId));
  return { answer: encodeRecordsFile(records, caller.tenantId).toString('utf8') };
}

export async function getArtifact(
  deps: Deps,
  request: ReadRequest & { readonly executionId: string; readonly artifactId: string },
): Promise<{ readonly mediaType: string; readonly content: Buffer }> {
  const executionId = readId(request.executionId, 'execution');
  const artifactId = readId(request.artifactId, 'artifact');
  const found = await read(deps, readCaller(request.caller), 'artifact', (transaction) =>
    transaction
      .selectFrom('verification.artifact')
      .select(['media_type', 'content'])
      .where('execution_id', '=', executionId)
      .where('artifact_id', '=', artifactId)
      .executeTakeFirst(),
  );
  return { mediaType: found.media_type, content: found.content };
}

interface VerificationRecord {
  readonly execution_id: string;
  readonly answer: string;
  readonly verified_at: string;
}

async function findVerification(
  transaction: TenantTransaction,
  verificationId: string,
): Promise<VerificationRecord | undefined> {
  const { rows } = await sql<VerificationRecord>`
    SELECT execution_id, answer, verification.to_text(verified_at) AS verified_at
    FROM verification.verification WHERE verification_id = ${verificationId}`.execute(transaction);
  return rows[0];
}

export async function getVerification(
  deps: Deps,
  request: ReadRequest & { readonly verificationId: string },
): Promise<Answer> {
  const verificationId = readId(request.verificationId, 'verification');
  const found = await read(deps, readCaller(request.caller), 'verification', (transaction) =>
    findVerification(transaction, verificationId),
  );
  return { answer: found.answer };
}

const VerificationInputs = Type.Object({ inputs_hash: Type.String(), pins: Pins });
const verificationInputs = Compile(VerificationInputs);

/** @throws {Error} if the stored answer has another shape */
function readVerification(answer: string): Static<typeof VerificationInputs> {
  const value: unknown = JSON.parse(answer);
  if (!verificationInputs.Check(value)) throw new Error('a stored verification does not have the shape of one');
  return value;
}

/** The text of a query to the solver, made again from the records as of its verification. */
export async function getScript(
  deps: OperationDeps,
  request: ReadRequest & { readonly verificationId: string; readonly sha256: string },
  context: CallContext,
): Promise<{ readonly smtlib: string }> {
  const verificationId = readId(request.verificationId, 'verification');
  const caller = readCaller(request.caller);
  const { records, inputsHash, queries } = await read(deps, caller, 'verification', async (transaction) => {
    const verification = await findVerification(transaction, verificationId);
    const found =
      verification && (await findWholeRecords(transaction, verification.execution_id, verification.verified_at));
    if (verification === undefined || found === undefined) return undefined;
    const { inputs_hash, pins } = readVerification(verification.answer);
    return { records: found, inputsHash: inputs_hash, queries: pins.queries };
  });
  if (!queries.some(({ smtlib_sha256 }) => smtlib_sha256 === request.sha256)) throw notFound('question');
  if (records.hashes.inputs_hash !== inputsHash) throw new Error('the records are not those that were verified');
  const scripts = await deps.solver.scripts(toVerifyTask(records), solverOptions(caller, context));
  const script = scripts.find(({ sha256 }) => sha256 === request.sha256);
  if (script === undefined) throw new Error('the same records made other questions');
  return { smtlib: script.text };
}

/** The proof file, byte for byte. */
export async function getProof(
  deps: Deps,
  request: ReadRequest & { readonly proofId: string },
): Promise<{ readonly file: Buffer }> {
  const proofId = readId(request.proofId, 'proof');
  const proof = await read(deps, readCaller(request.caller), 'proof', (transaction) =>
    transaction.selectFrom('verification.proof').select('file').where('proof_id', '=', proofId).executeTakeFirst(),
  );
  return { file: Buffer.from(proof.file) };
}
