import { readdirSync, readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { parseRecord } from '../contract/proof/parse-record.ts';
import { canonicalBytes, digestCanonical } from '../proof/digests.ts';
import type { SheetRecord } from './sheet-record.ts';

const FOLDER = new URL('./shipped/', import.meta.url);
const MAX_BYTES = 65_536;
const RESERVED = 'tollhouse.';
const sheetShape = Compile(SheetDocument);

/** Whether a name is reserved for sheets of the service. */
export const isReserved = (name: string): boolean => name.toLowerCase().startsWith(RESERVED);

/**
 * The sheets of the service, which every tenant may use. Plans name them by hash, so a file must never change. A changed
 * sheet is a new version in a new file.
 */
export const SHIPPED_SHEETS: readonly SheetRecord[] = readdirSync(FOLDER).map((file) => {
  const sheet = parseRecord(readFileSync(new URL(file, FOLDER)), MAX_BYTES);
  if (!sheetShape.Check(sheet)) throw new Error(`${file} is not a sheet`);
  const canonical = canonicalBytes(sheet);
  const { name, version, title } = sheet;
  const document = canonical.toString('utf8');
  return { name, version, title, document, sha256: digestCanonical('sheet', canonical), createdAt: null };
});
