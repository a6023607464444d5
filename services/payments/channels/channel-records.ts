import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { isBytes32, isHexAddress } from '../payment/hex.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { ChannelState } from './contract-reader.ts';
import type { VoucherAmount } from './deposit-payload.ts';

export type ChannelRecords = ReturnType<typeof createChannelRecords>;

/** A voucher in the data of a transaction. */
export type PublicVoucher = Pick<VoucherAmount, 'channelId' | 'maxClaimableAmount'>;

/** The channels of PostgreSQL: without its configuration, a voucher cannot be claimed. */
export function createChannelRecords(database: Database, network: string) {
  const idsOf = (rows: readonly { channel_id: string }[]) => rows.map(({ channel_id }) => idOf(channel_id));
  const all = () => database.selectFrom('channel').where('network', '=', network);
  return {
    /** Stores a configuration, once. `block` is the latest final block. */
    async remember(channelId: Hex, config: ChannelConfig, block: bigint): Promise<void> {
      const row = {
        channel_id: channelId,
        network,
        payer: config.payer,
        payer_authorizer: config.payerAuthorizer,
        receiver: config.receiver,
        receiver_authorizer: config.receiverAuthorizer,
        token: config.token,
        withdraw_delay_s: BigInt(config.withdrawDelay),
        salt: config.salt,
        first_block: block,
      };
      await database
        .insertInto('channel')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    /** The configurations of these channels, by their ids. */
    async configs(channelIds: readonly Hex[]): Promise<ReadonlyMap<string, ChannelConfig>> {
      if (channelIds.length === 0) return new Map();
      const rows = await all().selectAll().where('channel_id', 'in', channelIds).execute();
      return new Map(rows.map((row) => [row.channel_id, configOf(row)]));
    },
    /** All channels, in the order of their ids. */
    ids: async (): Promise<readonly Hex[]> => idsOf(await all().select('channel_id').orderBy('channel_id').execute()),
    /** The channels with a withdrawal that was started. */
    withdrawing: async (): Promise<readonly Hex[]> =>
      idsOf(await all().select('channel_id').where('withdraw_amount', 'is not', null).orderBy('channel_id').execute()),
    /** The earliest block from which on events are to be read. */
    async firstBlock(): Promise<bigint | undefined> {
      const row = await all()
        .select(({ fn }) => fn.min<bigint | null>('first_block').as('first'))
        .executeTakeFirst();
      return row?.first ?? undefined;
    },
    /** The first block whose events the watch has not read. 0: it has read none. */
    async watchedTo(): Promise<bigint> {
      const place = await database
        .selectFrom('channel_watch')
        .select('next_block')
        .where('network', '=', network)
        .executeTakeFirst();
      return place?.next_block ?? 0n;
    },
    /** The channels that were read before a block, and by the watch never. */
    async readBefore(block: bigint): Promise<readonly Hex[]> {
      const rows = await all()
        .select('channel_id')
        .where('block_number', '<', block)
        .whereRef('block_number', '<=', 'first_block')
        .orderBy('channel_id')
        .execute();
      return idsOf(rows);
    },
    /** The nonce of the next refund of a channel, as far as it was read. */
    async refundNonce(channelId: Hex): Promise<bigint> {
      const row = await all().select('refund_nonce').where('channel_id', '=', channelId).executeTakeFirst();
      return row?.refund_nonce ?? 0n;
    },
    /** Notes that these vouchers are about to be sent, after which anyone may have them. */
    async publish(vouchers: readonly PublicVoucher[]): Promise<void> {
      await sql`WITH ${publishing(network, vouchers)} SELECT`.execute(database);
    },
    /**
     * Stores what the contract showed, unless a later block is stored. `isWatched`: the watch has read it, so that from its
     * block on no event is left out.
     */
    async note(
      states: readonly ChannelState[],
      { isWatched }: { readonly isWatched: boolean } = { isWatched: false },
    ): Promise<void> {
      const rows = states.map(({ channelId, withdrawal, ...state }) => ({
        id: channelId,
        balance: `${state.balance}`,
        claimed: `${state.totalClaimed}`,
        nonce: `${state.refundNonce}`,
        amount: withdrawal === undefined ? null : `${withdrawal.amount}`,
        requested: withdrawal?.requestedAtS ?? null,
        block: `${state.block}`,
      }));
      await sql`
        UPDATE channel SET balance = seen.balance, total_claimed = seen.claimed, refund_nonce = seen.nonce,
          withdraw_amount = seen.amount, withdraw_requested_at_s = seen.requested, block_number = seen.block,
          first_block = CASE WHEN ${isWatched} OR block_number > first_block THEN first_block ELSE seen.block END,
          read_at = clock_timestamp()
        FROM json_to_recordset(${JSON.stringify(rows)}) AS seen (id text, balance bigint, claimed bigint, nonce bigint,
          amount bigint, requested bigint, block bigint)
        WHERE channel_id = seen.id AND network = ${network} AND coalesce(block_number, 0) <= seen.block`.execute(
        database,
      );
    },
    /** The same channels, each as it is stored if that is of a later block. */
    async latest(states: readonly ChannelState[]): Promise<readonly ChannelState[]> {
      if (states.length === 0) return [];
      const ids = states.map(({ channelId }) => channelId);
      const rows = await all().selectAll().where('channel_id', 'in', ids).execute();
      const stored = new Map(rows.map((row) => [row.channel_id, row]));
      return states.map((state) => {
        const row = stored.get(state.channelId);
        return row === undefined ? state : laterOf(state, row);
      });
    },
  };
}

/**
 * Parts of a statement that notes vouchers as public.
 * @param where whether they are noted
 */
export const publishing = (
  network: string,
  vouchers: readonly PublicVoucher[],
  where: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  given AS MATERIALIZED (
    SELECT * FROM unnest(${vouchers.map(({ channelId }) => channelId)}::text[],
      ${vouchers.map(({ maxClaimableAmount }) => maxClaimableAmount)}::bigint[]) AS given (id, signed)
  ), locked AS MATERIALIZED (
    -- All that lock several channels take this order. The lock is a part of the statement that changes them.
    SELECT id FROM ledger.channel WHERE network = ${network} AND id IN (SELECT id FROM given) AND ${where}
      ORDER BY id FOR UPDATE
  ), published AS (
    UPDATE ledger.channel account SET published = greatest(account.published, given.signed)
    FROM locked JOIN given ON given.id = locked.id
    WHERE account.network = ${network} AND account.id = locked.id
  )`;

function laterOf(state: ChannelState, row: Selectable<Tables['channel']>): ChannelState {
  const { block_number: block, withdraw_amount: amount, withdraw_requested_at_s: requestedAtS } = row;
  if (block === null || block <= state.block) return state;
  const withdrawal =
    amount === null || requestedAtS === null ? undefined : { amount, requestedAtS: Number(requestedAtS) };
  const { channelId } = state;
  const { balance, total_claimed: totalClaimed, refund_nonce: refundNonce } = row;
  return { channelId, balance, totalClaimed, refundNonce, withdrawal, block };
}

function idOf(text: string): Hex {
  if (!isBytes32(text)) throw new Error(`the record of channel ${text} is malformed`);
  return text;
}

/** @throws {Error} for a row that this service cannot have written */
function configOf(row: Selectable<Tables['channel']>): ChannelConfig {
  const { payer, payer_authorizer: payerAuthorizer, receiver, receiver_authorizer: receiverAuthorizer, token } = row;
  const { salt } = row;
  const isWhole =
    isHexAddress(payer) &&
    isHexAddress(payerAuthorizer) &&
    isHexAddress(receiver) &&
    isHexAddress(receiverAuthorizer) &&
    isHexAddress(token) &&
    isBytes32(salt);
  if (!isWhole) throw new Error(`the record of channel ${row.channel_id} is malformed`);
  const withdrawDelay = Number(row.withdraw_delay_s);
  return { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt };
}
