import { concatBytes } from './bytes.ts';

/** Leaves and nodes have different prefixes, so that a node cannot be presented as a leaf (RFC 9162, section 2.1.1). */
const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

export const HASH_BYTES = 32;

/** What is hashed for a leaf: 0x00 ‖ entry. */
export const leafInput = (entry: Uint8Array): Uint8Array<ArrayBuffer> => concatBytes(LEAF_PREFIX, entry);

/** What is hashed for a node: 0x01 ‖ left ‖ right. */
export const nodeInput = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> =>
  concatBytes(NODE_PREFIX, left, right);
