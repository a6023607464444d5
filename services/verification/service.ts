import type { VerificationServiceServer } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../workers/exact/defined.ts';
import { type CallContext, unary } from '../platform/grpc/grpc-server.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import { KEY_ROLES } from '../store/key-roles.ts';
import { isUnavailable } from '../store/unavailable.ts';
import type { Answer, OperationDeps } from './context/operation.ts';
import { getLogCheckpoint, getLogConsistency, getLogKeys } from './log/public-log.ts';
import { approvePlan } from './operations/approve-plan.ts';
import { checkActions } from './operations/check-actions.ts';
import { composeSheets } from './operations/compose-sheets.ts';
import { createPlan } from './operations/create-plan.ts';
import { createSheet } from './operations/create-sheet.ts';
import { createTool } from './operations/create-tool.ts';
import { exactSelect } from './operations/exact-select.ts';
import { explainPlan } from './operations/explain-plan.ts';
import { judgeRun } from './operations/judge-run.ts';
import { listExecutions, listPlans, listProofs } from './operations/list-records.ts';
import { listUsers } from './operations/list-users.ts';
import { preflightAction } from './operations/preflight-action.ts';
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
  readonly readStatus: () => Promise<Answer>;
}

/** `tollhouse.verification.v1.VerificationService`. */
export function createVerificationService(deps: VerificationServiceOptions): VerificationServiceServer {
  const { logger } = deps;
  const method = <Request, Response>(handle: (request: Request, context: CallContext) => Promise<Response>) =>
    unary<Request, Response>(logger, async (request, context) => {
      try {
        return await handle(request, context);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        logger.warn({ err: error, requestId: context.requestId }, 'the store did not answer');
        throw new ServiceError('RECORDS_UNAVAILABLE', 'the store is not available', { cause: error });
      }
    });
  return {
    authenticate: method(async ({ apiKey }) => ({ caller: await findCaller(deps, apiKey) })),
    createPlan: method((request, context) => createPlan(deps, request, context)),
    approvePlan: method((request) => approvePlan(deps, request)),
    rejectPlan: method((request) => rejectPlan(deps, request)),
    withdrawApproval: method((request) => withdrawApproval(deps, request)),
    explainPlan: method((request, context) => explainPlan(deps, request, context)),
    verifyPlanAlignment: method((request, context) => checkActions(deps, 'plan_alignment', request, context)),
    verifyConstraints: method((request, context) => checkActions(deps, 'constraints', request, context)),
    recordExecution: method((request, context) => recordExecution(deps, request, context)),
    submitEvidence: method((request, context) => submitEvidence(deps, request, context)),
    verifyExecution: method((request, context) => verifyExecution(deps, request, context)),
    getPlan: method((request) => getPlan(deps, request)),
    listPlans: method((request) => listPlans(deps, request)),
    listExecutions: method((request) => listExecutions(deps, request)),
    listProofs: method((request) => listProofs(deps, request)),
    getExecution: method((request) => getExecution(deps, request)),
    getRecords: method((request) => getRecords(deps, request)),
    getVerification: method((request) => getVerification(deps, request)),
    getArtifact: method((request) => getArtifact(deps, request)),
    getScript: method((request, context) => getScript(deps, request, context)),
    getProof: method((request) => getProof(deps, request)),
    preflightAction: method((request, context) => preflightAction(deps, request, context)),
    reserveAction: method((request, context) => reserveAction(deps, request, context)),
    releaseReservation: method((request) => releaseReservation(deps, request)),
    exactSelect: method((request, context) => exactSelect(deps, request, context)),
    listSheets: method((request) => listSheets(deps, request)),
    getSheet: method((request) => getSheet(deps, request)),
    createSheet: method((request, context) => createSheet(deps, request, context)),
    composeSheets: method((request, context) => composeSheets(deps, request, context)),
    listTools: method((request) => listTools(deps, request)),
    getTool: method((request) => getTool(deps, request)),
    createTool: method((request, context) => createTool(deps, request, context)),
    createTable: method((request) => createTable(deps, request)),
    getTable: method((request) => getTable(deps, request)),
    listUsers: method((request, context) => listUsers(deps, request, context)),
    getStatus: method(() => deps.readStatus()),
    getLogKeys: method(async () => getLogKeys(deps)),
    getLogCheckpoint: method(() => getLogCheckpoint(deps)),
    getLogConsistency: method((request) => getLogConsistency(deps, request)),
    judgeRun: method((request, context) => judgeRun(deps, request, context)),
  };
}

/** @throws {ServiceError} UNAUTHENTICATED */
async function findCaller({ database }: OperationDeps, apiKey: string) {
  const caller = await authenticate(database, apiKey);
  if (caller === undefined) throw new ServiceError('UNAUTHENTICATED', 'the API key is unknown or revoked');
  const [role] = defined([...KEY_ROLES].find(([, name]) => name === caller.role));
  const { tenantId, keyId, scopes, group: keyGroup } = caller;
  return { tenantId, keyId, role, scopes: [...scopes], keyGroup };
}
