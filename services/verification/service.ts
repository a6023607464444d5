import type {
  AuthenticateRequest,
  Caller,
  OperationResponse,
  Refusal,
  VerificationServiceServer,
} from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { canonicalText } from '../../workers/exact/canonical-json.ts';
import { defined } from '../../workers/exact/defined.ts';
import { type CallContext, unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { KEY_ROLES } from '../store/key-roles.ts';
import { isUnavailable } from '../store/unavailable.ts';
import { approvePlan } from './operations/approve-plan.ts';
import { verifyConstraints, verifyPlanAlignment } from './operations/check-actions.ts';
import { composeSheets } from './operations/compose-sheets.ts';
import { createPlan } from './operations/create-plan.ts';
import { createSheet } from './operations/create-sheet.ts';
import { createTool } from './operations/create-tool.ts';
import { definePublic, type StoredBytes, type TextAnswer } from './operations/define.ts';
import { exactSelect } from './operations/exact-select.ts';
import { explainPlan } from './operations/explain-plan.ts';
import { judgeRun } from './operations/judge-run.ts';
import { listExecutions, listPlans, listProofs } from './operations/list-records.ts';
import { listUsers } from './operations/list-users.ts';
import type { OperationDeps } from './operations/operation.ts';
import { preflightAction } from './operations/preflight-action.ts';
import { getLogCheckpoint, getLogConsistency, getLogKeys } from './operations/public-log.ts';
import {
  getArtifact,
  getExecution,
  getPlan,
  getProof,
  getRecords,
  getScript,
  getVerification,
} from './operations/read-records.ts';
import { getSheet, listSheets } from './operations/read-sheets.ts';
import { getTool, listTools } from './operations/read-tools.ts';
import { recordExecution } from './operations/record-execution.ts';
import { rejectPlan } from './operations/reject-plan.ts';
import { releaseReservation, reserveAction } from './operations/reserve-action.ts';
import { submitEvidence } from './operations/submit-evidence.ts';
import { createTable, getTable } from './operations/tables.ts';
import { verifyExecution } from './operations/verify-execution.ts';
import { withdrawApproval } from './operations/withdraw-approval.ts';
import { authenticate } from './tenants/keys.ts';

export interface VerificationServiceOptions extends OperationDeps {
  readonly readStatus: () => Promise<string>;
}

const NO_BYTES = Buffer.alloc(0);

type Handle<Request, Response> = (
  deps: VerificationServiceOptions,
  request: Request,
  context: CallContext,
) => Promise<Response>;

/** `tollhouse.verification.v1.VerificationService`. */
export function createVerificationService(deps: VerificationServiceOptions): VerificationServiceServer {
  const { logger } = deps;
  const method = <Request, Response>(handle: Handle<Request, Response>) =>
    unary<Request, Response>(logger, async (request, context) => {
      try {
        return await handle(deps, request, context);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        logger.warn({ err: error, requestId: context.requestId }, 'the store did not answer');
        throw new ServiceError('RECORDS_UNAVAILABLE', 'the store is not available', { cause: error });
      }
    });
  const operation = <Request>(handle: Handle<Request, TextAnswer | StoredBytes>) =>
    method<Request, OperationResponse>(async (...call) => {
      const empty = { answer: '', replayed: false, content: NO_BYTES, mediaType: '', refusal: undefined };
      try {
        return { ...empty, ...(await handle(...call)) };
      } catch (error) {
        return { ...empty, refusal: toRefusal(error) };
      }
    });
  return {
    authenticate: method(findCaller),
    createPlan: operation(createPlan),
    approvePlan: operation(approvePlan),
    rejectPlan: operation(rejectPlan),
    withdrawApproval: operation(withdrawApproval),
    explainPlan: operation(explainPlan),
    verifyPlanAlignment: operation(verifyPlanAlignment),
    verifyConstraints: operation(verifyConstraints),
    recordExecution: operation(recordExecution),
    submitEvidence: operation(submitEvidence),
    verifyExecution: operation(verifyExecution),
    getPlan: operation(getPlan),
    listPlans: operation(listPlans),
    listExecutions: operation(listExecutions),
    listProofs: operation(listProofs),
    getExecution: operation(getExecution),
    getRecords: operation(getRecords),
    getVerification: operation(getVerification),
    getScript: operation(getScript),
    getProof: operation(getProof),
    preflightAction: operation(preflightAction),
    reserveAction: operation(reserveAction),
    releaseReservation: operation(releaseReservation),
    exactSelect: operation(exactSelect),
    listSheets: operation(listSheets),
    getSheet: operation(getSheet),
    createSheet: operation(createSheet),
    composeSheets: operation(composeSheets),
    listTools: operation(listTools),
    getTool: operation(getTool),
    createTool: operation(createTool),
    listUsers: operation(listUsers),
    createTable: operation(createTable),
    getArtifact: operation(getArtifact),
    getTable: operation(getTable),
    getStatus: operation(definePublic(({ readStatus }: VerificationServiceOptions) => readStatus())),
    getLogKeys: operation(definePublic(getLogKeys)),
    getLogCheckpoint: operation(definePublic(getLogCheckpoint)),
    getLogConsistency: operation(definePublic(getLogConsistency)),
    judgeRun: operation(judgeRun),
  };
}

/** The refusal of an operation that lists faults. @throws any other error */
function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
  const { code, message, details } = error;
  return { code, message, details: canonicalText(details) };
}

/** @throws {ServiceError} UNAUTHENTICATED */
async function findCaller({ database }: OperationDeps, { apiKey }: AuthenticateRequest): Promise<Caller> {
  const caller = await authenticate(database, apiKey);
  if (caller === undefined) throw new ServiceError('UNAUTHENTICATED', 'the API key is unknown or revoked');
  const [role] = defined([...KEY_ROLES].find(([, name]) => name === caller.role));
  const { tenantId, keyId, scopes, group: keyGroup } = caller;
  return { tenantId, keyId, role, scopes: [...scopes], keyGroup };
}
