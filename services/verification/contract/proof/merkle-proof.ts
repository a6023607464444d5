import { areSameBytes } from './bytes.ts';
import { HASH_BYTES, nodeInput } from './merkle-hash.ts';
import { sha256 } from './sha256.ts';

export interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

export interface ConsistencyProof {
  readonly first: number;
  readonly firstRoot: Uint8Array;
  readonly second: number;
  readonly secondRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Whether the leaf is the `index`-th of the `size` leaves under the root (RFC 9162, section 2.1.3.2). An attacker may
 * choose every input, so all numbers and the lengths of all hashes are checked.
 */
export async function isIncluded({ index, size, leafHash, root, proof }: InclusionProof): Promise<boolean> {
  if (!isSize(index) || !isSize(size) || index >= size) return false;
  if (![leafHash, root, ...proof].every(isHash)) return false;
  let position = { node: index, last: size - 1 };
  let hash: Uint8Array = leafHash;
  for (const sibling of proof) {
    if (position.last === 0) return false;
    const isRight = isRightOrLast(position);
    hash = await (isRight ? hashNode(sibling, hash) : hashNode(hash, sibling));
    position = parent(isRight ? skipLevelsWithoutSibling(position) : position);
  }
  return position.last === 0 && areSameBytes(hash, root);
}

/**
 * Whether the first tree is the beginning of the second one (RFC 9162, section 2.1.4.2). For equal sizes the roots must
 * be equal and the proof empty. For a first tree without leaves the proof must be empty too, and its root is known.
 */
export async function isConsistent({
  first,
  firstRoot,
  second,
  secondRoot,
  proof,
}: ConsistencyProof): Promise<boolean> {
  if (!isSize(first) || !isSize(second) || first > second) return false;
  if (![firstRoot, secondRoot, ...proof].every(isHash)) return false;
  if (first === second && (proof.length > 0 || !areSameBytes(firstRoot, secondRoot))) return false;
  if (first === 0) return proof.length === 0 && areSameBytes(firstRoot, await sha256(new Uint8Array()));
  if (first === second) return true;

  let position = { node: first - 1, last: second - 1 };
  while (position.node % 2 === 1) position = parent(position);
  // A first tree that is full is a node of the second tree. The proof leaves that node out.
  const [start, ...rest] = position.node === 0 ? [firstRoot, ...proof] : proof;
  if (start === undefined) return false;
  let [firstHash, secondHash]: [Uint8Array, Uint8Array] = [start, start];
  for (const sibling of rest) {
    if (position.last === 0) return false;
    if (isRightOrLast(position)) {
      firstHash = await hashNode(sibling, firstHash);
      secondHash = await hashNode(sibling, secondHash);
      position = skipLevelsWithoutSibling(position);
    } else {
      secondHash = await hashNode(secondHash, sibling);
    }
    position = parent(position);
  }
  return position.last === 0 && areSameBytes(firstHash, firstRoot) && areSameBytes(secondHash, secondRoot);
}

/** `node`: index of a node within its level. `last`: index of the level's last node. They are fn and sn in the RFC. */
interface Position {
  readonly node: number;
  readonly last: number;
}

/** Whether its sibling is on the left: on this level or, for the last node of a level, on a higher one. */
function isRightOrLast({ node, last }: Position): boolean {
  return node % 2 === 1 || node === last;
}

function skipLevelsWithoutSibling(position: Position): Position {
  let at = position;
  while (at.node % 2 === 0 && at.node !== 0) at = parent(at);
  return at;
}

/** Divides instead of shifting, because shifts are limited to 32 bits. */
function parent({ node, last }: Position): Position {
  return { node: Math.floor(node / 2), last: Math.floor(last / 2) };
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(value: Uint8Array): boolean {
  return value.length === HASH_BYTES;
}

/** SHA-256(0x01 ‖ left ‖ right). */
function hashNode(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
  return sha256(nodeInput(left, right));
}
