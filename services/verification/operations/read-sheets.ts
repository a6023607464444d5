import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { GetSheetArguments } from '../contract/sheets.ts';
import type { SheetRecord } from '../sheets/sheet-record.ts';
import { findSheet, listSheets as list } from '../sheets/sheet-records.ts';
import { createReferenceReader, noInput, notFound } from '../tenants/requests.ts';
import { defineRead } from './define.ts';

/** Lists the sheets of the tenant and of the service. Any key may ask. */
export const listSheets = defineRead(noInput, async ({ inTenant }) =>
  canonicalText({ sheets: (await inTenant(list)).map(toListed) }),
);

/** @throws {ServiceError} NOT_FOUND */
export const getSheet = defineRead(createReferenceReader(GetSheetArguments, 'sheet'), async ({ input, inTenant }) => {
  const sheet = await inTenant((transaction) => findSheet(transaction, input));
  if (sheet === undefined) throw notFound('sheet');
  return canonicalText({ ...toListed(sheet), created_at: sheet.createdAt, sheet: JSON.parse(sheet.document) });
});

/** The fields of a sheet in every answer that names it. */
export function toListed({ name, version, sha256, title, createdAt }: Omit<SheetRecord, 'document'>) {
  return { name, version, sha256, title, origin: createdAt === null ? 'shipped' : 'tenant' };
}
