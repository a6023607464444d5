import type { Kysely } from 'kysely';
import type { Tables } from '../../store/database.ts';
import type { Replay } from '../redis/journal-replay.ts';

/** A retained trial, or call of a channel, whose reservation the journal lacks. */
export interface LostTrial {
  readonly reservationId: string;
  /** Address, or id of the channel. */
  readonly wallet: string;
  /** Nonce, or voucher of the channel. */
  readonly nonce: string;
  readonly amount: bigint;
  readonly operation: string;
}

export interface Evidence {
  /** Pending reservations with a retained result. */
  readonly retained: ReadonlySet<string>;
  /** In the order of their ids, which is that of their time. */
  readonly lost: readonly LostTrial[];
  /** Ids of retained trials that the journal lacks and that do not name their wallet: an earlier release retained them. */
  readonly unattributed: readonly string[];
}

const DAY_MS = 86_400_000;

/** Reads the retained trials that tell what became of reservations after the end of the replayed journal. */
export async function readEvidence(
  database: Kysely<Tables>,
  { network, epoch }: { readonly network: string; readonly epoch: string },
  replay: Replay,
): Promise<Evidence> {
  const trials = (sinceMs: number) =>
    database
      .selectFrom('retained_body')
      .where('access', 'in', ['trial', 'channel'])
      .where('day', '>=', new Date(Math.max(0, sinceMs)).toISOString().slice(0, 10));
  const ids = [...replay.pending.keys()];
  const reservedMs = Array.from(replay.pending.values(), ({ timeMs }) => timeMs);
  const retained =
    ids.length === 0
      ? []
      : await trials(Math.min(...reservedMs) - DAY_MS)
          .select('record_id')
          .where('record_id', 'in', ids)
          .execute();
  // A trial that the journal lacks was reserved after its last entry. A day is added because clocks may differ.
  const rows = await trials(replay.latest === undefined ? 0 : replay.latest.timeMs - DAY_MS)
    .select(['record_id', 'wallet', 'nonce', 'amount_micro_usd', 'operation'])
    .where((by) =>
      by.or([
        by.and([by('ledger_network', '=', network), by('ledger_epoch', '=', epoch)]),
        by('ledger_epoch', 'is', null),
      ]),
    )
    .orderBy('record_id')
    .execute();
  const unknown = rows.filter(({ record_id }) => !replay.reservations.has(record_id));
  const lost = unknown.flatMap(({ record_id, wallet, nonce, amount_micro_usd: amount, operation }) =>
    wallet === null || nonce === null || amount === null
      ? []
      : [{ reservationId: record_id, wallet, nonce, amount, operation }],
  );
  const attributed = new Set(lost.map(({ reservationId }) => reservationId));
  return {
    retained: new Set(retained.map(({ record_id }) => record_id)),
    lost,
    unattributed: unknown.map(({ record_id }) => record_id).filter((id) => !attributed.has(id)),
  };
}
