import { createMemoryNodeStore } from '../../../../services/verification/proof/memory-node-store.ts';
import { appendLeaf, hashLeaf, type NodeStore } from '../../../../services/verification/proof/merkle-tree.ts';

/** The entries of certificate-transparency's tests. */
export const CT_ENTRIES: readonly Buffer[] = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => Buffer.from(text, 'hex'));

export const NUMBERED_ENTRIES: readonly Buffer[] = Array.from({ length: 64 }, (_, n) => Buffer.from(`entry ${n}`));

export function storeOf(entries: readonly Uint8Array[]): NodeStore {
  const store = createMemoryNodeStore();
  entries.forEach((entry, size) => {
    store.add(appendLeaf(store, size, hashLeaf(entry)));
  });
  return store;
}

/** All values that differ from `bytes` in one bit. */
export function withOneBitChanged(bytes: Uint8Array): readonly Buffer[] {
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return changed;
  });
}
