import { LanguageError } from './language-error.ts';

// What a tenant writes is evaluated, translated and solved at our cost: each dimension has an end.
export const MAX_VARIABLES = 256;
export const MAX_DIGITS = 38;
/** 18: the decimals of ether, the most that a money is counted in. */
export const MAX_SCALE = 18;
export const MAX_STRING_CODE_POINTS = 65_536;
const MAX_NODES = 1_000;
const MAX_DEPTH = 32;
const MAX_BYTES = 65_536;

/**
 * Refuses an expression that is too large, before anything recurses into it: a tree of 100,000 brackets would
 * otherwise overflow the stack of whoever reads it. Arrays and numbers count as nodes; bytes are those of its
 * JSON text without white space, in UTF-8.
 * @throws {LanguageError} TOO_MANY_NODES, TOO_DEEP, TOO_LARGE
 */
export function checkBounds(json: unknown, path: string): void {
  const pending = [{ json, depth: 1 }];
  let nodes = 0;
  let bytes = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { json: node, depth } = next;
    if (Array.isArray(node)) {
      if (depth > MAX_DEPTH) throw new LanguageError('TOO_DEEP', path, `nests deeper than ${MAX_DEPTH} levels`);
      bytes += 1 + Math.max(1, node.length);
      // Checked before the elements are queued: a list of a million would be queued in full.
      if (bytes <= MAX_BYTES) for (const element of node) pending.push({ json: element, depth: depth + 1 });
    }
    if (Array.isArray(node) || typeof node === 'number') nodes += 1;
    bytes += bytesOf(node);
    if (nodes > MAX_NODES) throw new LanguageError('TOO_MANY_NODES', path, `has more than ${MAX_NODES} nodes`);
    if (bytes > MAX_BYTES) throw new LanguageError('TOO_LARGE', path, `has more than ${MAX_BYTES} bytes`);
  }
}

/** Bytes of a scalar's JSON text; objects have none, as no expression holds one. */
function bytesOf(node: unknown): number {
  if (typeof node === 'string') return node.length > MAX_BYTES ? node.length : Buffer.byteLength(JSON.stringify(node));
  return typeof node === 'number' || typeof node === 'boolean' ? String(node).length : 0;
}
