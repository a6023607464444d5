import type { OperationRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { SHA256_PATTERN } from '../../platform/patterns.ts';
import { readTable } from '../catalogue/read-table.ts';
import { findContent, keepTable } from '../catalogue/table-records.ts';
import { TABLE_TYPE } from '../contract/catalogue.ts';
import { guard } from '../mutations/guard.ts';
import { digestBytes } from '../proof/digests.ts';
import { assertRole, notFound, readCaller, readIdempotencyKey } from '../tenants/requests.ts';
import { inTenant } from '../tenants/transaction.ts';
import type { StoredBytes, TextAnswer } from './define.ts';
import type { OperationDeps } from './operation.ts';

const hash = new RegExp(SHA256_PATTERN);

/**
 * Stores a table, which plans name by the hash of its bytes. Storing the same table again changes nothing.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, MALFORMED_INPUT, TOO_MANY_TABLES
 */
export async function createTable(deps: OperationDeps, request: OperationRequest): Promise<TextAnswer> {
  const caller = readCaller(request.caller);
  if (caller.role !== 'approver') assertRole(caller, 'agent');
  const idempotencyKey = readIdempotencyKey(request.idempotencyKey, 'optional');
  const content = Buffer.from(request.content.buffer, request.content.byteOffset, request.content.byteLength);
  const sha256 = digestBytes(content);
  return guard(deps.database, { caller, operation: 'create_table', idempotencyKey, request: { sha256 } }, async () => {
    const { rows, columns } = await readTable(content);
    return {
      apply: async (transaction) => {
        const { createdAt } = await keepTable(transaction, { content, sha256, rows, caller });
        return { sha256, rows, size: content.length, columns, created_at: createdAt };
      },
    };
  });
}

/** The bytes of a table of the tenant. Any key may ask. @throws {ServiceError} NOT_FOUND */
export async function getTable(
  { database }: OperationDeps,
  { caller, params: { sha256 } }: OperationRequest,
): Promise<StoredBytes> {
  const { tenantId } = readCaller(caller);
  if (sha256 === undefined || !hash.test(sha256)) throw notFound('table');
  const content = await inTenant(database, tenantId, (transaction) => findContent(transaction, sha256));
  if (content === undefined) throw notFound('table');
  return { content, mediaType: TABLE_TYPE };
}
