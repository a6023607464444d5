import { Compile } from 'typebox/schema';
import type { GetToolRequest, ListToolsRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import {
  type CatalogueEntry,
  type CatalogueTool,
  findTool,
  listCatalogue,
  textsOf,
} from '../catalogue/tool-records.ts';
import { type Answer, type OperationDeps, toText } from '../context/operation.ts';
import { GetToolArguments } from '../contract/catalogue.ts';
import { listLimits } from '../limits/list-limits.ts';
import { readToolDocument } from '../records/stored-documents.ts';
import { notFound, readCaller } from '../requests/requests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';

const reference = Compile(GetToolArguments);

type Deps = Pick<OperationDeps, 'database'>;

/** Lists the descriptions of the tenant and of the operator, with what is left of their limits. Any key may ask. */
export async function listTools({ database }: Deps, request: ListToolsRequest): Promise<Answer> {
  const tools = await inTenant(database, readCaller(request.caller).tenantId, async (transaction) => {
    const entries = await listCatalogue(transaction);
    const documents = (await textsOf(transaction, entries)).map(readToolDocument);
    const limits = await listLimits(transaction, documents);
    return entries.map((entry, index) => ({ ...toListed(entry), limits: limits[index] }));
  });
  return { answer: toText({ tools }) };
}

/** @throws {ServiceError} NOT_FOUND */
export async function getTool({ database }: Deps, request: GetToolRequest): Promise<Answer> {
  // A malformed name is not found. The database would refuse a NUL.
  if (!reference.Check({ name: request.name, version: request.version })) throw notFound('tool');
  const answer = await inTenant(database, readCaller(request.caller).tenantId, async (transaction) => {
    const tool = await findTool(transaction, request);
    if (tool === undefined) throw await noSuchTool(transaction, request);
    return toToolAnswer(transaction, tool);
  });
  return { answer: toText(answer) };
}

/** Names the versions that there are, because an agent often knows the name alone. */
async function noSuchTool(transaction: TenantTransaction, { name }: GetToolRequest): Promise<ServiceError> {
  const versions = (await listCatalogue(transaction)).flatMap((entry) => (entry.name === name ? [entry.version] : []));
  if (versions.length === 0) return notFound('tool');
  return new ServiceError('NOT_FOUND', `there is no such version of ${name}: there is ${versions.join(', ')}`);
}

/** A description as it is answered. */
export async function toToolAnswer(transaction: TenantTransaction, tool: CatalogueTool) {
  const document = readToolDocument(tool.document);
  const [limits] = await listLimits(transaction, [document]);
  return { ...toListed(tool), limits, created_at: tool.createdAt, tool: document };
}

function toListed({ name, version, sha256, effect, origin }: CatalogueEntry) {
  return { name, version, sha256, effect, origin };
}
