import { readdirSync, readFileSync } from 'node:fs';
import type { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { canonicalBytes, parseRecord } from '../proof/canonical-json.ts';
import { digestCanonical } from '../proof/digests.ts';
import type { SheetRecord } from './sheet-record.ts';

const FOLDER = new URL('./shipped/', import.meta.url);
const MAX_BYTES = 65_536;
const RESERVED = 'tollhouse.';

/** Names that tenants do not give. */
export const isReserved = (name: string): boolean => name.toLowerCase().startsWith(RESERVED);

/**
 * The sheets that come with the service, every tenant's to use. Plans name them by hash: a file that is there stays as it
 * is, for good, and another sheet is another version in another file.
 */
export const SHIPPED_SHEETS: readonly SheetRecord[] = readdirSync(FOLDER).map((file) => {
  const sheet = parseRecord(readFileSync(new URL(file, FOLDER)), MAX_BYTES) as SheetDocument;
  const canonical = canonicalBytes(sheet);
  const { name, version, title } = sheet;
  const document = canonical.toString('utf8');
  return { name, version, title, document, sha256: digestCanonical('sheet', canonical), createdAt: null };
});
