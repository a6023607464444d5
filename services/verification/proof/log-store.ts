import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isLogOpen, readLogEpoch } from '../../store/log-epoch.ts';
import type { LogKey } from '../contract/proof/key-file.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { SigningKey } from './ed25519.ts';
import { namedLog } from './log-names.ts';
import { createMemoryNodeStore } from './memory-node-store.ts';
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
} from './merkle-tree.ts';
import { signCheckpoint } from './sign-checkpoint.ts';

/** The position of a leaf in the log, and the proof of it. */
export interface LoggedLeaf {
  readonly index: number;
  /** Number of leaves, including this one. */
  readonly size: number;
  /** Inclusion proof, from the leaf up. */
  readonly hashes: readonly Uint8Array[];
  /** The name of the log. */
  readonly origin: string;
  /** The signed head of the log that has `size` leaves. */
  readonly checkpoint: string;
}

/**
 * Appends a leaf. The row lock lasts until the transaction ends, so no index is skipped or used twice.
 * @throws {ServiceError} RECORDS_UNAVAILABLE after a restore, until an operator lets the log go on
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
  const named = namedLog(log, await readOpenSuffix(transaction));
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
    origin: named.origin,
    checkpoint: signCheckpoint({ size, root: rootOf(complete, size) }, named),
  };
}

/**
 * A database that was restored may lack leaves. What is signed then could contradict what was signed before.
 * @returns the end of the log's name
 * @throws {ServiceError} RECORDS_UNAVAILABLE as for `appendToLog`
 */
async function readOpenSuffix(transaction: TenantTransaction): Promise<string | null> {
  const epoch = await readLogEpoch(transaction);
  if (isLogOpen(epoch)) return epoch.suffix;
  throw new ServiceError('RECORDS_UNAVAILABLE', 'the log is closed: its database was restored from a backup or moved');
}

/** The signed head of the log. @throws {ServiceError} RECORDS_UNAVAILABLE as for `appendToLog` */
export async function readCheckpoint(transaction: TenantTransaction, log: LogKey<SigningKey>): Promise<string> {
  // The size before the name: a leaf that is added between them has the later name.
  const size = await readSize(transaction);
  const named = namedLog(log, await readOpenSuffix(transaction));
  const store = await readNodes(transaction, nodesOfRoot(size));
  return signCheckpoint({ size, root: rootOf(store, size) }, named);
}

/**
 * @returns undefined unless 0 ≤ first ≤ second ≤ the size of the log
 * @throws {ServiceError} RECORDS_UNAVAILABLE as for `appendToLog`
 */
export async function readConsistency(
  transaction: TenantTransaction,
  first: number,
  second: number,
): Promise<readonly Uint8Array[] | undefined> {
  await readOpenSuffix(transaction);
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
