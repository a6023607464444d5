import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { decide, type Rpc } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';
import { TooLittleEtherError } from '../signer/transaction-sender.ts';
import {
  type ClaimRow,
  claimable,
  encodeClaim,
  encodeMulticall,
  encodeSettles,
  encodeUnsignedClaim,
  restoreRows,
  storeRows,
} from './claim-rows.ts';
import { readStates } from './contract-reader.ts';
import { reasonOf } from './reasons.ts';
import type { TransactionRecords } from './transaction-records.ts';
import type { ChannelCall, SendingContext, Started, TransactionRules, UnsignedCall } from './transactions.ts';

/** Claims of this many channels take 2.5 million units of gas. */
export const MAX_CLAIMS = 100;

/** A row that raises the claimed total. */
interface DueRow extends ClaimRow {
  readonly raised: bigint;
}

export function createClaims(context: SendingContext) {
  const { records, transactions, lock } = context;
  return {
    /**
     * Claims channels and sweeps what is claimed to their receivers. Skips what is claimed already or on its way. `refused`:
     * channels whose claim the chain would revert.
     */
    async claim(rows: readonly ClaimRow[], untilMs: number) {
      const started: string[] = [];
      const start: Start = async (part, fromBlock) => {
        const id = `claim:${uuidv7()}`;
        const transaction = { id, kind: 'claim' as const, request: storeRows(part), fromBlock };
        const outcome = await transactions.start(transaction, encode(context, part));
        if (outcome === 'started') started.push(id);
        return outcome;
      };
      const { underWay, refused } = await lock('channel-claims', () => startClaims(context, rows, start));
      await Promise.all([...started, ...underWay].map((id) => transactions.follow(id, untilMs)));
      const sent = await Promise.all(started.map(async (id) => defined(await records.find(id))));
      return { refused, transactions: sent.map((each) => hashOf(each)) };
    },
    /** What `claim` would do. Makes the same checks, and signs, stores and sends nothing. */
    async estimate(rows: readonly ClaimRow[]) {
      const found: { claimed: readonly DueRow[]; gas: bigint; maxCostWei: bigint } = {
        claimed: [],
        gas: 0n,
        maxCostWei: 0n,
      };
      const { refused } = await startClaims(context, rows, async (part) => {
        const estimated = await transactions.estimate(encodeUnsigned(context, part));
        if (typeof estimated === 'string') return estimated;
        found.claimed = [...found.claimed, ...part];
        found.gas += estimated.gas;
        found.maxCostWei += estimated.maxCostWei;
        return 'started';
      });
      return { ...found, refused };
    },
  };
}

const hashOf = ({ ending, transactions }: Awaited<ReturnType<TransactionRecords['open']>>[number]): Hex =>
  ending?.state === 'done' ? ending.transaction : defined(transactions.at(-1));

/** Starts one transaction, or estimates it. */
type Start = (rows: readonly DueRow[], fromBlock: bigint) => Promise<Started>;

/** Two copies at once would send the same claims. Writes nothing itself. */
async function startClaims({ rpc, blocks, records }: SendingContext, asked: readonly ClaimRow[], start: Start) {
  const open = await records.open('claim');
  const pending = open.flatMap((claim) => restoreRows(claim).map((row) => ({ id: claim.id, row })));
  const isCovered = ({ voucher, totalClaimed }: ClaimRow) =>
    pending.some(({ row }) => row.voucher.channelId === voucher.channelId && row.totalClaimed >= totalClaimed);
  const asking = asked.map(({ voucher }) => voucher.channelId);
  const { latest, states } = await decide(async () => {
    const head = await blocks.readHead();
    return { ...head, states: await readStates(rpc, asking, head.latest.number) };
  });
  const rows = asked.flatMap((each, i) => {
    const state = defined(states[i]);
    const row = claimable(each, state);
    return row === undefined ? [] : [{ ...row, raised: row.totalClaimed - state.totalClaimed }];
  });
  // Earlier transactions that claim some of the rows. A claim may be in the chain, and not final yet.
  const ids = new Set(asking);
  const underWay = new Set(pending.flatMap(({ id, row }) => (ids.has(row.voucher.channelId) ? [id] : [])));
  const refused = await split(
    rows.filter((row) => !isCovered(row)),
    (part) => start(part, latest.number),
  );
  return { refused, underWay: [...underWay] };
}

/**
 * Starts claims in one transaction. One bad row reverts it, and the signer may be able to pay for some rows only, so it is
 * split until the bad rows are alone.
 * @returns the channels whose claim the chain would revert
 * @throws {ServiceError} PAYMENT_UNAVAILABLE: the signer cannot pay for one of the rows alone
 */
async function split(
  rows: readonly DueRow[],
  start: (rows: readonly DueRow[]) => Promise<Started>,
): Promise<readonly Hex[]> {
  if (rows.length === 0) return [];
  const started = await start(rows).catch((error: unknown) => {
    if (rows.length > 1 && isTooExpensive(error)) return 'too_expensive';
    throw error;
  });
  if (started === 'started') return [];
  if (rows.length === 1) return rows.map(({ voucher }) => voucher.channelId);
  const half = Math.ceil(rows.length / 2);
  return [...(await split(rows.slice(0, half), start)), ...(await split(rows.slice(half), start))];
}

const isTooExpensive = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause instanceof TooLittleEtherError;

/** Claims, and sends what is claimed to the receivers. */
const encode = (context: SendingContext, rows: readonly ClaimRow[]): ChannelCall => ({
  data: encodeMulticall([encodeClaim(context, rows), ...encodeSettles(rows.map(({ config }) => config))]),
  vouchers: rows.map(({ voucher }) => voucher),
  accounts: [],
});

const encodeUnsigned = ({ authorizer }: SendingContext, rows: readonly ClaimRow[]): UnsignedCall => ({
  from: authorizer.address,
  data: encodeMulticall([encodeUnsignedClaim(rows), ...encodeSettles(rows.map(({ config }) => config))]),
  accounts: [],
  signatures: 1,
  claims: rows.length,
});

/** A row that is not higher is skipped without an event, so only the claimed totals prove a claim. */
export function createClaimRules(rpc: Rpc): TransactionRules {
  return {
    async decide(claim, { confirmed, fate }) {
      const { transactions } = claim;
      const rows = restoreRows(claim);
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
