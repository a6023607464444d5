import { v7 as uuidv7 } from 'uuid';
import { assertStored } from '../../store/read-back.ts';
import type { Pins } from '../contract/answers.ts';
import { preAuthenticationEncoding } from '../contract/proof/envelope.ts';
import type { Predicate } from '../contract/proof/statement.ts';
import { VERSIONS } from '../contract/versions.ts';
import { encodeProofFile } from '../proof/encode-proof-file.ts';
import { encodeStatement } from '../proof/encode-statement.ts';
import { appendToLog } from '../proof/log-store.ts';
import { hashLeaf } from '../proof/merkle-tree.ts';
import { signEnvelope } from '../proof/sign-envelope.ts';
import { readClock } from '../records/plan-records.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { VerifyAnswer } from '../solver/solver.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { OperationDeps } from './operation.ts';

/** A verification with four satisfied verdicts. */
export interface Verified {
  readonly records: RunRecords;
  readonly verification: VerifyAnswer;
  readonly pins: Pins;
  readonly verificationId: string;
  readonly tenantId: string;
}

/** Signs a verification, appends it to the log and stores the proof, in one transaction. */
export async function issueProof(
  transaction: TenantTransaction,
  { issuer, log }: Pick<OperationDeps, 'issuer' | 'log'>,
  verified: Verified,
): Promise<{ readonly proofId: string }> {
  const proofId = uuidv7();
  const payload = await encodeStatement({
    tenantId: verified.tenantId,
    ...subjectsOf(verified.records),
    predicate: predicateOf(verified, { proofId, verifiedAt: await readClock(transaction) }),
  });
  const envelope = signEnvelope(payload, issuer);
  const leaf = hashLeaf(preAuthenticationEncoding(envelope.payloadType, payload));
  const { index, size, hashes, origin, checkpoint } = await appendToLog(transaction, leaf, log);
  const inclusion = hashes.map((hash) => Buffer.from(hash).toString('base64'));
  const file = encodeProofFile({
    proof_id: proofId,
    envelope: { ...envelope, signatures: [...envelope.signatures] },
    log: { origin, index, tree_size: size, inclusion, checkpoint },
  }).toString('utf8');
  const stored = await transaction
    .insertInto('verification.proof')
    .values({
      tenant_id: verified.tenantId,
      proof_id: proofId,
      execution_id: verified.records.execution.execution_id,
      log_index: BigInt(index),
      file,
    })
    .returning('file')
    .executeTakeFirstOrThrow();
  assertStored(stored.file, file);
  return { proofId };
}

function subjectsOf({ plan, execution, artifacts }: RunRecords) {
  return {
    plan: { id: plan.plan_id, sha256: plan.plan_hash },
    execution: { id: execution.execution_id, sha256: execution.execution_hash },
    artifacts: artifacts.map(({ artifact_id, sha256 }) => ({ id: artifact_id, sha256 })),
  };
}

function predicateOf(
  { records, verification, pins, verificationId }: Verified,
  { proofId, verifiedAt }: { readonly proofId: string; readonly verifiedAt: string },
): Omit<Predicate, 'limitation'> {
  const { verdicts, assurance } = verification;
  if (assurance === undefined) throw new TypeError('a satisfied replay has an assurance');
  const { inputs_hash, intents_hash, evidence_hash } = records.hashes;
  const satisfied = (engine: string) => ({ verdict: 'satisfied', question: 'holds', engine }) as const;
  return {
    proof_id: proofId,
    verification_id: verificationId,
    approved_at: records.plan.approved_at,
    received_at: records.execution.received_at,
    verified_at: verifiedAt,
    verdicts: {
      plan_alignment: satisfied(verdicts.plan_alignment.engine),
      constraints: satisfied(verdicts.constraints.engine),
      evidence: satisfied(verdicts.evidence.engine),
      replay: satisfied(verdicts.replay.engine),
    },
    inputs: { inputs_hash, intents_hash, evidence_hash },
    // `encodeStatement` checks the names of the checks, which the type of the answer leaves open.
    pins: pins as Predicate['pins'],
    assurance: { ...assurance, ghost_states: [...assurance.ghost_states] },
    versions: VERSIONS,
  };
}
