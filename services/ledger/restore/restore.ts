import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { readRedisTimeMs } from '../../platform/redis/redis-clock.ts';
import type { Tables } from '../../store/database.ts';
import {
  appendEntries,
  beginEpoch,
  copyEntries,
  type JournalEntry,
  lockCopy,
  readCopyHead,
} from '../../store/ledger-copy.ts';
import { recordAct } from '../../store/operator-acts.ts';
import { type Decision, decide } from './decide.ts';
import type { LedgerStores } from './ledger-stores.ts';
import { type Prepared, prepareRestore, RestoreRefusedError, type RestoreScope } from './prepare.ts';
import { closeLedger, rebuild } from './rebuild.ts';

export interface RestoreOptions extends RestoreScope {
  readonly operator: string;
  readonly reason: string;
  /** Whether to release what lost entries without a retained result may have reserved. */
  readonly releaseLostTail: boolean;
}

/** What a restore does or did. */
export interface RestoreReport extends Omit<Decision, 'added'> {
  readonly condition: Prepared['condition'];
  readonly fromEpoch: string;
  /** The farthest recorded sequence of that epoch. */
  readonly recordedSequence: bigint;
  /** Entries that the copy had. */
  readonly copied: bigint;
  /** Entries that only Redis had. */
  readonly uncopied: number;
  readonly added: number;
  readonly wallets: number;
  /** Sequence of the restored journal. */
  readonly sequence: bigint;
  /** The new epoch. Undefined in a plan. */
  readonly epoch: string | undefined;
}

/** What a restore would do now. It changes nothing. @throws {RestoreRefusedError} */
export async function planRestore(stores: LedgerStores, scope: RestoreScope): Promise<RestoreReport> {
  const prepared = await prepareRestore(stores, scope);
  const nowMs = await readNowMs(stores);
  return report(prepared, await decide(stores.database, prepared, { network: stores.network, nowMs }), undefined);
}

/**
 * Rebuilds a ledger that Redis has lost, or of which it has only an earlier state. After a restore of the database, also
 * a ledger of which Redis has more.
 * 1. The epoch in Redis ends: no process can write to it any more.
 * 2. One transaction of PostgreSQL ends the epoch there too, decides about the lost end of the journal, and records the
 *    new epoch with all its entries as the valid one. A trial of the ended epoch cannot be retained after it.
 * 3. Redis gets the new ledger. Its last write makes the new epoch current, which opens the ledger.
 * After a crash at any point the ledger is closed, or open in the new epoch. A closed one is restored by another run.
 * @throws {RestoreRefusedError}
 */
export async function restoreLedger(stores: LedgerStores, options: RestoreOptions): Promise<RestoreReport> {
  assertDecided(await planRestore(stores, options), options);
  const prepared = await prepareRestore(stores, options);
  const { network, database } = stores;
  await copyUncopied(stores, prepared);
  const epoch = randomUUID();
  await closeLedger(stores, prepared.stored.text, epoch);
  const nowMs = await readNowMs(stores);
  const restored = await database.transaction().execute(async (transaction) => {
    await lockLedger(transaction, stores, prepared);
    // Trials were retained until the lock was taken, and the witness may be farther than before.
    const witness = await transaction
      .selectFrom('ledger_witness')
      .select(['epoch', 'sequence'])
      .where('network', '=', network)
      .executeTakeFirstOrThrow();
    const latest = { ...prepared, witness };
    const after = prepared.replay.sequence;
    const decision = await decide(transaction, latest, { network, nowMs });
    const done = report(latest, decision, epoch);
    assertDecided(done, options);
    await recordEpoch(transaction, { network, epoch, prepared, after, entries: decision.added });
    await recordAct(transaction, {
      operator: options.operator,
      action: 'ledger.restore',
      subject: network,
      reason: options.reason,
      detail: detailOf(done, epoch),
    });
    return done;
  });
  await rebuild(stores, epoch, prepared.replay);
  return restored;
}

const readNowMs = async ({ client, timeoutMs }: LedgerStores) => Math.floor(await readRedisTimeMs(client, timeoutMs));

/** @throws {RestoreRefusedError} where the operator must decide and has not */
function assertDecided(plan: RestoreReport, { releaseLostTail }: RestoreOptions): void {
  const { unexplained, atMostMicroUsd, unattributed } = plan;
  if (releaseLostTail || (unexplained === 0n && unattributed.length === 0)) return;
  throw new RestoreRefusedError(
    `${unexplained} lost entries have no retained result: they reserved at most ${atMostMicroUsd} micro-USD. ` +
      `${unattributed.length} retained trials do not name their wallet. ` +
      'To restore the ledger without charging them, add --release-lost-tail',
  );
}

async function copyUncopied({ database, network }: LedgerStores, { uncopied, witness }: Prepared): Promise<void> {
  const page = 1000;
  for (let at = 0; at < uncopied.length; at += page)
    await copyEntries(database, { network, epoch: witness.epoch }, uncopied.slice(at, at + page));
}

/** Waits for trials that are being retained, and stops further ones and all copiers until the transaction ends. */
async function lockLedger(
  transaction: Transaction<Tables>,
  { network }: LedgerStores,
  { replay, witness }: Prepared,
): Promise<void> {
  await lockCopy(transaction, network);
  const locked = await transaction
    .selectFrom('ledger_witness')
    .select('epoch')
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirst();
  const head = await readCopyHead(transaction, network);
  const copied = head === undefined ? 0n : head.sequence;
  if (locked?.epoch !== witness.epoch || copied !== replay.sequence)
    throw new RestoreRefusedError('the copy of the journal changed meanwhile: run the command again');
}

interface NewEpoch {
  readonly network: string;
  readonly epoch: string;
  readonly prepared: Prepared;
  /** Sequence of the last entry before the new epoch. */
  readonly after: bigint;
  readonly entries: readonly JournalEntry[];
}

async function recordEpoch(transaction: Transaction<Tables>, given: NewEpoch): Promise<void> {
  const { network, epoch, prepared, after, entries } = given;
  const { epochs, witness } = prepared;
  const last = epochs.at(-1);
  // A ledger that was lost before its first entry was copied has no epoch here yet.
  if (last === undefined) await beginEpoch(transaction, network, { generation: 1, epoch: witness.epoch, base: 0n });
  const generation = (last === undefined ? 1 : last.generation) + 1;
  await beginEpoch(transaction, network, { generation, epoch, base: after });
  await appendEntries(transaction, { network, epoch, after }, entries);
  await transaction
    .updateTable('ledger_witness')
    .set({ epoch, sequence: after + BigInt(entries.length) })
    .where('network', '=', network)
    .execute();
}

function report(prepared: Prepared, { added, ...decision }: Decision, epoch: string | undefined): RestoreReport {
  const { condition, witness, uncopied, replay } = prepared;
  return {
    ...decision,
    condition,
    fromEpoch: witness.epoch,
    recordedSequence: witness.sequence,
    copied: replay.sequence - BigInt(added.length + uncopied.length),
    uncopied: uncopied.length,
    added: added.length,
    wallets: replay.wallets.size,
    sequence: replay.sequence,
    epoch,
  };
}

function detailOf(done: RestoreReport, epoch: string) {
  const { condition, fromEpoch, posted, voided, charged, missing, unexplained, unattributed, sequence } = done;
  return {
    condition,
    fromEpoch,
    epoch,
    sequence: String(sequence),
    posted,
    voided,
    charged: charged.length,
    missing: String(missing),
    unexplained: String(unexplained),
    unattributed: unattributed.length,
  };
}
