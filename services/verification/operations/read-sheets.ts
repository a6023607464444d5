import { Compile } from 'typebox/schema';
import type { GetSheetRequest, ListSheetsRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type Answer, type OperationDeps, toText } from '../context/operation.ts';
import { GetSheetArguments } from '../contract/sheets.ts';
import { notFound, readCaller } from '../requests/requests.ts';
import type { SheetRecord } from '../sheets/sheet-record.ts';
import { findSheet, listSheets as list } from '../sheets/sheet-records.ts';
import { inTenant } from '../tenants/transaction.ts';

const reference = Compile(GetSheetArguments);

type Deps = Pick<OperationDeps, 'database'>;

/** Lists the sheets of the tenant and of the service. Any key may ask. */
export async function listSheets({ database }: Deps, request: ListSheetsRequest): Promise<Answer> {
  const sheets = await inTenant(database, readCaller(request.caller).tenantId, list);
  return { answer: toText({ sheets: sheets.map(toListed) }) };
}

/** @throws {ServiceError} NOT_FOUND */
export async function getSheet({ database }: Deps, request: GetSheetRequest): Promise<Answer> {
  // A malformed name is not found. The database would refuse a NUL.
  if (!reference.Check({ name: request.name, version: request.version })) throw notFound('sheet');
  const sheet = await inTenant(database, readCaller(request.caller).tenantId, (transaction) =>
    findSheet(transaction, request),
  );
  if (sheet === undefined) throw notFound('sheet');
  return { answer: toText({ ...toListed(sheet), created_at: sheet.createdAt, sheet: JSON.parse(sheet.document) }) };
}

/** The fields of a sheet in every answer that names it. */
export function toListed({ name, version, sha256, title, createdAt }: Omit<SheetRecord, 'document'>) {
  return { name, version, sha256, title, origin: createdAt === null ? 'shipped' : 'tenant' };
}
