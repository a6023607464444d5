import { hash as digest } from 'node:crypto';
import { leafInput, nodeInput } from '../contract/proof/merkle-hash.ts';

// The log hashes with node:crypto, which is much faster for short inputs than WebCrypto, with which proofs are verified.

/** The root of a tree without leaves: SHA-256 of nothing. */
export const EMPTY_ROOT: Buffer = digest('sha256', '', 'buffer');

export const hashLeaf = (entry: Uint8Array): Buffer => digest('sha256', leafInput(entry), 'buffer');

export const hashChildren = (left: Uint8Array, right: Uint8Array): Buffer =>
  digest('sha256', nodeInput(left, right), 'buffer');

/**
 * A perfect subtree: the `index`-th from the left of those with 2^`level` leaves. Level 0 has the leaves. A full subtree
 * never changes, so nodes are only added.
 */
export interface NodeAddress {
  readonly level: number;
  readonly index: number;
}

export interface MerkleNode extends NodeAddress {
  readonly hash: Uint8Array;
}

/** Full subtrees of a log. Reads are synchronous: with a database, read the nodes that the functions below name first. */
export interface NodeStore {
  get(level: number, index: number): Uint8Array | undefined;
}

/** Leaves from `start` up to and without `end`, as RFC 9162 splits a tree: `start` is a multiple of the largest subtree. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Nodes that `appendLeaf` reads for a log of `size` leaves: at most one per level. */
export function nodesToAppend(size: number): readonly NodeAddress[] {
  const nodes: NodeAddress[] = [];
  let [level, index] = [0, size];
  while (index % 2 === 1) {
    nodes.push({ level, index: index - 1 });
    level += 1;
    index = (index - 1) / 2;
  }
  return nodes;
}

/** Nodes that `rootOf` reads. */
export function nodesOfRoot(size: number): readonly NodeAddress[] {
  return size === 0 ? [] : subtrees({ start: 0, end: size });
}

/** Nodes that `proveInclusion` reads. */
export function nodesOfInclusion(index: number, size: number): readonly NodeAddress[] {
  return inclusionRanges(index, size).flatMap(subtrees);
}

/** Nodes that `proveConsistency` reads. */
export function nodesOfConsistency(first: number, second: number): readonly NodeAddress[] {
  return consistencyRanges(first, second).flatMap(subtrees);
}

/** @returns the nodes to store: the leaf, and every subtree that it completes */
export function appendLeaf(store: NodeStore, size: number, leafHash: Uint8Array): readonly MerkleNode[] {
  let node: MerkleNode = { level: 0, index: size, hash: leafHash };
  const added = [node];
  for (const sibling of nodesToAppend(size)) {
    const hash = hashChildren(read(store, sibling), node.hash);
    node = { level: sibling.level + 1, index: sibling.index / 2, hash };
    added.push(node);
  }
  return added;
}

/** The root of the log's first `size` leaves (RFC 9162, section 2.1.1). */
export function rootOf(store: NodeStore, size: number): Uint8Array {
  return size === 0 ? EMPTY_ROOT : hashRange(store, { start: 0, end: size });
}

/**
 * The proof that leaf `index` is in the tree of the first `size` leaves (RFC 9162, section 2.1.3.1).
 * @throws {RangeError} unless 0 ≤ index < size
 */
export function proveInclusion(store: NodeStore, index: number, size: number): readonly Uint8Array[] {
  return inclusionRanges(index, size).map((range) => hashRange(store, range));
}

/**
 * The proof that the tree of `first` leaves is the beginning of the tree of `second` leaves (RFC 9162, section 2.1.4.1).
 * Empty for equal sizes, and for a first tree without leaves, which the RFC does not define.
 * @throws {RangeError} unless 0 ≤ first ≤ second
 */
export function proveConsistency(store: NodeStore, first: number, second: number): readonly Uint8Array[] {
  return consistencyRanges(first, second).map((range) => hashRange(store, range));
}

function inclusionRanges(index: number, size: number): readonly Range[] {
  if (!isSize(index) || !isSize(size) || index >= size) throw new RangeError(`no leaf ${index} of ${size}`);
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    ranges.push(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  // Proofs go from the leaf up. The ranges were found from the root down.
  return ranges.reverse();
}

function consistencyRanges(first: number, second: number): readonly Range[] {
  if (!isSize(first) || !isSize(second) || first > second) throw new RangeError(`no first ${first} of ${second}`);
  if (first === 0) return [];
  const ranges: Range[] = [];
  let [start, end] = [0, second];
  while (end !== first) {
    const middle = start + split(end - start);
    ranges.push(first <= middle ? { start: middle, end } : { start, end: middle });
    if (first <= middle) end = middle;
    else start = middle;
  }
  // The verifier has the first tree's root, so the proof leaves it out.
  if (start !== 0) ranges.push({ start, end });
  return ranges.reverse();
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The largest power of two below `size`, which is at least 2. Shifts would limit sizes to 32 bits. */
function split(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The full subtrees of a range, from the largest to the smallest. */
function subtrees({ start, end }: Range): readonly NodeAddress[] {
  const nodes: NodeAddress[] = [];
  let from = start;
  while (from < end) {
    let [level, leaves] = [0, 1];
    while (leaves * 2 <= end - from) {
      level += 1;
      leaves *= 2;
    }
    nodes.push({ level, index: from / leaves });
    from += leaves;
  }
  return nodes;
}

function hashRange(store: NodeStore, range: Range): Uint8Array {
  return subtrees(range)
    .map((address) => read(store, address))
    .reduceRight((right, left) => hashChildren(left, right));
}

function read(store: NodeStore, { level, index }: NodeAddress): Uint8Array {
  const hash = store.get(level, index);
  if (hash === undefined) throw new Error(`the log lacks node ${index} of level ${level}`);
  return hash;
}
