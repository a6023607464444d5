import type { CreateTableRequest, GetTableRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { SHA256_PATTERN } from '../../platform/patterns.ts';
import type { GuardedAnswer, OperationDeps } from '../context/operation.ts';
import { digestBytes } from '../proof/digests.ts';
import { assertRole, notFound, readCaller } from '../requests/requests.ts';
import { readTable } from '../tables/read-table.ts';
import { findContent, keepTable } from '../tables/table-records.ts';
import { inTenant } from '../tenants/transaction.ts';
import { guard, optionalKey } from './guarded.ts';

const hash = new RegExp(SHA256_PATTERN);

/**
 * Stores a table, which plans name by the hash of its bytes. Storing the same table again changes nothing.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, MALFORMED_INPUT, TOO_MANY_TABLES
 */
export async function createTable(deps: OperationDeps, request: CreateTableRequest): Promise<GuardedAnswer> {
  const caller = readCaller(request.caller);
  if (caller.role !== 'approver') assertRole(caller, 'agent');
  const idempotencyKey = optionalKey(request.idempotencyKey);
  const content = Buffer.from(request.content.buffer, request.content.byteOffset, request.content.byteLength);
  const sha256 = digestBytes(content);
  return guard(deps, { caller, operation: 'create_table', idempotencyKey, request: { sha256 } }, async () => {
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
  { database }: Pick<OperationDeps, 'database'>,
  request: GetTableRequest,
): Promise<{ readonly content: Buffer }> {
  const { tenantId } = readCaller(request.caller);
  if (!hash.test(request.sha256)) throw notFound('table');
  const content = await inTenant(database, tenantId, (transaction) => findContent(transaction, request.sha256));
  if (content === undefined) throw notFound('table');
  return { content };
}
