import { hash } from 'node:crypto';
import { leafInput, nodeInput } from '../contract/proof/merkle-hash.ts';

// The log hashes with node:crypto, which is much faster for short inputs than WebCrypto, with which proofs are verified.

/** The root of a tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = hash('sha256', '', 'buffer');

/** SHA-256(0x00 ‖ entry). */
export const hashLeaf = (entry: Uint8Array): Buffer => hash('sha256', leafInput(entry), 'buffer');

/** SHA-256(0x01 ‖ left ‖ right). */
export const hashChildren = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash('sha256', nodeInput(left, right), 'buffer');
