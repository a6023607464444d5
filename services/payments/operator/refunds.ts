import type { Hex } from 'viem';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import { decide } from '../chain/nodes.ts';
import { findReceipt } from '../chain/rpc.ts';
import { transfersIn } from '../chain/transfers.ts';
import { isHexAddress } from '../payment/hex.ts';
import type { Terms } from '../payment/terms.ts';
import type { DeskContext } from './desk-context.ts';
import {
  type By,
  createRefundRecords,
  isRefundOf,
  type NeededTransfer,
  type Refund,
  type RefundRecords,
} from './refund-records.ts';
import { createRestored, type Restored } from './restored.ts';
import { createSentRefunds, type SentRefunds } from './sent-refunds.ts';

export type RefundOutcome =
  /** A final block has the transfer. */
  | { readonly kind: 'recorded'; readonly transaction: Hex }
  /** The operator has to send it. */
  | { readonly kind: 'needed'; readonly transfer: NeededTransfer }
  /** A sentence for the operator. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface RefundRequest {
  readonly by: By;
  /** The operator was told the transfer before, and says that it was not sent. */
  readonly isAgain: boolean;
  /** Makes all checks, and records nothing. */
  readonly isDry: boolean;
}

export type Refunds = ReturnType<typeof createRefunds>;

interface RefundsContext extends DeskContext {
  readonly records: RefundRecords;
  readonly restored: Restored;
  readonly sentRefunds: SentRefunds;
}

const refuse = (reason: string): RefundOutcome => ({ kind: 'refused', reason });

/** Why a claim in this state is not refunded. */
const REFUSALS: ReadonlyMap<PaymentClaim['state'], string> = new Map([
  ['open', 'it has no outcome yet: there is nothing to refund'],
  ['settled', 'its settlement is not final yet: a refund could pay for what the chain takes back. Try again later'],
  ['lost', 'its settlement was lost: no money was received'],
  ['failed', 'its settlement failed: no money was received'],
  ['released', 'it was released: no money was received'],
]);

/**
 * Gives payments back. An operator sends the transfers: this service records who asked for which one, tells each transfer
 * once, and records it when a final block has it.
 */
export function createRefunds(given: DeskContext) {
  const restored = createRestored(given);
  const context: RefundsContext = {
    ...given,
    records: createRefundRecords(given.database),
    restored,
    sentRefunds: createSentRefunds(given, restored),
  };
  // One transfer could be the refund of several claims of a payer.
  const alone = <T>({ payer }: PaymentClaim, work: () => Promise<T>) =>
    context.lock(`refund:${payer.toLowerCase()}`, work);
  return {
    /** Opens the refund of a claim. */
    open: (claim: PaymentClaim, request: RefundRequest): Promise<RefundOutcome> =>
      alone(claim, () => open(context, claim, request)),
    /** Checks and records a transfer that an operator sent. */
    record: (claim: PaymentClaim, transaction: Hex, by: By): Promise<RefundOutcome> =>
      alone(claim, () => decide(() => record(context, claim, transaction, by))),
  };
}

async function open(context: RefundsContext, claim: PaymentClaim, request: RefundRequest): Promise<RefundOutcome> {
  const { records, terms } = context;
  const known = await records.find(claim.claimId);
  if (known?.transaction !== undefined) return { kind: 'recorded', transaction: known.transaction };
  const transfer = neededFor(claim, terms);
  const refused = await decide(
    async () => (await findRefusal(context, claim)) ?? findSent(context, { ...claim, ...transfer }, known, request),
  );
  if (refused !== undefined) return refuse(refused);
  if (!request.isDry) await records.open(transfer, request.by);
  return { kind: 'needed', transfer };
}

