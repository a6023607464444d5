import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isDatabaseRestored } from '../../store/database-identity.ts';
import type { LogKey } from '../contract/proof/key-file.ts';
import type { SigningKey } from '../proof/ed25519.ts';
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
import { signCheckpoint } from '../proof/sign-checkpoint.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { currentSuffix, namedLog } from './log-names.ts';

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
 * @throws {ServiceError} RECORDS_UNAVAILABLE until an operator has accepted a restored database
 */
export async function appendToLog(
  transaction: TenantTransaction,
  leafHash: Uint8Array,
  log: LogKey<SigningKey>,
): Promise<LoggedLeaf> {
  const head = await transaction
    .selectFrom('verification.log_head')
    .select(['size', currentSuffix.as('suffix')])
    .forUpdate()
    .executeTakeFirstOrThrow();
  await assertOpen(transaction);
  const named = namedLog(log, head.suffix);
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
 * The database was restored and may lack leaves. Whatever is signed now could contradict what was signed before, so
 * nothing is signed until the log continues under another name.
 */
async function assertOpen(transaction: TenantTransaction): Promise<void> {
  if (!(await isDatabaseRestored(transaction))) return;
  throw new ServiceError('RECORDS_UNAVAILABLE', 'the log is closed: its database was restored from a backup or moved');
}

/** The signed head of the log. @throws {ServiceError} RECORDS_UNAVAILABLE as for `appendToLog` */
export async function readCheckpoint(transaction: TenantTransaction, log: LogKey<SigningKey>): Promise<string> {
  await assertOpen(transaction);
  const { size, suffix } = await readHead(transaction);
  const store = await readNodes(transaction, nodesOfRoot(size));
  return signCheckpoint({ size, root: rootOf(store, size) }, namedLog(log, suffix));
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
  await assertOpen(transaction);
  if (first > second || second > (await readHead(transaction)).size) return undefined;
  const store = await readNodes(transaction, nodesOfConsistency(first, second));
  return proveConsistency(store, first, second);
}

async function readHead(transaction: TenantTransaction) {
  const { size, suffix } = await transaction
    .selectFrom('verification.log_head')
    .select(['size', currentSuffix.as('suffix')])
    .executeTakeFirstOrThrow();
  return { size: Number(size), suffix };
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
