import { defined } from '../../../workers/exact/defined.ts';
import { REFUND_OPERATION } from '../contract/channels.ts';
import type { FundEntry, ReserveEntry } from '../contract/journal-entries.ts';
import type { AuditViolation } from '../contract/ledger.ts';
import { parseVoucher } from '../contract/voucher-text.ts';
import type { ReservationReplay, WalletReplay } from './account-replay.ts';

/** What Redis stores of a channel besides its account. Vouchers are `<reservation id>:<voucher>`, or empty. */
export interface ChannelReplay {
  readonly usable: bigint;
  readonly block: bigint;
  readonly charged: string;
  readonly open: string;
}

interface ChannelBooksOptions {
  readonly wallets: ReadonlyMap<string, WalletReplay>;
  readonly reservations: ReadonlyMap<string, ReservationReplay>;
  readonly report: (invariant: AuditViolation['invariant'], subject: string, detail: string) => void;
}

/** The vouchers and credit of channels after the entries so far. */
export function createChannelBooks({ wallets, reservations, report }: ChannelBooksOptions) {
  const channels = new Map<string, ChannelReplay>();

  /** The latest voucher that was charged: a voided reservation leaves the one before it. */
  function chargedOf({ charged, open }: ChannelReplay): string {
    const id = open.slice(0, open.indexOf(':'));
    return reservations.get(id)?.state === 'posted' ? open : charged;
  }

  return {
    channels,
    /** @returns the account after the entry; undefined if the channel has none */
    fund({ id, usable, block, funded }: FundEntry, sequence: bigint): WalletReplay {
      const before = wallets.get(id);
      const used = before === undefined ? 0n : before.reserved + before.spent;
      const expected = usable > used ? usable : used;
      if (funded !== expected) report('channel_as_contract', id, `funded with ${funded} instead of ${expected}`);
      const channel = channels.get(id);
      channels.set(id, { charged: '', open: '', ...channel, usable, block });
      const account = before ?? { reserved: 0n, spent: 0n, failures: [] };
      return { ...account, grant: funded, balance: funded - used, sequence };
    },
    /** @returns whether the channel has an account */
    reserve({ id, address, nonce, amount, operation }: ReserveEntry): boolean {
      const [wallet, channel] = [wallets.get(address), channels.get(address)];
      if (wallet === undefined || channel === undefined) {
        report('channel_as_contract', address, 'a call was reserved before a deposit');
        return false;
      }
      const isRefund = operation === REFUND_OPERATION;
      const cumulative = parseVoucher(nonce)?.cumulativeMicroUsd;
      const expected = wallet.spent + (isRefund ? 0n : amount);
      if (cumulative !== expected || wallet.reserved > 0n) {
        report('voucher_is_exact', address, `${id} has a voucher for ${cumulative} instead of ${expected}`);
      }
      channels.set(address, { ...channel, charged: chargedOf(channel), open: isRefund ? '' : `${id}:${nonce}` });
      return true;
    },
  };
}

/** The text that Redis stores of a channel, as `channels.lua` writes it. */
export function channelText(replays: ReadonlyMap<string, ChannelReplay>, id: string): string {
  const { usable, block, charged, open } = defined(replays.get(id));
  return [usable, block, charged, open].join('|');
}
