import test from 'ava';
import { EMPTY_ROOT, hashChildren, hashLeaf } from '../../../../services/verification/proof/merkle-hash.ts';
import {
  type ConsistencyProof,
  type InclusionProof,
  isConsistent,
  isIncluded,
} from '../../../../services/verification/proof/merkle-proof.ts';
import { proveConsistency, proveInclusion, rootOf } from '../../../../services/verification/proof/merkle-tree.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { NUMBERED_ENTRIES, storeOf, withOneBitChanged } from './test-log.ts';

const store = storeOf(NUMBERED_ENTRIES);
const leaves = NUMBERED_ENTRIES.map(hashLeaf);
const roots = Array.from({ length: 65 }, (_, size) => rootOf(store, size));
const at = <T>(list: readonly T[], index: number): T => defined(list[index]);

function inclusion(index: number, size: number): InclusionProof {
  const proof = proveInclusion(store, index, size);
  return { index, size, leafHash: at(leaves, index), root: at(roots, size), proof };
}

function consistency(first: number, second: number): ConsistencyProof {
  const proof = proveConsistency(store, first, second);
  return { first, firstRoot: at(roots, first), second, secondRoot: at(roots, second), proof };
}

function* inclusions(maxSize: number): Generator<InclusionProof> {
  for (let size = 1; size <= maxSize; size += 1)
    for (let index = 0; index < size; index += 1) yield inclusion(index, size);
}

function* consistencies(maxSize: number): Generator<ConsistencyProof> {
  for (let second = 0; second <= maxSize; second += 1) {
    for (let first = 0; first <= second; first += 1) yield consistency(first, second);
  }
}

/** The claims that pass. Tests assert on the whole list: one assertion for each claim would take longer than the claims. */
const included = (claims: Iterable<InclusionProof>) => [...claims].filter(isIncluded);
const consistent = (claims: Iterable<ConsistencyProof>) => [...claims].filter(isConsistent);

/** Proofs with one hash too few or too many, or with two in the wrong order. */
function withOtherShape(proof: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const tooMany = [...proof, EMPTY_ROOT].map((hash, position) => proof.toSpliced(position, 0, hash));
  const tooFew = proof.map((_, position) => proof.toSpliced(position, 1));
  const swapped = proof.slice(1).map((hash, position) => proof.toSpliced(position, 2, hash, at(proof, position)));
  return [...tooMany, ...tooFew, ...swapped];
}

function withChangedBits(proof: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  return proof.flatMap((hash, position) => withOneBitChanged(hash).map((changed) => proof.with(position, changed)));
}

test('proves the inclusion of every leaf of every tree up to 64 leaves', (t) => {
  t.is(included(inclusions(64)).length, (64 * 65) / 2);
});

test('proves the consistency of every tree up to 64 leaves with every smaller one', (t) => {
  t.is(consistent(consistencies(64)).length, (65 * 66) / 2);
});

test('refuses an inclusion proof for another index, leaf or root', (t) => {
  for (const claim of inclusions(32)) {
    const others = Array.from({ length: 32 }, (_, other) => other).filter((other) => other !== claim.index);
    t.deepEqual(included(others.map((index) => ({ ...claim, index }))), []);
    t.deepEqual(included(others.map((other) => ({ ...claim, leafHash: at(leaves, other) }))), []);
    const sizes = Array.from({ length: 33 }, (_, other) => other).filter((other) => other !== claim.size);
    t.deepEqual(included(sizes.map((other) => ({ ...claim, root: at(roots, other) }))), []);
  }
});

test('refuses a consistency proof for other roots', (t) => {
  for (const claim of consistencies(32)) {
    const others = Array.from({ length: 33 }, (_, other) => other);
    const firsts = others.filter((other) => other !== claim.first);
    t.deepEqual(consistent(firsts.map((other) => ({ ...claim, firstRoot: at(roots, other) }))), []);
    // An empty tree is consistent with every other tree.
    if (claim.first === 0) continue;
    const seconds = others.filter((other) => other !== claim.second);
    t.deepEqual(consistent(seconds.map((other) => ({ ...claim, secondRoot: at(roots, other) }))), []);
  }
});

