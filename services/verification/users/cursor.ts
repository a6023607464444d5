import { MAX_CURSOR_CHARACTERS } from '../contract/users.ts';
import { digestRecord } from '../proof/digests.ts';
import { badCursor } from './user-source.ts';

const CHECK_BYTES = 16;

/** What a cursor belongs to. */
export interface CursorBinding {
  readonly tenantId: string;
  readonly source: string;
  readonly query: string | undefined;
  readonly active: boolean | undefined;
}

/**
 * base64url of 16 bytes of SHA-256 over position and binding, and the position. There is no secret in it, and needs to
 * be none: it only keeps a cursor from going on under another filter by mistake. Whoever makes one up reads his own
 * tenant's users from there on, which a cursor of ours would show him as well.
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
  const bound = { tenant_id: tenantId, source, query: query ?? null, active: active ?? null, position };
  return Buffer.from(digestRecord('cursor', bound), 'hex').subarray(0, CHECK_BYTES);
}
