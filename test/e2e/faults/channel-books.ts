import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { createPublicClient, type Hex, http } from 'viem';
import { SETTLEMENT } from '../../../services/payments/channels/addresses.ts';
import { SETTLEMENT_ABI } from '../../../services/payments/channels/settlement-abi.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type Answer, codeOf, headerOf } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { type ChannelCall, type ChannelPayer, isAnswered } from './channel-payer.ts';
import { PRICE } from './payment-books.ts';
import { query } from './trial-books.ts';

/** What all stores know of one channel. */
export interface ChannelBooks {
  readonly fundedMicroUsd: bigint;
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  readonly chargedMicroUsd: bigint;
  /** What the contract holds, and what of it is claimed. */
  readonly depositedMicroUsd: bigint;
  readonly claimedMicroUsd: bigint;
  /** What can be claimed: the latest voucher is not. After a restore, more was claimed than is known. */
  readonly claimableMicroUsd: bigint;
  /** What the latest voucher allows; 0 without one. */
  readonly voucherMicroUsd: bigint;
  /** Charged calls with a retained result. */
  readonly retained: number;
}

/** The chain is read before the ledger: what is claimed must have been charged before. */
export async function readChannelBooks(stack: Stack, ids: readonly Hex[]): Promise<readonly ChannelBooks[]> {
  const node = createPublicClient({ transport: http(stack.chainUrl), batch: { multicall: false } });
  const contract = { address: SETTLEMENT, abi: SETTLEMENT_ABI } as const;
  const states = await Promise.all(
    ids.map((id) => node.readContract({ ...contract, functionName: 'channels', args: [id] })),
  );
  const [accounts, claimable, retained] = await Promise.all([
    withLedger(stack, (ledger) => ledger.channels(ids)),
    query<{ id: string; claimable: bigint }>(stack, 'SELECT id, claimable::bigint FROM ledger.channel'),
    query<{ channel: string; calls: number }>(
      stack,
      `SELECT account AS channel, count(*)::integer AS calls FROM ledger.entry JOIN retained_body ON record_id = id
        WHERE access = 'channel' GROUP BY account`,
    ),
  ]);
  return ids.map((id, i) => {
    const [depositedMicroUsd, claimedMicroUsd] = defined(states[i]);
    const account = defined(accounts[i]);
    return {
      ...account,
      depositedMicroUsd,
      claimedMicroUsd,
      claimableMicroUsd: BigInt(claimable.find((channel) => channel.id === id)?.claimable ?? 0),
      voucherMicroUsd: account.voucher?.cumulativeMicroUsd ?? 0n,
      retained: retained.find(({ channel }) => channel === id)?.calls ?? 0,
    };
  });
}

/** What must be true at every moment, also while calls and claims are in progress. */
export function findBrokenRule(books: ChannelBooks): string | undefined {
  const { fundedMicroUsd, balanceMicroUsd, reservedMicroUsd, chargedMicroUsd } = books;
  if (balanceMicroUsd + reservedMicroUsd + chargedMicroUsd !== fundedMicroUsd) return 'the account does not add up';
  if (fundedMicroUsd > books.depositedMicroUsd) return 'it has more credit than was deposited';
  if (books.claimedMicroUsd > chargedMicroUsd) return 'more was claimed than charged';
  return books.voucherMicroUsd < chargedMicroUsd ? 'a charge has no durable voucher' : undefined;
}

/** The first contradiction between a payer's answers and the books, when all calls and claims have ended. */
export function findChannelFault({ calls }: ChannelPayer, books: ChannelBooks): string | undefined {
  const { reservedMicroUsd, chargedMicroUsd, fundedMicroUsd, depositedMicroUsd } = books;
  const broken = findBrokenRule(books);
  if (broken !== undefined) return broken;
  const answered = calls.filter(isAnswered);
  if (reservedMicroUsd !== 0n) return `${reservedMicroUsd} is reserved`;
  if (fundedMicroUsd !== depositedMicroUsd) return `${fundedMicroUsd} is credited of ${depositedMicroUsd}`;
  if (chargedMicroUsd !== PRICE * BigInt(answered.length)) {
    return `${chargedMicroUsd} is charged for ${answered.length} answers`;
  }
  const { claimedMicroUsd, claimableMicroUsd } = books;
  if (claimedMicroUsd < claimableMicroUsd) return `${claimedMicroUsd} is claimed of ${claimableMicroUsd}`;
  if (books.voucherMicroUsd !== chargedMicroUsd) return `the voucher is for ${books.voucherMicroUsd}`;
  if (books.retained !== answered.length) return `${books.retained} answers are retained of ${answered.length}`;
  return calls.map(findMisstatement).find((fault) => fault !== undefined);
}

/** The refusals of a valid voucher that are allowed while parts of the product are down or another call is in progress. */
const TEMPORARY: readonly string[] = [
  '502 UPSTREAM_FAILURE',
  '503 PAYMENT_UNAVAILABLE',
  '503 SETTLEMENT_PENDING',
  '503 SERVICE_UNAVAILABLE',
  '503 OVERLOADED',
  '402 invalid_batch_settlement_evm_channel_busy',
];

function findMisstatement({ answers, cumulativeMicroUsd }: ChannelCall): string | undefined {
  const given = answers.filter((answer) => answer !== undefined);
  const paid = given.filter(({ status }) => status === 200);
  const other = given.find((answer) => answer.status !== 200 && !TEMPORARY.includes(summaryOf(answer)));
  if (other !== undefined) return `an answer ${summaryOf(other)} ${other.text}`;
  if (new Set(paid.map(({ text }) => text)).size > 1) return 'the same voucher got different results';
  const responses = paid.map((answer) => decodePaymentResponseHeader(headerOf(answer, 'payment-response')));
  const wrong = responses.find(({ success, extra }) => {
    const { chargedAmount, channelState } = extra ?? {};
    const state: unknown = Object(channelState)['chargedCumulativeAmount'];
    return !success || chargedAmount !== `${PRICE}` || state !== `${cumulativeMicroUsd}`;
  });
  return wrong && `a payment response ${JSON.stringify(wrong)}`;
}

/** The status of an answer and why it was refused. */
export function summaryOf(answer: Answer): string {
  const required = answer.status === 402 ? answer.headers.get('payment-required') : null;
  const reason = required === null ? codeOf(answer) : decodePaymentRequiredHeader(required).error;
  return `${answer.status} ${reason ?? ''}`;
}