test('refuses a proof with a missing, extra or misplaced hash', (t) => {
  for (const claim of inclusions(32)) {
    t.deepEqual(included(withOtherShape(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
  for (const claim of consistencies(32)) {
    t.deepEqual(consistent(withOtherShape(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses an inclusion proof with any bit of it, its leaf or its root changed', (t) => {
  for (const claim of inclusions(12)) {
    t.deepEqual(included(withOneBitChanged(claim.root).map((root) => ({ ...claim, root }))), []);
    t.deepEqual(included(withOneBitChanged(claim.leafHash).map((leafHash) => ({ ...claim, leafHash }))), []);
    t.deepEqual(included(withChangedBits(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses a consistency proof with any bit of it or its roots changed', (t) => {
  for (const claim of consistencies(12)) {
    t.deepEqual(consistent(withOneBitChanged(claim.firstRoot).map((firstRoot) => ({ ...claim, firstRoot }))), []);
    if (claim.first === 0) continue;
    t.deepEqual(consistent(withOneBitChanged(claim.secondRoot).map((secondRoot) => ({ ...claim, secondRoot }))), []);
    t.deepEqual(consistent(withChangedBits(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses a number that is not a size or an index', (t) => {
  const claim = inclusion(0, 1);
  for (const number of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    t.false(isIncluded({ ...claim, index: number }));
    t.false(isIncluded({ ...claim, size: number }));
    t.false(isConsistent({ ...consistency(1, 1), first: number, second: number }));
  }
  t.false(isIncluded({ ...claim, index: 1 }));
  t.false(isConsistent({ ...consistency(1, 2), first: 2, second: 1 }));
});

test('refuses hashes that do not have 32 bytes', (t) => {
  const empty = Buffer.alloc(0);
  t.false(isIncluded({ index: 0, size: 1, leafHash: empty, root: empty, proof: [] }));
  t.false(isConsistent({ first: 1, firstRoot: empty, second: 1, secondRoot: empty, proof: [] }));
});

test('refuses an inner node as a leaf', (t) => {
  const [left, right] = [at(leaves, 0), at(leaves, 1)];
  const node = hashLeaf(Buffer.concat([left, right]));
  t.false(isIncluded({ index: 0, size: 1, leafHash: node, root: at(roots, 2), proof: [] }));
});

test('refuses a proof that reaches the root above the top of the tree', (t) => {
  const [a, b, c, d, e] = [at(leaves, 0), at(leaves, 1), at(leaves, 2), at(leaves, 3), at(leaves, 4)];
  t.false(isIncluded({ index: 0, size: 1, leafHash: a, root: hashChildren(b, a), proof: [b] }));
  const [whole, begun] = [hashChildren(b, hashChildren(c, d)), hashChildren(b, c)];
  const claim = { first: 3, firstRoot: begun, second: 4, secondRoot: whole, proof: [c, d, b] };
  t.true(isConsistent(claim));
  const [firstRoot, secondRoot] = [hashChildren(e, begun), hashChildren(e, whole)];
  t.false(isConsistent({ ...claim, firstRoot, secondRoot, proof: [...claim.proof, e] }));
});

test('refuses a proof that reaches the root below the top of the tree', (t) => {
  const [a, b, c] = [at(leaves, 0), at(leaves, 1), at(leaves, 2)];
  t.false(isIncluded({ index: 0, size: 4, leafHash: a, root: hashChildren(a, b), proof: [b] }));
  t.false(isConsistent({ first: 3, firstRoot: a, second: 4, secondRoot: hashChildren(a, c), proof: [a, c] }));
});

test('an empty tree has the empty root and no other', (t) => {
  const root = at(leaves, 0);
  t.true(isConsistent({ first: 0, firstRoot: EMPTY_ROOT, second: 0, secondRoot: EMPTY_ROOT, proof: [] }));
  t.false(isConsistent({ first: 0, firstRoot: root, second: 0, secondRoot: root, proof: [] }));
});

test('does not truncate indexes and sizes over 2^32', (t) => {
  const [left, leafHash] = [at(leaves, 0), at(leaves, 1)];
  const claim = { leafHash, root: hashChildren(left, leafHash), proof: [left] };
  t.true(isIncluded({ ...claim, index: 2 ** 33, size: 2 ** 33 + 1 }));
  t.true(isIncluded({ ...claim, index: 1, size: 2 }));
  t.false(isIncluded({ ...claim, index: 2 ** 32 + 1, size: 2 ** 32 + 2 }));
});
