import { type Static, Type } from 'typebox';
import { encodeFunctionData, type Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { decide } from '../chain/nodes.ts';
import { type Block, findReceipt, type LogRange } from '../chain/rpc.ts';
import { earlierThan } from '../chain/search-range.ts';
import { NonEmptyBytes } from '../payment/hex.ts';
import type { GasAccount } from '../signer/gas-budget.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { ChannelContext } from './channel-context.ts';
import {
  type ClaimRow,
  claimable,
  encodeClaim,
  encodeMulticall,
  encodeSettles,
  encodeUnsignedClaim,
  restoreRow,
  StoredRow,
  storeRow,
} from './claim-rows.ts';
import { type ContractEvent, eventsIn, REFUNDED, readEvents } from './contract-logs.ts';
import { type ChannelState, readState } from './contract-reader.ts';
import { type Reason, reasonOf } from './reasons.ts';
import { SETTLEMENT_ABI } from './settlement-abi.ts';
import {
  type ChannelTransaction,
  createRequestReader,
  type Ending,
  type TransactionRecords,
} from './transaction-records.ts';
import {
  type ChannelCall,
  type Decision,
  type SendingContext,
  type TransactionRules,
  transactionLock,
} from './transactions.ts';

export interface WantedRefund {
  readonly refundId: string;
  readonly channelId: Hex;
  readonly config: ChannelConfig;
  readonly amount: bigint;
  /** What was charged; undefined: nothing. */
  readonly claim: ClaimRow | undefined;
}

const Amount = Type.String({ pattern: '^\\d+$' });
/** What is stored of a refund. The signature is for one nonce of the channel. */
const Stored = Type.Object({
  row: StoredRow,
  amount: Amount,
  nonce: Amount,
  signature: NonEmptyBytes,
});
const readStored = createRequestReader(Stored);
type Stored = Static<typeof Stored>;

const idOf = (refundId: string) => `refund:${refundId}`;
const NOT_KNOWN: Ending = { state: 'refused', reason: 'refund_not_known' };

export function createRefunds(context: SendingContext) {
  const { records, transactions, lock, blocks } = context;
  return {
    /** @returns undefined while the outcome is not known */
    async refund(wanted: WantedRefund, untilMs: number): Promise<Ending | undefined> {
      const id = idOf(wanted.refundId);
      // A signature of another refund of the channel would be for the same nonce.
      await lock(`channel-refunds:${wanted.channelId}`, () =>
        lock(transactionLock(id), async () => {
          if ((await records.find(id)) === undefined) await begin(context, id, wanted);
        }),
      );
      return transactions.follow(id, untilMs);
    },
    /** What `refund` would do. Makes the same checks, and signs, stores and sends nothing. */
    async estimate(wanted: WantedRefund) {
      const { state, refused } = await examine(context, wanted);
      if (refused !== undefined) return { reason: reasonOf(refused) };
      const { claim, ...call } = encodeUnsigned(context, wanted, state);
      const estimated = await transactions.estimate(call);
      if (typeof estimated === 'string') return { reason: reasonOf(REFUSED[estimated]) };
      // `claimed`: what the same transaction claims.
      return { ...estimated, claimed: claim === undefined ? 0n : claim.totalClaimed - state.totalClaimed };
    },
    /** Whether a state of its channel is from after a refund. A node that lags behind answers an earlier one. */
    async isShown(refundId: string, { refundNonce }: ChannelState): Promise<boolean> {
      const known = defined(await records.find(idOf(refundId)));
      return refundNonce > BigInt(readStored(known).nonce);
    },
    /** A refund that is not known is refused for good. @returns undefined while the outcome is not known */
    async resolve(
      refundId: string,
      untilMs: number,
    ): Promise<{ readonly channelId?: Hex; readonly ending: Ending | undefined }> {
      const id = idOf(refundId);
      const known = await lock(transactionLock(id), async () => {
        const found = await records.find(id);
        if (found !== undefined) return found;
        const { latest } = await blocks.readHead();
        await records.insert({ id, kind: 'refund', request: '{}', fromBlock: latest.number }, NOT_KNOWN);
        return undefined;
      });
      if (known === undefined) return { ending: NOT_KNOWN };
      if (known.signed === undefined) return { ending: known.ending };
      const { channelId } = readStored(known).row.voucher;
      return { channelId, ending: known.ending ?? (await transactions.follow(id, untilMs)) };
    },
  };
}

/** Signs a refund and sends it, or stores why it is refused: a repeat must not send what was refused before. */
async function begin(context: SendingContext, id: string, wanted: WantedRefund): Promise<void> {
  const { records, transactions } = context;
  const { fromBlock, state, refused } = await examine(context, wanted);
  const transaction = { id, kind: 'refund' as const, fromBlock };
  const refuse = (reason: Reason) =>
    records.insert({ ...transaction, request: '{}' }, { state: 'refused', reason: reasonOf(reason) });
  if (refused !== undefined) return refuse(refused);
  const stored = sign(context, wanted, state);
  const call = encode(context, stored, state);
  const started = await transactions.start({ ...transaction, request: JSON.stringify(stored) }, call);
  if (started !== 'started') await refuse(REFUSED[started]);
}

/** Reads the channel, and why it is not refunded. @throws {Error} if the node lags behind */
async function examine({ rpc, blocks, channels, records }: SendingContext, wanted: WantedRefund) {
  const { latest, state } = await decide(async () => {
    const head = await blocks.readHead();
    return { ...head, state: await readState(rpc, wanted.channelId, head.latest.number) };
  });
  if (state.refundNonce < (await channels.refundNonce(wanted.channelId))) {
    throw new Error('the node lacks an earlier refund of the channel');
  }
  return { fromBlock: latest.number, state, refused: await findRefusal(records, wanted, state) };
}

const REFUSED = { reverts: 'refund_simulation_failed', too_much_gas: 'too_much_gas_today' } as const;

async function findRefusal(
  records: TransactionRecords,
  { channelId, amount, claim }: WantedRefund,
  { balance, totalClaimed }: ChannelState,
): Promise<Reason | undefined> {
  // The nonce of another refund must be used up before the next one is signed.
  const others = await records.open('refund');
  if (others.some((other) => isOf(other, channelId))) return 'channel_busy';
  const kept = claim === undefined || claim.totalClaimed < totalClaimed ? totalClaimed : claim.totalClaimed;
  if (balance <= kept) return 'refund_no_balance';
  return amount === 0n || amount > balance - kept ? 'refund_amount_invalid' : undefined;
}

function sign(
  { typedData, authorizer }: ChannelContext,
  { channelId, config, amount, claim }: WantedRefund,
  { refundNonce }: ChannelState,
): Stored {
  const row = storeRow(claim ?? nothingOf(channelId, config));
  const signature = authorizer.sign(typedData.refundDigest(channelId, refundNonce, amount));
  return { row, amount: `${amount}`, nonce: `${refundNonce}`, signature };
}

/** The row of a channel that was not charged. It claims nothing. */
const nothingOf = (channelId: Hex, config: ChannelConfig): ClaimRow => ({
  config,
  voucher: { channelId, maxClaimableAmount: 0n, signature: `0x${'00'.repeat(65)}` },
  totalClaimed: 0n,
});

/**
 * Refunds, which the contract caps to what is left. If nothing else is left, what was charged is claimed in the same
 * transaction and sent to the receiver. Otherwise the payer deposited meanwhile, and the latest voucher stays private.
 */
function encode(context: ChannelContext, { row, amount, nonce, signature }: Stored, state: ChannelState): ChannelCall {
  const restored = restoreRow(row);
  const { claim, accounts } = partsOf(restored, BigInt(amount), state);
  const refund = encodeFunctionData({
    abi: SETTLEMENT_ABI,
    functionName: 'refundWithSignature',
    args: [restored.config, BigInt(amount), BigInt(nonce), signature],
  });
  if (claim === undefined) return { data: encodeMulticall([refund]), vouchers: [], accounts };
  const calls = [encodeClaim(context, [claim]), refund, ...encodeSettles([restored.config])];
  return { data: encodeMulticall(calls), vouchers: [claim.voucher], accounts };
}

function partsOf(row: ClaimRow, amount: bigint, state: ChannelState) {
  const isUncharged = row.totalClaimed === 0n && state.totalClaimed === 0n;
  // The key that signed. Anyone can name a payer.
  const accounts: GasAccount[] = [row.config.payerAuthorizer, ...(isUncharged ? ['uncharged' as const] : [])];
  const isForAll = state.balance - amount <= row.totalClaimed;
  return { claim: isForAll ? claimable(row, state) : undefined, accounts };
}

/** As `encode`, without our signatures: anyone who saw a signed refund could send it. */
function encodeUnsigned(
  { authorizer }: ChannelContext,
  { channelId, config, amount, claim: row = nothingOf(channelId, config) }: WantedRefund,
  state: ChannelState,
) {
  const { claim, accounts } = partsOf(row, amount, state);
  const refund = encodeFunctionData({ abi: SETTLEMENT_ABI, functionName: 'refund', args: [config, amount] });
  const calls = claim === undefined ? [refund] : [encodeUnsignedClaim([claim]), refund, ...encodeSettles([config])];
  const claims = claim === undefined ? 0 : 1;
  return { from: authorizer.address, data: encodeMulticall(calls), accounts, signatures: 1 + claims, claims, claim };
}

const isOf = (refund: ChannelTransaction, channelId: Hex) => readStored(refund).row.voucher.channelId === channelId;

/**
 * A signed refund is valid until its nonce is used up, and anyone who saw it may send it. So it is never given up: it is
 * sent until a final block shows a higher nonce. What that block shows is stored before the refund ends, because then its
 * hold is free.
 */
export function createRefundRules(context: ChannelContext): TransactionRules {
  const { rpc, blocks, channels } = context;
  return {
    async beforeEnding(transaction, _ending, { confirmed }) {
      const { channelId } = readStored(transaction).row.voucher;
      await channels.note([await readState(rpc, channelId, confirmed.number)]);
    },
    async decide(transaction, { confirmed, fate }): Promise<Decision> {
      const stored = readStored(transaction);
      const { channelId } = stored.row.voucher;
      const { refundNonce } = await readState(rpc, channelId, confirmed.number);
      if (refundNonce > BigInt(stored.nonce)) return endingOf(context, transaction, stored, confirmed);
      if (fate !== 'reverted' && fate !== 'replaced') return 'wait';
      const { latest } = await blocks.readHead();
      return { state: 'again', ...encode(context, stored, await readState(rpc, channelId, latest.number)) };
    },
  };
}

/** Finds the refund that used up the nonce. Without an event of it, nothing was left, or the receiver made another one. */
async function endingOf(
  context: ChannelContext,
  transaction: ChannelTransaction,
  stored: Stored,
  confirmed: Block,
): Promise<Ending> {
  const { channelId } = stored.row.voucher;
  const receipts = await Promise.all(transaction.transactions.map((hash) => findReceipt(context.rpc, hash)));
  const own = receipts.flatMap((receipt) => (receipt === undefined ? [] : eventsIn(receipt.logs, REFUNDED, channelId)));
  const range = { from: earlierThan(transaction.fromBlock), to: confirmed.number };
  const found = own[0] ?? (await findAmong(context, transaction, stored, range));
  if (found === undefined) return { state: 'refused', reason: reasonOf('refund_no_balance') };
  return { state: 'done', transaction: found.transaction, amount: BigInt(found.data) };
}

/**
 * Finds the refund in the events: its own transaction, or the first refund of its amount that is not one of the earlier
 * ones, because anyone may send it. Only one can use a nonce, and the next one is signed after this one has ended.
 */
async function findAmong(
  { rpc, records }: ChannelContext,
  { fromBlock, transactions }: ChannelTransaction,
  { row, amount }: Stored,
  range: LogRange,
): Promise<ContractEvent | undefined> {
  const { channelId } = row.voucher;
  const events = await readEvents(rpc, [channelId], range, REFUNDED);
  const known = await records.refundsBy(events.map(({ transaction }) => transaction));
  const earlier = known.filter((refund) => isOf(refund, channelId));
  const isEarlier = ({ transaction }: ContractEvent) =>
    earlier.some(({ ending }) => ending?.state === 'done' && ending.transaction === transaction);
  // Our own transaction may have returned less, if no more was left.
  const own = events.find(({ transaction }) => transactions.includes(transaction));
  const isSame = (event: ContractEvent) => event.block.number > fromBlock && BigInt(event.data) === BigInt(amount);
  return own ?? events.find((event) => isSame(event) && !isEarlier(event));
}
