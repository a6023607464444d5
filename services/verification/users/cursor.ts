import { MAX_CURSOR_CHARACTERS } from '../contract/users.ts';
import { digestRecord } from '../proof/digests.ts';
import { badCursor } from './user-source.ts';

const CHECK_BYTES = 16;

/** The query that a cursor belongs to. */
export interface CursorBinding {
  readonly tenantId: string;
  readonly source: string;
  readonly query: string | undefined;
  readonly active: boolean | undefined;
}

/**
 * Encodes a cursor: base64url of 16 bytes of SHA-256 over position and binding, followed by the position. It needs no
 * secret: the hash only prevents using a cursor with another filter by mistake. A forged cursor lists only users of the
 * caller's own tenant, which a real cursor lists too.
 */
export function encodeCursor(position: string, binding: CursorBinding): string {
  const cursor = Buffer.concat([check(position, binding), Buffer.from(position)]).toString('base64url');
  if (cursor.length > MAX_CURSOR_CHARACTERS) throw new RangeError('the position is too long');
  return cursor;
}

/** @returns the position. @throws {ServiceError} MALFORMED_INPUT */
export function decodeCursor(cursor: string, binding: CursorBinding): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(CHECK_BYTES).toString('utf8');
  const isWhole = bytes.toString('base64url') === cursor && position.isWellFormed();
  if (!isWhole || !bytes.subarray(0, CHECK_BYTES).equals(check(position, binding))) throw badCursor();
  return position;
}

function check(position: string, { tenantId, source, query, active }: CursorBinding): Buffer {
  // JSON has null for a filter that is not set.
  const bound = { tenant_id: tenantId, source, query: query ?? null, active: active ?? null, position };
  return Buffer.from(digestRecord('cursor', bound), 'hex').subarray(0, CHECK_BYTES);
}