/** Why the claim is not refunded. The chain must show that its payee received the money. */
async function findRefusal({ chain, claims, terms }: RefundsContext, claim: PaymentClaim): Promise<string | undefined> {
  if (claim.asset !== terms.asset) return `it is of the asset ${claim.asset}; this service takes ${terms.asset}`;
  const reason = REFUSALS.get(claim.state);
  if (reason !== undefined) return reason;
  const paid = await claims.findById(claim.claimId);
  const state = paid && (await chain.stateOf(paid));
  return state?.kind === 'settled' ? undefined : `the chain shows no payment to ${claim.payTo}`;
}

/** Why the refund may have been sent, or be on its way. What is signed elsewhere and not sent yet cannot be seen. */
async function findSent(
  { sentRefunds, restored, blocks, terms }: RefundsContext,
  claim: PaymentClaim & NeededTransfer,
  known: Refund | undefined,
  { isAgain }: RefundRequest,
): Promise<string | undefined> {
  const restoredAt = await restored.at();
  if (known === undefined) {
    // A restored database may lack the record of a refund.
    if (restoredAt === null || claim.createdAt > restoredAt) return undefined;
    return sentRefunds.findRefusal(claim, restoredAt, 'the database was restored, and may lack the record of a refund');
  }
  const { openedAt } = known;
  if (!isAgain) {
    return (
      `its refund is open since ${openedAt.toISOString()}. Once the transfer is final, record it with --transaction. ` +
      'If it was never sent, and nobody can send it any more, use --again'
    );
  }
  const since = restoredAt !== null && restoredAt > openedAt ? restoredAt : openedAt;
  const { confirmed } = await blocks.readHead();
  // The sandbox makes a block only for a transaction.
  const isLater = terms.sandbox || (confirmed !== undefined && Number(confirmed.timestamp) * 1000 > since.getTime());
  if (!isLater) return 'no block from after the opening of the refund is final yet: try again in some blocks';
  return sentRefunds.findRefusal(claim, since, 'its refund may have been sent');
}

async function record(context: RefundsContext, claim: PaymentClaim, transaction: Hex, by: By): Promise<RefundOutcome> {
  const { rpc, records, blocks, terms } = context;
  const known = await records.find(claim.claimId);
  if (known?.transaction?.toLowerCase() === transaction.toLowerCase()) {
    return { kind: 'recorded', transaction: known.transaction };
  }
  if (known?.transaction !== undefined) return refuse(`it was refunded in transaction ${known.transaction}`);
  const refused = await findRefusal(context, claim);
  if (refused !== undefined) return refuse(refused);
  const needed = neededFor(claim, terms);
  const receipt = await findReceipt(rpc, transaction);
  if (receipt === undefined) return refuse(`the node does not know transaction ${transaction}, or it is not mined`);
  const transfers = transfersIn(receipt.logs, needed.asset).filter((transfer) => isRefundOf(transfer, needed));
  if (!receipt.success || transfers.length === 0) {
    const { amount, payee, payer } = needed;
    return refuse(`transaction ${transaction} does not transfer ${amount} from ${payee} to ${payer}`);
  }
  const { confirmed } = await blocks.readHead();
  for (const transfer of transfers) {
    if (claim.blockNumber !== null && transfer.block.number < claim.blockNumber) {
      return refuse(`transaction ${transaction} is older than the payment`);
    }
    const isFinal = confirmed !== undefined && transfer.block.number <= confirmed.number;
    if (!isFinal || !(await blocks.isFinal(transfer.block))) {
      return refuse(`transaction ${transaction} is not final yet: try again in some blocks`);
    }
    if (!(await records.isTakenAtEnd(needed, transfer, by))) {
      return { kind: 'recorded', transaction: transfer.transaction };
    }
  }
  return refuse(`transaction ${transaction} is the refund of another claim`);
}

/** @throws {Error} for a record that this service cannot have written */
function neededFor({ claimId, network, payer, payTo, amount }: PaymentClaim, { asset }: Terms): NeededTransfer {
  if (!isHexAddress(payer) || !isHexAddress(payTo)) throw new Error(`the record of claim ${claimId} is malformed`);
  return { claimId, network, asset, payee: payTo, payer, amount };
}
