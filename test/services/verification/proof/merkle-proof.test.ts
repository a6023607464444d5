import test from 'ava';
import {
  type ConsistencyProof,
  type InclusionProof,
  isConsistent,
  isIncluded,
} from '../../../../services/verification/contract/proof/merkle-proof.ts';
import {
  EMPTY_ROOT,
  hashChildren,
  hashLeaf,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '../../../../services/verification/proof/merkle-tree.ts';
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
async function passed<Claim>(
  claims: Iterable<Claim>,
  check: (claim: Claim) => Promise<boolean>,
): Promise<readonly Claim[]> {
  const list = [...claims];
  const results = await Promise.all(list.map(check));
  return list.filter((_, position) => results[position]);
}
const included = (claims: Iterable<InclusionProof>) => passed(claims, isIncluded);
const consistent = (claims: Iterable<ConsistencyProof>) => passed(claims, isConsistent);

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

test('proves the inclusion of every leaf of every tree up to 64 leaves', async (t) => {
  t.is((await included(inclusions(64))).length, (64 * 65) / 2);
});

test('proves the consistency of every tree up to 64 leaves with every smaller one', async (t) => {
  t.is((await consistent(consistencies(64))).length, (65 * 66) / 2);
});

test('refuses an inclusion proof for another index, leaf or root', async (t) => {
  for (const claim of inclusions(16)) {
    const others = Array.from({ length: 16 }, (_, other) => other).filter((other) => other !== claim.index);
    t.deepEqual(await included(others.map((index) => ({ ...claim, index }))), []);
    t.deepEqual(await included(others.map((other) => ({ ...claim, leafHash: at(leaves, other) }))), []);
    const sizes = Array.from({ length: 17 }, (_, other) => other).filter((other) => other !== claim.size);
    t.deepEqual(await included(sizes.map((other) => ({ ...claim, root: at(roots, other) }))), []);
  }
});

test('refuses a consistency proof for other roots', async (t) => {
  for (const claim of consistencies(16)) {
    const others = Array.from({ length: 17 }, (_, other) => other);
    const firsts = others.filter((other) => other !== claim.first);
    t.deepEqual(await consistent(firsts.map((other) => ({ ...claim, firstRoot: at(roots, other) }))), []);
    // An empty tree is consistent with every other tree.
    if (claim.first === 0) continue;
    const seconds = others.filter((other) => other !== claim.second);
    t.deepEqual(await consistent(seconds.map((other) => ({ ...claim, secondRoot: at(roots, other) }))), []);
  }
});

test('refuses a proof with a missing, extra or misplaced hash', async (t) => {
  for (const claim of inclusions(16)) {
    t.deepEqual(await included(withOtherShape(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
  for (const claim of consistencies(16)) {
    t.deepEqual(await consistent(withOtherShape(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses an inclusion proof with any bit of it, its leaf or its root changed', async (t) => {
  for (const claim of inclusions(8)) {
    t.deepEqual(await included(withOneBitChanged(claim.root).map((root) => ({ ...claim, root }))), []);
    t.deepEqual(await included(withOneBitChanged(claim.leafHash).map((leafHash) => ({ ...claim, leafHash }))), []);
    t.deepEqual(await included(withChangedBits(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses a consistency proof with any bit of it or its roots changed', async (t) => {
  for (const claim of consistencies(8)) {
    t.deepEqual(await consistent(withOneBitChanged(claim.firstRoot).map((firstRoot) => ({ ...claim, firstRoot }))), []);
    if (claim.first === 0) continue;
    t.deepEqual(
      await consistent(withOneBitChanged(claim.secondRoot).map((secondRoot) => ({ ...claim, secondRoot }))),
      [],
    );
    t.deepEqual(await consistent(withChangedBits(claim.proof).map((proof) => ({ ...claim, proof }))), []);
  }
});

test('refuses a number that is not a size or an index', async (t) => {
  const claim = inclusion(0, 1);
  for (const number of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    t.false(await isIncluded({ ...claim, index: number }));
    t.false(await isIncluded({ ...claim, size: number }));
    t.false(await isConsistent({ ...consistency(1, 1), first: number, second: number }));
  }
  t.false(await isIncluded({ ...claim, index: 1 }));
  t.false(await isConsistent({ ...consistency(1, 2), first: 2, second: 1 }));
});

test('refuses hashes that do not have 32 bytes', async (t) => {
  const empty = Buffer.alloc(0);
  t.false(await isIncluded({ index: 0, size: 1, leafHash: empty, root: empty, proof: [] }));
  t.false(await isConsistent({ first: 1, firstRoot: empty, second: 1, secondRoot: empty, proof: [] }));
});

test('refuses an inner node as a leaf', async (t) => {
  const [left, right] = [at(leaves, 0), at(leaves, 1)];
  const node = hashLeaf(Buffer.concat([left, right]));
  t.false(await isIncluded({ index: 0, size: 1, leafHash: node, root: at(roots, 2), proof: [] }));
});

test('refuses a proof that reaches the root above the top of the tree', async (t) => {
  const [a, b, c, d, e] = [at(leaves, 0), at(leaves, 1), at(leaves, 2), at(leaves, 3), at(leaves, 4)];
  t.false(await isIncluded({ index: 0, size: 1, leafHash: a, root: hashChildren(b, a), proof: [b] }));
  const [whole, begun] = [hashChildren(b, hashChildren(c, d)), hashChildren(b, c)];
  const claim = { first: 3, firstRoot: begun, second: 4, secondRoot: whole, proof: [c, d, b] };
  t.true(await isConsistent(claim));
  const [firstRoot, secondRoot] = [hashChildren(e, begun), hashChildren(e, whole)];
  t.false(await isConsistent({ ...claim, firstRoot, secondRoot, proof: [...claim.proof, e] }));
});

test('refuses a proof that reaches the root below the top of the tree', async (t) => {
  const [a, b, c] = [at(leaves, 0), at(leaves, 1), at(leaves, 2)];
  t.false(await isIncluded({ index: 0, size: 4, leafHash: a, root: hashChildren(a, b), proof: [b] }));
  t.false(await isConsistent({ first: 3, firstRoot: a, second: 4, secondRoot: hashChildren(a, c), proof: [a, c] }));
});

test('an empty tree has the empty root and no other', async (t) => {
  const root = at(leaves, 0);
  t.true(await isConsistent({ first: 0, firstRoot: EMPTY_ROOT, second: 0, secondRoot: EMPTY_ROOT, proof: [] }));
  t.false(await isConsistent({ first: 0, firstRoot: root, second: 0, secondRoot: root, proof: [] }));
});

test('does not truncate indexes and sizes over 2^32', async (t) => {
  const [left, leafHash] = [at(leaves, 0), at(leaves, 1)];
  const claim = { leafHash, root: hashChildren(left, leafHash), proof: [left] };
  t.true(await isIncluded({ ...claim, index: 2 ** 33, size: 2 ** 33 + 1 }));
  t.true(await isIncluded({ ...claim, index: 1, size: 2 }));
  t.false(await isIncluded({ ...claim, index: 2 ** 32 + 1, size: 2 ** 32 + 2 }));
});
