import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { readPlanShape } from '../../../workers/exact/plan-shape.ts';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import type { TextFault } from '../../../workers/plan/text/faults/text-fault.ts';
import type { ProposedPlan } from '../../../workers/verdict/check/propose.ts';
import type { Checked } from '../../../workers/verdict/run/checked.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import { assertStored } from '../../store/read-back.ts';
import { assertTools } from '../catalogue/check-tools.ts';
import { toolsOf } from '../catalogue/plan-tools.ts';
import { assertTables, resolveParts } from '../catalogue/resolve-parts.ts';
import { findTableTexts } from '../catalogue/table-records.ts';
import { type CatalogueEntry, listCatalogue, textsOf } from '../catalogue/tool-records.ts';
import { CreatePlanArguments, type PlanTextArguments } from '../contract/arguments.ts';
import { digestCanonical, digestTool } from '../proof/digests.ts';
import { storeEvent } from '../records/events.ts';
import { isInstant } from '../records/instants.ts';
import { findParts, findPlan } from '../records/plan-records.ts';
import { readToolDocument } from '../records/stored-documents.ts';
import { findSheetTexts, listSheetTexts } from '../sheets/sheet-records.ts';
import type { Caller } from '../tenants/keys.ts';
import { at, createArgumentsReader, malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type Call, defineWrite } from './define.ts';
import type { OperationDeps } from './operation.ts';

const MAX_PLAN_BYTES = 512 * 1024;

const readArguments = createArgumentsReader(CreatePlanArguments);

/**
 * Stores a plan if it is well-formed, agrees with the operator's list of tools, and some run can obey it.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, INVALID_JSON, MALFORMED_INPUT, TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED,
 *   IDENTITY_MISPLACED, PLAN_VACUOUS, UNKNOWN_TOOL, UNKNOWN_TABLE, TOOL_EXISTS
 */
export const createPlan = defineWrite({
  operation: 'create_plan',
  role: 'agent',
  idempotencyKey: 'optional',
  readInput: readArguments,
  async prepare(call, deps) {
    const checked = await checkPlan(call, deps);
    return {
      apply: async (transaction) => {
        const created = await insertPlan(transaction, checked);
        return 'plan_text' in call.input ? { ...created, plan: checked.plan } : created;
      },
    };
  },
});

/** The error for a text with faults. */
function textError(faults: readonly TextFault[]): ServiceError {
  const { line, column, message } = defined(faults[0]);
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more: see details)`;
  const first = `/plan_text: line ${line}, column ${column}: ${message}${more}`;
  return new ServiceError('MALFORMED_INPUT', first, { details: faults });
}

/** Checks everything about a plan that is known before it is stored. */
async function checkPlan(
  { caller, input, options, inTenant }: Call<Static<typeof CreatePlanArguments>>,
  deps: OperationDeps,
): Promise<NewPlan> {
  const { task, catalogue } = await inTenant<Documents>((transaction) =>
    'plan_text' in input ? findTextParts(transaction, input) : findPlanParts(transaction, input.plan),
  );
  const proposed = await deps.solver.propose(task, options);
  if (proposed.textFaults !== undefined) throw textError(proposed.textFaults);
  assertObeyable(proposed);
  const sent = 'plan_text' in input ? proposed.plan : input.plan;
  const document = task.plan ?? canonicalText(sent);
  assertSize(document);
  const plan = defined(readPlanShape(sent).plan);
  if (!isInstant(plan.expires_at)) throw malformed('/plan/expires_at', 'there is no such time');
  assertNotDescribed(plan, catalogue);
  assertTools(toolsOf(plan, describedIn(plan, task.tools)), deps.toolList.with(catalogue), '/plan/tools');
  return { plan, document, lint: canonicalText(proposed.lint), caller };
}

interface Documents {
  readonly task: ProposedPlan;
  readonly catalogue: readonly CatalogueEntry[];
}

/** The descriptions that a plan names, of which a text may have had many more. */
function describedIn({ tools }: PlanDocument, texts: readonly string[] = []): readonly ToolDocument[] {
  const hashes = new Set(tools.flatMap((tool) => ('sha256' in tool ? [tool.sha256] : [])));
  return texts.filter((text) => hashes.has(digestTool(Buffer.from(text)))).map(readToolDocument);
}

/** What a plan names. @throws {ServiceError} UNKNOWN_TOOL, UNKNOWN_TABLE, MALFORMED_INPUT */
async function findPlanParts(transaction: TenantTransaction, plan: unknown): Promise<Documents> {
  const document = canonicalText(plan);
  assertSize(document);
  const { tools, catalogue } = await resolveParts(transaction, plan);
  const sheets = await findSheetTexts(transaction, plan);
  return { task: await findParts(transaction, { document, sheets, tools }), catalogue };
}

/** All that a text may name: the catalogue, the sheets and the named tables of the tenant. @throws {ServiceError} UNKNOWN_TABLE */
async function findTextParts(
  transaction: TenantTransaction,
  { plan_text: text, tables: files = {} }: PlanTextArguments,
): Promise<Documents> {
  const hashes = Object.values(files);
  await assertTables(
    transaction,
    hashes.map((sha256) => ({ path: '/tables', sha256 })),
  );
  const catalogue = await listCatalogue(transaction);
  const tools = await textsOf(transaction, catalogue);
  const [sheets, tables] = [await listSheetTexts(transaction), await findTableTexts(transaction, hashes)];
  return { task: { plan: undefined, text, files, tools, sheets, tables }, catalogue };
}

function assertSize(document: string): void {
  if (Buffer.byteLength(document) <= MAX_PLAN_BYTES) return;
  throw malformed('/plan', `larger than ${MAX_PLAN_BYTES} bytes`);
}

/** @throws {ServiceError} MALFORMED_INPUT, PLAN_VACUOUS */
function assertObeyable({ fault, judgement }: Checked): void {
  if (fault !== undefined) throw malformed(`/plan${fault.path}`, `${fault.message} (${fault.code})`);
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
  const planHash = digestCanonical('plan', Buffer.from(document));
  if (plan.supersedes !== null) {
    const isKnown = isUuidV7(plan.supersedes) && (await findPlan(transaction, plan.supersedes)) !== undefined;
    if (!isKnown) throw malformed('/plan/supersedes', 'there is no such plan');
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
  if (stored.state === 'expired') throw malformed('/plan/expires_at', 'has passed');
  await storeEvent(transaction, caller, { type: 'plan.proposed', plan_id: planId });
  return {
    plan_id: planId,
    state: 'draft',
    plan_hash: planHash,
    created_at: stored.created_at,
    lint: JSON.parse(lint),
  };
}
