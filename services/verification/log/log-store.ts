import { sql } from 'kysely';
import { signCheckpoint } from '../proof/checkpoint.ts';
import type { SigningKey } from '../proof/ed25519.ts';
import type { LogKey } from '../proof/keys.ts';
import { createMemoryNodeStore } from '../proof/memory-node-store.ts';
import {
  appendLeaf,
  type MerkleNode,
  type NodeAddress,
  nodesOfConsistency,
  nodesOfInclusion,
  nodesOfRoot,
  nodesToAppend,
  proveConsistency,
  proveInclusion,
  rootOf,
} from '../proof/merkle-tree.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** The position of a leaf in the log, and the proof of it. */
export interface LoggedLeaf {
  readonly index: number;
  /** Number of leaves, including this one. */
  readonly size: number;
  /** Inclusion proof, from the leaf up. */
  readonly hashes: readonly Uint8Array[];
  /** The signed head of the log that has `size` leaves. */
  readonly checkpoint: string;
}

/**
 * Appends a leaf. The row lock lasts until the transaction ends, so no index is skipped or used twice.
 */
export async function appendToLog(
  transaction: TenantTransaction,
  leafHash: Uint8Array,
  log: LogKey<SigningKey>,
): Promise<LoggedLeaf> {
  const head = await transaction
    .selectFrom('verification.log_head')
    .select('size')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const index = Number(head.size);
  const size = index + 1;
  const store = await readNodes(transaction, [...nodesToAppend(index), ...nodesOfRoot(index)]);
  const added = appendLeaf(store, index, leafHash);
  store.add(added);
  await addNodes(transaction, added);
  await transaction
    .updateTable('verification.log_head')
    .set({ size: BigInt(size) })
    .execute();
  const complete = await readNodes(transaction, [...nodesOfInclusion(index, size), ...nodesOfRoot(size)]);
  return {
    index,
    size,
    hashes: proveInclusion(complete, index, size),
    checkpoint: signCheckpoint({ size, root: rootOf(complete, size) }, log),
  };
}

/** The signed head of the log. */
export async function readCheckpoint(transaction: TenantTransaction, log: LogKey<SigningKey>): Promise<string> {
  const size = await readSize(transaction);
  const store = await readNodes(transaction, nodesOfRoot(size));
  return signCheckpoint({ size, root: rootOf(store, size) }, log);
}

/** @returns undefined unless 0 ≤ first ≤ second ≤ the size of the log */
export async function readConsistency(
  transaction: TenantTransaction,
  first: number,
  second: number,
): Promise<readonly Uint8Array[] | undefined> {
  if (first > second || second > (await readSize(transaction))) return undefined;
  const store = await readNodes(transaction, nodesOfConsistency(first, second));
  return proveConsistency(store, first, second);
}

async function readSize(transaction: TenantTransaction): Promise<number> {
  const { size } = await transaction.selectFrom('verification.log_head').select('size').executeTakeFirstOrThrow();
  return Number(size);
}

async function readNodes(transaction: TenantTransaction, addresses: readonly NodeAddress[]) {
  const store = createMemoryNodeStore();
  if (addresses.length === 0) return store;
  const { rows } = await sql<{ level: number; index: bigint; hash: Buffer }>`
    SELECT level, index, hash FROM verification.log_node
    WHERE (level, index) IN (
      SELECT * FROM unnest(${addresses.map(({ level }) => level)}::smallint[], ${addresses.map(({ index }) => index)}::bigint[]))
  `.execute(transaction);
  store.add(rows.map(({ level, index, hash }): MerkleNode => ({ level, index: Number(index), hash })));
  return store;
}

async function addNodes(transaction: TenantTransaction, nodes: readonly MerkleNode[]): Promise<void> {
  await transaction
    .insertInto('verification.log_node')
    .values(nodes.map(({ level, index, hash }) => ({ level, index: BigInt(index), hash: Buffer.from(hash) })))
    .execute();
}
