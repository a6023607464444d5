import type { MerkleNode, NodeStore } from './merkle-tree.ts';

export interface MemoryNodeStore extends NodeStore {
  add(nodes: readonly MerkleNode[]): void;
}

/** Nodes in memory: of a small log, or read from a database for one append or one proof. */
export function createMemoryNodeStore(nodes: readonly MerkleNode[] = []): MemoryNodeStore {
  const levels: Map<number, Uint8Array>[] = [];
  const add = (added: readonly MerkleNode[]) => {
    for (const { level, index, hash } of added) {
      levels[level] ??= new Map();
      levels[level].set(index, hash);
    }
  };
  add(nodes);
  return { add, get: (level, index) => levels[level]?.get(index) };
}
