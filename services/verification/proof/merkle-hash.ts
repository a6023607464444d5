import { createHash, hash } from 'node:crypto';

/** Leaves and nodes have different prefixes, so that a node cannot be presented as a leaf (RFC 9162, section 2.1.1). */
const LEAF_PREFIX = Buffer.of(0);
const NODE_PREFIX = Buffer.of(1);

export const HASH_BYTES = 32;

/** The root of a tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer');

/** SHA-256(0x00 ‖ entry). */
export function hashLeaf(entry: Uint8Array): Buffer {
  return createHash('sha256').update(LEAF_PREFIX).update(entry).digest();
}

/** SHA-256(0x01 ‖ left ‖ right). */
export function hashChildren(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');
}
