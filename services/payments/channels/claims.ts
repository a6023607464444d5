import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';
import { findReceipt, type Rpc } from '../chain/rpc.ts';
import type { Lock } from '../signer/signer-lock.ts';
import { TooLittleEtherError } from '../signer/transaction-sender.ts';
import type { Authorizer } from './authorizer.ts';
import {
  type ClaimRow,
  claimable,
  encodeClaim,
  encodeMulticall,
  encodeSettles,
  restoreRows,
  storeRows,
} from './claim-rows.ts';
import { readStates } from './contract-reader.ts';
import { reasonOf } from './reasons.ts';
import type { NewTransaction, TransactionRecords } from './transaction-records.ts';
import type { ChannelCall, ChannelTransactions, TransactionRules } from './transactions.ts';
import type { TypedData } from './typed-data.ts';

/** Claims of this many channels take 2.5 million units of gas. */
export const MAX_CLAIMS = 100;

export interface ClaimReport {
  readonly transactions: readonly Hex[];
  /** Channels whose claim the chain would revert. */
  readonly refused: readonly Hex[];
}

export interface ChannelClaims {
  /** Claims channels and sweeps what is claimed to their receivers. Skips what is claimed already or on its way. */
  claim(rows: readonly ClaimRow[], untilMs: number): Promise<ClaimReport>;
}

export interface ClaimsOptions {
  readonly rpc: Rpc;
  readonly typedData: TypedData;
  readonly authorizer: Authorizer;
  readonly blocks: ConfirmedBlocks;
  readonly records: TransactionRecords;
  readonly transactions: Pick<ChannelTransactions, 'start' | 'follow'>;
  readonly lock: Lock;
}

export function createClaims(options: ClaimsOptions): ChannelClaims {
  const { records, transactions, lock } = options;
  return {
    async claim(rows, untilMs) {
      const { started, underWay, refused } = await lock('channel-claims', () => startClaims(options, rows));
      await Promise.all([...started, ...underWay].map((id) => transactions.follow(id, untilMs)));
      const sent = await Promise.all(started.map(async (id) => defined(await records.find(id))));
      return { refused, transactions: sent.map((each) => hashOf(each)) };
    },
  };
}

const hashOf = ({ ending, transactions }: Awaited<ReturnType<TransactionRecords['open']>>[number]): Hex =>
  ending?.state === 'done' ? ending.transaction : defined(transactions.at(-1));

interface Started {
  readonly started: readonly string[];
  /** Earlier transactions that claim some of the rows. */
  readonly underWay: readonly string[];
  readonly refused: readonly Hex[];
}

/** Two copies at once would send the same claims. */
async function startClaims(options: ClaimsOptions, asked: readonly ClaimRow[]): Promise<Started> {
  const { rpc, blocks, records } = options;
  const open = await records.open('claim');
  const pending = open.flatMap(({ id, request }) => restoreRows(request).map((row) => ({ id, row })));
  const isCovered = ({ voucher, totalClaimed }: ClaimRow) =>
    pending.some(({ row }) => row.voucher.channelId === voucher.channelId && row.totalClaimed >= totalClaimed);
  const { latest } = await blocks.readHead();
  const states = await readStates(
    rpc,
    asked.map(({ voucher }) => voucher.channelId),
    latest.number,
  );
  const rows = asked.flatMap((row, i) => claimable(row, defined(states[i])) ?? []);
  // A claim may be in the chain, and not final yet.
  const ids = new Set(asked.map(({ voucher }) => voucher.channelId));
  const underWay = new Set(pending.flatMap(({ id, row }) => (ids.has(row.voucher.channelId) ? [id] : [])));
  const { started, refused } = await send(
    options,
    rows.filter((row) => !isCovered(row)),
    latest.number,
  );
  return { started, refused, underWay: [...underWay] };
}

/**
 * Sends claims in one transaction. One bad row reverts it, and the signer may be able to pay for some rows only, so it is
 * split until the bad rows are alone.
 * @throws {ServiceError} PAYMENT_UNAVAILABLE: the signer cannot pay for one of the rows alone
 */
async function send(
  options: ClaimsOptions,
  rows: readonly ClaimRow[],
  fromBlock: bigint,
): Promise<Omit<Started, 'underWay'>> {
  if (rows.length === 0) return { started: [], refused: [] };
  const transaction: NewTransaction = {
    id: `claim:${uuidv7()}`,
    kind: 'claim',
    request: storeRows(rows),
    fromBlock,
  };
  const started = await options.transactions.start(transaction, encode(options, rows)).catch((error: unknown) => {
    if (rows.length > 1 && isTooExpensive(error)) return 'too_expensive';
    throw error;
  });
  if (started === 'started') return { started: [transaction.id], refused: [] };
  if (rows.length === 1) return { started: [], refused: rows.map(({ voucher }) => voucher.channelId) };
  const half = Math.ceil(rows.length / 2);
  const first = await send(options, rows.slice(0, half), fromBlock);
  const second = await send(options, rows.slice(half), fromBlock);
  return { started: [...first.started, ...second.started], refused: [...first.refused, ...second.refused] };
}

const isTooExpensive = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause instanceof TooLittleEtherError;

/** Claims, and sends what is claimed to the receivers. */
const encode = (options: ClaimsOptions, rows: readonly ClaimRow[]): ChannelCall => ({
  data: encodeMulticall([encodeClaim(options, rows), ...encodeSettles(rows.map(({ config }) => config))]),
  vouchers: rows.map(({ voucher }) => voucher),
  accounts: [],
});

/** A row that is not higher is skipped without an event, so only the claimed totals prove a claim. */
export function createClaimRules(rpc: Rpc): TransactionRules {
  return {
    async decide({ request, transactions }, { confirmed, fate }) {
      const rows = restoreRows(request);
      const ids = rows.map(({ voucher }) => voucher.channelId);
      const states = await readStates(rpc, ids, confirmed.number);
      const isClaimed = rows.every(({ totalClaimed }, i) => defined(states[i]).totalClaimed >= totalClaimed);
      if (fate === 'waiting' || fate === 'unsigned') return 'wait';
      if (!isClaimed) return { state: 'refused', reason: reasonOf('claim_transaction_failed') };
      const receipts = await Promise.all(transactions.map((hash) => findReceipt(rpc, hash)));
      const mined = transactions.find((_, i) => receipts[i]?.success === true);
      // The node that was asked lags behind.
      if (mined === undefined && fate === 'mined') return 'wait';
      // Another transaction claimed the same, such as a later one of ours.
      return mined === undefined
        ? { state: 'refused', reason: reasonOf('claim_transaction_failed') }
        : { state: 'done', transaction: mined };
    },
  };
}
