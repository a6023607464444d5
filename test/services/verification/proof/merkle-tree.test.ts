import test from 'ava';
import { createMemoryNodeStore } from '../../../../services/verification/proof/memory-node-store.ts';
import {
  appendLeaf,
  EMPTY_ROOT,
  hashLeaf,
  type NodeAddress,
  type NodeStore,
  nodesOfConsistency,
  nodesOfInclusion,
  nodesOfRoot,
  nodesToAppend,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '../../../../services/verification/proof/merkle-tree.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNaiveTree } from './naive-tree.ts';
import { CT_ENTRIES, NUMBERED_ENTRIES, storeOf } from './test-log.ts';

const toHex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

const CT_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

CT_ROOTS.forEach((root, size) => {
  test(`the root of ${size} leaves matches the value that certificate-transparency publishes`, (t) => {
    t.is(toHex(rootOf(storeOf(CT_ENTRIES), size)), root);
  });
});

test('the inclusion proof of leaf 5 of 8 matches the proof that certificate-transparency publishes', (t) => {
  t.deepEqual(proveInclusion(storeOf(CT_ENTRIES), 5, 8).map(toHex), [
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
});

test('the consistency proofs match the proofs that certificate-transparency publishes', (t) => {
  const store = storeOf(CT_ENTRIES);
  t.deepEqual(proveConsistency(store, 1, 8).map(toHex), [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ]);
  t.deepEqual(proveConsistency(store, 6, 8).map(toHex), [
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ]);
  t.deepEqual(proveConsistency(store, 2, 5).map(toHex), [
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ]);
});

test("roots and proofs of all trees up to 64 leaves match the RFC's recursive definitions", (t) => {
  const store = storeOf(NUMBERED_ENTRIES);
  const naive = createNaiveTree(NUMBERED_ENTRIES);
  for (let size = 1; size <= 64; size += 1) {
    t.deepEqual(rootOf(store, size), naive.mth(0, size));
    const sizes = Array.from({ length: size }, (_, m) => m);
    const inclusions = sizes.map((m) => proveInclusion(store, m, size).map(toHex));
    t.deepEqual(
      inclusions,
      sizes.map((m) => naive.path(m, 0, size).map(toHex)),
    );
    const consistencies = sizes.map((m) => proveConsistency(store, m + 1, size).map(toHex));
    t.deepEqual(
      consistencies,
      sizes.map((m) => naive.subproof(m + 1, 0, size, true).map(toHex)),
    );
  }
});

test('the consistency proof of an empty tree is empty', (t) => {
  t.deepEqual(proveConsistency(storeOf(CT_ENTRIES), 0, 8), []);
  t.deepEqual(rootOf(createMemoryNodeStore(), 0), EMPTY_ROOT);
});

for (const [index, size] of [
  [0, 0],
  [8, 8],
  [-1, 8],
  [0.5, 8],
  [Number.NaN, 8],
  [0, 2 ** 53],
] as const) {
  test(`there is no inclusion proof of leaf ${index} of ${size}`, (t) => {
    t.throws(() => proveInclusion(storeOf(CT_ENTRIES), index, size), { instanceOf: RangeError });
  });
}

for (const [first, second] of [
  [9, 8],
  [-1, 8],
  [1.5, 8],
] as const) {
  test(`there is no consistency proof from ${first} to ${second} leaves`, (t) => {
    t.throws(() => proveConsistency(storeOf(CT_ENTRIES), first, second), { instanceOf: RangeError });
  });
}

test('a missing node of the log is an error', (t) => {
  const nodes = appendLeaf(createMemoryNodeStore(), 0, hashLeaf(Buffer.from('a')));
  t.throws(() => rootOf(createMemoryNodeStore(nodes), 2), { message: /lacks node 0 of level 1/ });
});

test('each function reads exactly the nodes that are listed for it', (t) => {
  const whole = storeOf(NUMBERED_ENTRIES);
  const check = (wanted: readonly NodeAddress[], use: (store: NodeStore) => unknown) => {
    const read = new Set<string>();
    const only = createMemoryNodeStore(
      wanted.map((node) => ({ ...node, hash: defined(whole.get(node.level, node.index)) })),
    );
    const watched: NodeStore = {
      get: (level, index) => {
        read.add(`${level} ${index}`);
        return only.get(level, index);
      },
    };
    t.deepEqual(use(watched), use(whole));
    t.deepEqual(read, new Set(wanted.map(({ level, index }) => `${level} ${index}`)));
  };
  const leaf = hashLeaf(Buffer.from('next'));
  for (let size = 0; size < 64; size += 1) {
    check(nodesToAppend(size), (store) => appendLeaf(store, size, leaf));
    if (size > 0) check(nodesOfRoot(size), (store) => rootOf(store, size));
    for (let m = 0; m < size; m += 1) {
      check(nodesOfInclusion(m, size), (store) => proveInclusion(store, m, size));
      check(nodesOfConsistency(m, size), (store) => proveConsistency(store, m, size));
    }
  }
});

test('a log of the largest size needs 53 nodes to append, and at most two nodes per level for a proof', (t) => {
  const size = Number.MAX_SAFE_INTEGER;
  t.is(nodesToAppend(size).length, 53);
  t.is(nodesOfRoot(size).length, 53);
  for (const m of [1, 2 ** 31, 2 ** 32 + 1, 2 ** 52, size - 1]) {
    t.true(nodesOfInclusion(m, size).length <= 2 * 53);
    t.true(nodesOfConsistency(m, size).length <= 2 * 53);
  }
});
