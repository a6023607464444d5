import { v7 as uuidv7 } from 'uuid';
import type { CreatePlanResponse } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { SolverAnswers } from '../../../workers/verdict/tasks.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import { assertStored } from '../../store/read-back.ts';
import { resolveParts } from '../catalogue/resolve-parts.ts';
import type { CatalogueEntry } from '../catalogue/tool-records.ts';
import { type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import { CreatePlanArguments } from '../contract/arguments.ts';
import { digestCanonical } from '../proof/digests.ts';
import { isInstant } from '../records/instants.ts';
import { findParts, findPlan, planTools } from '../records/plan-records.ts';
import { hashPlan } from '../records/record-hashes.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { assertRole, at, createArgumentsReader, readCaller } from '../requests/requests.ts';
import { findSheetTexts } from '../sheets/sheet-records.ts';
import type { Caller } from '../tenants/keys.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { assertTools } from '../tools/check-tools.ts';
import { compileText, PlanTextError } from './compile-text.ts';
import { type GuardedRequest, guard, optionalKey } from './guarded.ts';

const MAX_PLAN_BYTES = 512 * 1024;

const readArguments = createArgumentsReader(CreatePlanArguments);

/**
 * Stores a plan if it is well-formed, agrees with the operator's list of tools, and some run can obey it.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED,
 *   IDENTITY_MISPLACED, PLAN_VACUOUS, UNKNOWN_TOOL, UNKNOWN_TABLE, TOOL_EXISTS
 */
export async function createPlan(
  deps: OperationDeps,
  request: GuardedRequest,
  context: CallContext,
): Promise<CreatePlanResponse> {
  const caller = readCaller(request.caller);
  assertRole(caller, 'agent');
  const input = readArguments(request.arguments);
  const write = {
    caller,
    operation: 'create_plan',
    idempotencyKey: optionalKey(request.idempotencyKey),
    request: input,
  };
  try {
    const answer = await guard(deps, write, async () => {
      const isText = 'plan_text' in input;
      const plan = isText ? await compileText(deps, input, { caller, context }) : input.plan;
      const checked = await checkPlan(deps, plan, { caller, context });
      return {
        apply: async (transaction) => {
          const created = await insertPlan(transaction, checked);
          return isText ? { ...created, plan } : created;
        },
      };
    });
    return { ...answer, textFaults: '' };
  } catch (error) {
    if (!(error instanceof PlanTextError)) throw error;
    return { answer: '', replayed: false, textFaults: toText(error.faults) };
  }
}

interface Author {
  readonly caller: Caller;
  readonly context: CallContext;
}

/** Checks everything about a plan that is known before it is stored. */
async function checkPlan(deps: OperationDeps, sent: unknown, { caller, context }: Author): Promise<NewPlan> {
  const document = toText(sent);
  if (Buffer.byteLength(document) > MAX_PLAN_BYTES) {
    throw new ServiceError('MALFORMED_INPUT', `/plan: larger than ${MAX_PLAN_BYTES} bytes`);
  }
  const { parts, tools, catalogue } = await inTenant(deps.database, caller.tenantId, async (transaction) => {
    const named = await resolveParts(transaction, sent);
    const sheets = await findSheetTexts(transaction, sent);
    return { ...named, parts: await findParts(transaction, { document, sheets, tools: named.tools }) };
  });
  const checked = await deps.solver.checkPlan(parts, solverOptions(caller, context));
  assertObeyable(checked);
  const plan = readPlanDocument({ document });
  if (!isInstant(plan.expires_at)) throw new ServiceError('MALFORMED_INPUT', '/plan/expires_at: there is no such time');
  const list = deps.toolList.with(catalogue);
  const planned = planTools({ document, tools });
  assertNotDescribed(plan, catalogue);
  assertTools(planned, list, '/plan/tools');
  return { plan, document, lint: toText(checked.lint), caller };
}

/** @throws {ServiceError} MALFORMED_INPUT, PLAN_VACUOUS */
function assertObeyable({ fault, judgement }: SolverAnswers['check_plan']): void {
  if (fault !== undefined) {
    throw new ServiceError('MALFORMED_INPUT', at(`/plan${fault.path}`, `${fault.message} (${fault.code})`));
  }
  if (judgement.verdict !== 'vacuous') return;
  throw new ServiceError('PLAN_VACUOUS', `no run obeys the plan: ${judgement.core.join(', ')} contradict each other`);
}

/**
 * A plan describes no tool that the catalogue describes.
 * @throws {ServiceError} TOOL_EXISTS
 */
function assertNotDescribed(plan: PlanDocument, catalogue: readonly CatalogueEntry[]): void {
  const names = new Set(catalogue.map(({ name }) => name));
  const index = plan.tools.findIndex((tool) => !('sha256' in tool) && names.has(tool.name));
  if (index === -1) return;
  const { name } = defined(plan.tools[index]);
  const message = `the catalogue describes ${name}: name its description by version and sha256`;
  throw new ServiceError('TOOL_EXISTS', at(`/plan/tools/${index}/name`, message));
}

interface NewPlan {
  readonly plan: PlanDocument;
  readonly document: string;
  readonly lint: string;
  readonly caller: Caller;
}

async function insertPlan(transaction: TenantTransaction, { plan, document, lint, caller }: NewPlan): Promise<object> {
  const planId = uuidv7();
  const planHash = hashPlan(JSON.parse(document));
  if (plan.supersedes !== null) {
    const isKnown = isUuidV7(plan.supersedes) && (await findPlan(transaction, plan.supersedes)) !== undefined;
    if (!isKnown) throw new ServiceError('MALFORMED_INPUT', '/plan/supersedes: there is no such plan');
  }
  await transaction
    .insertInto('verification.plan')
    .values({
      tenant_id: caller.tenantId,
      plan_id: planId,
      document,
      plan_hash: planHash,
      lint,
      expires_at: plan.expires_at,
      supersedes: plan.supersedes,
      created_by: caller.keyId,
      proposer_group: caller.group,
    })
    .execute();
  const stored = defined(await findPlan(transaction, planId));
  assertStored(digestCanonical('plan', Buffer.from(stored.document)), planHash);
  if (stored.state === 'expired') throw new ServiceError('MALFORMED_INPUT', '/plan/expires_at: has passed');
  return {
    plan_id: planId,
    state: 'draft',
    plan_hash: planHash,
    created_at: stored.created_at,
    lint: JSON.parse(lint),
  };
}
