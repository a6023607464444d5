import { DocumentError } from './document-error.ts';

// Limits of documents. Their authors are tenants, and evaluating and solving what they write costs our time.
export const MAX_VARIABLES = 256;
export const MAX_DIGITS = 38;
/** Most decimals of a number. Ether has 18, the most of any currency. */
export const MAX_SCALE = 18;
export const MAX_STRING_CODE_POINTS = 65_536;
export const MAX_ENUM_VALUES = 256;
/** Of a value of an enum. */
export const MAX_ENUM_CODE_POINTS = 64;
/** Most aggregates, such as `exists`, one inside the other. */
export const MAX_BINDERS = 3;
/** Most values among the arguments of a tool, or in its response. */
export const MAX_NAMED_VALUES = 512;
/** Most objects of arguments and responses, one inside the other. */
export const MAX_OBJECT_DEPTH = 4;
const MAX_NODES = 1_000;
const MAX_DEPTH = 32;
const MAX_BYTES = 65_536;

/**
 * Refuses an expression that is too large. Call it before anything recurses into the expression: 100,000 nested
 * brackets would overflow the reader's stack. Arrays and numbers count as nodes. Bytes are those of the JSON text in
 * UTF-8 without white space.
 * @throws {DocumentError} TOO_MANY_NODES, TOO_DEEP, TOO_LARGE
 */
export function checkBounds(json: unknown, path: string): void {
  const pending = [{ json, depth: 1 }];
  let nodes = 0;
  let bytes = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { json: node, depth } = next;
    if (Array.isArray(node)) {
      if (depth > MAX_DEPTH) throw new DocumentError('TOO_DEEP', path, `nests deeper than ${MAX_DEPTH} levels`);
      bytes += 1 + Math.max(1, node.length);
      // A list of a million elements is refused before they are queued.
      if (bytes <= MAX_BYTES) for (const element of node) pending.push({ json: element, depth: depth + 1 });
    }
    if (Array.isArray(node) || typeof node === 'number') nodes += 1;
    bytes += bytesOf(node);
    if (nodes > MAX_NODES) throw new DocumentError('TOO_MANY_NODES', path, `has more than ${MAX_NODES} nodes`);
    if (bytes > MAX_BYTES) throw new DocumentError('TOO_LARGE', path, `has more than ${MAX_BYTES} bytes`);
  }
}

/** Bytes of a scalar's JSON text. Objects count as 0 because no valid expression holds one. */
function bytesOf(node: unknown): number {
  if (typeof node === 'string') return node.length > MAX_BYTES ? node.length : Buffer.byteLength(JSON.stringify(node));
  return typeof node === 'number' || typeof node === 'boolean' ? String(node).length : 0;
}
