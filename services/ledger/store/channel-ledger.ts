import type { ChannelAccount, ChannelCharge } from '../contract/channels.ts';
import type { ChannelChargeOutcome, RefundHoldOutcome } from '../contract/outcomes.ts';
import { readAccount } from './channel-account.ts';
import type { ChannelLedgerOptions } from './channel-options.ts';
import { assertChannel, createCharge, type StoredHold } from './charge.ts';
import { callFunction } from './ledger-pool.ts';
import { readItems } from './read-outcomes.ts';

/** What channels were charged. A call is posted or voided as a trial is, and a refund is voided when it has ended. */
export interface ChannelLedger {
  /** Reserves the price of a call. A repeat with the same id may reserve again if the first one was voided. */
  charge(charge: ChannelCharge): Promise<ChannelChargeOutcome>;
  /** Sets credit aside that will be returned on the chain. */
  holdRefund(hold: StoredHold): Promise<RefundHoldOutcome>;
  /** A channel that is not known has nothing. */
  channels(ids: readonly string[]): Promise<readonly ChannelAccount[]>;
}

/** Every method throws `RangeError` for an argument of another form, and `LedgerUnavailableError`. */
export function createChannelLedger(options: ChannelLedgerOptions): ChannelLedger {
  const { pool, network, cipher } = options;
  return {
    ...createCharge(options),
    async channels(ids) {
      for (const id of ids) assertChannel(id);
      if (ids.length === 0) return [];
      const rows = await callFunction(pool, 'channels', [network, JSON.stringify(ids)]);
      return readItems(rows, ids).map(({ row, item }) => readAccount(cipher, item, row));
    },
  };
}
