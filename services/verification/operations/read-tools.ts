import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import {
  type CatalogueEntry,
  type CatalogueTool,
  findTool,
  listCatalogue,
  textsOf,
} from '../catalogue/tool-records.ts';
import { GetToolArguments } from '../contract/catalogue.ts';
import { listLimits } from '../limits/list-limits.ts';
import { readToolDocument } from '../records/stored-documents.ts';
import { createReferenceReader, noInput, notFound } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineRead } from './define.ts';

/** Lists the descriptions of the tenant and of the operator, with what is left of their limits. Any key may ask. */
export const listTools = defineRead(noInput, async ({ inTenant }) => {
  const tools = await inTenant(async (transaction) => {
    const entries = await listCatalogue(transaction);
    const documents = (await textsOf(transaction, entries)).map(readToolDocument);
    const limits = await listLimits(transaction, documents);
    return entries.map((entry, index) => ({ ...toListed(entry), limits: limits[index] }));
  });
  return canonicalText({ tools });
});

/** @throws {ServiceError} NOT_FOUND */
export const getTool = defineRead(createReferenceReader(GetToolArguments, 'tool'), async ({ input, inTenant }) => {
  const answer = await inTenant(async (transaction) => {
    const tool = await findTool(transaction, input);
    if (tool === undefined) throw await noSuchTool(transaction, input.name);
    return toToolAnswer(transaction, tool);
  });
  return canonicalText(answer);
});

/** Names the versions that there are, because an agent often knows the name alone. */
async function noSuchTool(transaction: TenantTransaction, name: string): Promise<ServiceError> {
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
