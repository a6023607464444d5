import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { OperationRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { Pins } from '../contract/answers.ts';
import { evidenceWanted } from '../records/evidence-wanted.ts';
import { listArtifacts } from '../records/execution-records.ts';
import { findPlan, toRejected } from '../records/plan-records.ts';
import { encodeRecordsFile } from '../records/records-file.ts';
import { withRefusal } from '../records/refusals.ts';
import { findRunRecords, findWholeRecords, toVerifyTask } from '../records/run-records.ts';
import { isOfEarlier, readPlanDocument } from '../records/stored-documents.ts';
import { notFound, readCaller, readId } from '../tenants/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { toApproval, toApprovals, toWithdrawn } from './approve-plan.ts';
import { type Call, defineRead, type StoredBytes } from './define.ts';
import type { OperationDeps } from './operation.ts';

async function find<Result>(
  inTenant: Call<unknown>['inTenant'],
  what: string,
  read: (transaction: TenantTransaction) => Promise<Result | undefined>,
): Promise<Result> {
  const found = await inTenant(read);
  if (found === undefined) throw notFound(what);
  return found;
}

/** @throws {ServiceError} NOT_FOUND, as do all of these */
export const getPlan = defineRead(
  (request) => readId(request, 'plan_id'),
  async ({ input: planId, inTenant }) => {
    const plan = await find(inTenant, 'plan', (transaction) => findPlan(transaction, planId));
    return canonicalText({
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
    });
  },
);

export const getExecution = defineRead(
  (request) => readId(request, 'execution_id'),
  async ({ input: executionId, inTenant }) => {
    const answer = await find(inTenant, 'execution', async (transaction) => {
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
    return canonicalText(answer);
  },
);

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
export const getRecords = defineRead(
  (request) => readId(request, 'execution_id'),
  async ({ caller, input: executionId, inTenant }) => {
    const records = await find(inTenant, 'execution', (transaction) => findWholeRecords(transaction, executionId));
    return encodeRecordsFile(records, caller.tenantId).toString('utf8');
  },
);

/** The bytes of an artifact, with the media type that its sender chose. */
export async function getArtifact({ database }: OperationDeps, request: OperationRequest): Promise<StoredBytes> {
  const { tenantId } = readCaller(request.caller);
  const executionId = readId(request, 'execution_id');
  const artifactId = readId(request, 'artifact_id');
  const artifact = await find(
    (work) => inTenant(database, tenantId, work),
    'artifact',
    (transaction) =>
      transaction
        .selectFrom('verification.artifact')
        .select(['media_type', 'content'])
        .where('execution_id', '=', executionId)
        .where('artifact_id', '=', artifactId)
        .executeTakeFirst(),
  );
  return { mediaType: artifact.media_type, content: artifact.content };
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

export const getVerification = defineRead(
  (request) => readId(request, 'verification_id'),
  async ({ input: verificationId, inTenant }) => {
    const { answer } = await find(inTenant, 'verification', (transaction) =>
      findVerification(transaction, verificationId),
    );
    return answer;
  },
);

const VerificationInputs = Type.Object({ inputs_hash: Type.String(), pins: Pins });
const verificationInputs = Compile(VerificationInputs);

/** @throws {Error} if the stored answer has another shape */
function readVerification(answer: string): Static<typeof VerificationInputs> {
  const value: unknown = JSON.parse(answer);
  if (!verificationInputs.Check(value)) throw new Error('a stored verification does not have the shape of one');
  return value;
}

/** The text of a query to the solver, made again from the records as of its verification. */
export const getScript = defineRead(
  (request) => ({ verificationId: readId(request, 'verification_id'), sha256: request.params['smtlib_sha256'] }),
  async ({ input: { verificationId, sha256: wanted }, options, inTenant }, { solver }) => {
    const { records, inputsHash, queries } = await find(inTenant, 'verification', async (transaction) => {
      const verification = await findVerification(transaction, verificationId);
      const found =
        verification && (await findWholeRecords(transaction, verification.execution_id, verification.verified_at));
      if (verification === undefined || found === undefined) return undefined;
      const { inputs_hash, pins } = readVerification(verification.answer);
      return { records: found, inputsHash: inputs_hash, queries: pins.queries };
    });
    if (!queries.some(({ smtlib_sha256 }) => smtlib_sha256 === wanted)) throw notFound('question');
    if (records.hashes.inputs_hash !== inputsHash) throw new Error('the records are not those that were verified');
    const scripts = await solver.scripts(toVerifyTask(records), options);
    const script = scripts.find(({ sha256 }) => sha256 === wanted);
    if (script === undefined) throw new Error('the same records made other questions');
    return script.text;
  },
);

/** The proof file, byte for byte. */
export const getProof = defineRead(
  (request) => readId(request, 'proof_id'),
  async ({ input: proofId, inTenant }) => {
    const proof = await find(inTenant, 'proof', (transaction) =>
      transaction.selectFrom('verification.proof').select('file').where('proof_id', '=', proofId).executeTakeFirst(),
    );
    return proof.file;
  },
);
