import { isChannel } from '../contract/journal-entries.ts';
import type { ReservationReplay } from './account-replay.ts';
import type { Replay } from './journal-replay.ts';

/** The texts that Redis stores, as `book.lua` writes them. */

/** Time that Redis keeps a reservation after it was resolved. */
export const RESOLVED_KEPT_MS = 86_400_000;

export function reservationText({ state, reserve, balance }: ReservationReplay): string {
  if (reserve === undefined) return `${state}|||0||0|`;
  const { address, nonce, amount, operation, day } = reserve;
  return [state, address, nonce, amount, operation, day, balance].join('|');
}

/** The text of the nonce of a reservation. Undefined for a channel, and for an id that was never reserved. */
export function nonceText({ reserve, balance }: ReservationReplay): string | undefined {
  return reserve && !isChannel(reserve.address) ? `${reserve.id}|reserved|${balance}` : undefined;
}

export interface LedgerMeta {
  readonly epoch: string;
  readonly sequence: bigint;
  /** Days since 1970, UTC, of the last reservation. */
  readonly day: string;
  /** Micro-USD used of that day's budget. */
  readonly used: bigint;
}

const META = /^([^|]+)\|(\d+)\|(\d+)\|(\d+)$/;

/** @returns undefined for text of another form */
export function parseMeta(text: string): LedgerMeta | undefined {
  const [, epoch, sequence, day, used] = META.exec(text) ?? [];
  if (epoch === undefined || sequence === undefined || day === undefined || used === undefined) return undefined;
  return { epoch, sequence: BigInt(sequence), day, used: BigInt(used) };
}

/** Every format but the first has its number as the fifth field. */
const FORMAT = /^(?:[^|]*\|){4}(\d+)/;

/** The format of the stored ledger, by the text of its meta. */
export function formatOf(text: string): number {
  const [, format] = FORMAT.exec(text) ?? [];
  return format === undefined ? 1 : Number(format);
}

export function metaText(epoch: string, replay: Replay): string {
  const day = replay.latestDay;
  return [epoch, replay.sequence, day, replay.usedOn(day)].join('|');
}
