import type { Generated } from 'kysely';

export interface ChannelTables {
  /** A channel whose configuration is known, with what the contract showed at a final block. */
  channel: ChannelTable;
  /** A transaction of ours that changes channels. */
  channel_transaction: ChannelTransactionTable;
  /** How far the back office has read the events of channels, and when it had read all of them last. */
  channel_watch: { network: string; next_block: bigint; watched_at: Date; epoch: number };
}

export interface ChannelTable {
  channel_id: string;
  /** CAIP-2. */
  network: string;
  payer: string;
  payer_authorizer: string;
  receiver: string;
  receiver_authorizer: string;
  token: string;
  withdraw_delay_s: bigint;
  salt: string;
  /**
   * The latest final block when the channel was stored, or when it was read last before the watch had read it. Once the
   * watch has read it, `block_number` is later.
   */
  first_block: bigint;
  balance: Generated<bigint>;
  total_claimed: Generated<bigint>;
  refund_nonce: Generated<bigint>;
  /** Of a withdrawal that was started. Null: none. */
  withdraw_amount: bigint | null;
  withdraw_requested_at_s: bigint | null;
  /** The block of these facts. Null: not read yet. */
  block_number: bigint | null;
  read_at: Date | null;
}

export interface ChannelTransactionTable {
  network: string;
  id: string;
  kind: 'deposit' | 'claim' | 'refund';
  /** JSON text. */
  request: string;
  from_block: bigint;
  /** Hashes of the signed transactions, the last one at the end. */
  transactions: string[];
  /** The last signed transaction and its nonce. Null: nothing was signed here. */
  nonce: bigint | null;
  signed: string | null;
  state: 'open' | 'done' | 'refused';
  reason: string | null;
  transaction: string | null;
  amount: bigint | null;
  started_at: Generated<Date>;
  ended_at: Date | null;
}
