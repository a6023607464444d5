import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import type { Tables } from '../../store/tables.ts';
import type { VerifyExecutionAnswer } from '../contract/answers.ts';
import { VerifyExecutionArguments } from '../contract/arguments.ts';
import { InputsChanged } from '../mutations/guard.ts';
import { storeEvent } from '../records/events.ts';
import { evidenceWanted } from '../records/evidence-wanted.ts';
import type { ExecutionRecord } from '../records/execution-records.ts';
import { toState } from '../records/refusals.ts';
import {
  findRunRecords,
  findWholeRecords,
  type RunRecords,
  toVerifyTask,
  type WholeRecords,
} from '../records/run-records.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { toQueries, toVerdict } from '../solver/pins.ts';
import type { VerifyAnswer } from '../solver/solver.ts';
import type { Caller } from '../tenants/keys.ts';
import { assertOwner } from '../tenants/owner.ts';
import { createArgumentsReader, notFound, readId } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineWrite } from './define.ts';
import { issueProof } from './issue-proof.ts';
import type { OperationDeps } from './operation.ts';

const readArguments = createArgumentsReader(VerifyExecutionArguments);

/** The records that were verified, and the result. */
interface VerifiedRun {
  readonly records: RunRecords;
  readonly verification: VerifyAnswer;
}

/**
 * Works out all four verdicts from the records alone, and issues a proof if all are satisfied.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, KEY_NOT_OWNER, NOT_FOUND, STEP_OUT_OF_ORDER, EXECUTION_CLOSED
 */
export const verifyExecution = defineWrite({
  operation: 'verify_execution',
  role: 'agent',
  idempotencyKey: 'required',
  readInput: (request) => ({ execution_id: readId(request, 'execution_id'), ...readArguments(request) }),
  async prepare({ caller, input, options, inTenant }, deps) {
    const records = await inTenant((transaction) => findVerifiable(transaction, input.execution_id, caller));
    const verification = await deps.solver.verify(toVerifyTask(records), options);
    return { apply: (transaction) => apply(transaction, deps, { records, verification }, caller) };
  },
});

/** @throws {ServiceError} NOT_FOUND, KEY_NOT_OWNER, PLAN_CLOSED, EXECUTION_CLOSED, STEP_OUT_OF_ORDER before any required evidence */
async function findVerifiable(
  transaction: TenantTransaction,
  executionId: string,
  caller: Caller,
): Promise<WholeRecords> {
  const records = await findWholeRecords(transaction, executionId);
  if (records === undefined) throw notFound('execution');
  assertOwner(records.execution, caller, 'execution');
  const { plan, actions, ids } = records;
  const document = readPlanDocument(plan);
  const { state } = records.execution;
  if (state === 'verified' || state === 'refuted') {
    throw new ServiceError('EXECUTION_CLOSED', `the execution is ${state}`);
  }
  if (state === 'recorded' && evidenceWanted(document, actions, { ids, given: [] }).length > 0) {
    throw new ServiceError('STEP_OUT_OF_ORDER', 'evidence comes first: the plan requires it, and there is none');
  }
  return records;
}

/** Stores the result. If the records have changed since they were verified, nothing is stored. */
async function apply(
  transaction: TenantTransaction,
  deps: OperationDeps,
  run: VerifiedRun,
  caller: Caller,
): Promise<VerifyExecutionAnswer> {
  const { records, verification } = run;
  const { execution_id: executionId } = records.execution;
  const taken = await transaction
    .updateTable('verification.execution')
    .set({ state: nextState(records.execution, verification) })
    .where('execution_id', '=', executionId)
    .where('state', 'in', ['recorded', 'evidence_submitted'])
    .returning('state')
    .executeTakeFirst();
  const now = await findRunRecords(transaction, executionId);
  if (taken === undefined || now?.hashes.inputs_hash !== records.hashes.inputs_hash) throw new InputsChanged();
  return store(transaction, deps, run, { caller, state: taken.state });
}

/** Missing evidence may still come, and an undecided check may be decided later. A violated check is final. */
function nextState(
  { state, refused }: ExecutionRecord,
  { verdicts }: VerifyAnswer,
): Tables['verification.execution']['state'] {
  const { plan_alignment, constraints, replay } = verdicts;
  if (Object.values(verdicts).every(({ verdict }) => verdict === 'satisfied')) {
    return refused === undefined ? 'verified' : 'refuted';
  }
  const isRefuted = [plan_alignment, constraints, replay].some(({ verdict }) => verdict === 'violated');
  return isRefuted ? 'refuted' : state;
}

async function store(
  transaction: TenantTransaction,
  deps: OperationDeps,
  { records, verification }: VerifiedRun,
  { caller, state }: { readonly caller: Caller; readonly state: Tables['verification.execution']['state'] },
): Promise<VerifyExecutionAnswer> {
  const { execution_id: executionId } = records.execution;
  const verificationId = uuidv7();
  const { verdicts } = verification;
  const queries = Object.entries(verdicts).flatMap(([check, judgement]) => toQueries(check, judgement));
  const pins = { solver: deps.pins, queries };
  const issued = { records, verification, pins, verificationId, tenantId: caller.tenantId };
  const proof = state === 'verified' ? await issueProof(transaction, deps, issued) : undefined;
  const answer: VerifyExecutionAnswer = {
    verification_id: verificationId,
    execution_id: executionId,
    state: toState(records.execution, state),
    inputs_hash: records.hashes.inputs_hash,
    verdicts: {
      plan_alignment: toVerdict(verdicts.plan_alignment),
      constraints: toVerdict(verdicts.constraints),
      evidence: toVerdict(verdicts.evidence),
      replay: toVerdict(verdicts.replay),
    },
    pins,
    proof_id: proof?.proofId ?? null,
  };
  const stored = await transaction
    .insertInto('verification.verification')
    .values({
      tenant_id: caller.tenantId,
      verification_id: verificationId,
      execution_id: executionId,
      inputs_hash: records.hashes.inputs_hash,
      answer: canonicalText(answer),
      created_by: caller.keyId,
    })
    .returning('answer')
    .executeTakeFirstOrThrow();
  assertStored(stored.answer, canonicalText(answer));
  await storeOutcome(transaction, caller, records.execution, answer);
  return answer;
}

/** An execution that was refuted when it was recorded was told then. */
async function storeOutcome(
  transaction: TenantTransaction,
  caller: Caller,
  { plan_id, execution_id, refused }: ExecutionRecord,
  { state, proof_id, verdicts }: VerifyExecutionAnswer,
): Promise<void> {
  const execution = { plan_id, execution_id };
  if (proof_id !== null) await storeEvent(transaction, caller, { type: 'execution.proven', ...execution, proof_id });
  if (state !== 'refuted' || refused !== undefined) return;
  const reasons = Object.values(verdicts).flatMap((judged) => (judged.verdict === 'violated' ? judged.reasons : []));
  await storeEvent(transaction, caller, { type: 'execution.refuted', ...execution, reasons });
}
