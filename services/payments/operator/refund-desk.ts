import type { Hex } from 'viem';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import { brokenConstraint } from '../../store/unique.ts';
import type { Chain } from '../chain/chain.ts';
import { findReceipt } from '../chain/rpc.ts';
import { transfersIn } from '../chain/transfers.ts';
import type { Claims } from '../claims/claims.ts';
import { isHexAddress } from '../payment/hex.ts';
import type { Terms } from '../payment/terms.ts';
import type { Lock } from '../signer/signer-lock.ts';
import type { Estimated } from '../signer/transaction-sender.ts';
import type { LostRefunds } from './lost-refunds.ts';
import { type By, isRefundOf, type RefundedClaim } from './refund-records.ts';
import { type RefundProgress, type Refunds, type RefundsOptions, refundLock } from './refunds.ts';

export interface NeededTransfer {
  readonly network: string;
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}

export type RefundOutcome = ({ readonly kind: 'sent' } & RefundProgress) | NotRefunded;

type NotRefunded =
  /** A sentence for the operator. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The key of the claim's payee is not held here. */
  | { readonly kind: 'needed'; readonly transfer: NeededTransfer };

export interface RefundEstimate extends Estimated {
  readonly kind: 'estimate';
  readonly transfer: NeededTransfer;
}

/** Decides whether a claim can be refunded. */
export interface RefundDesk {
  /** Sends the refund, or continues one that was recorded. */
  refund(claim: PaymentClaim, by: By): Promise<RefundOutcome>;
  /** What `refund` would do. Makes the same checks, and signs, records and sends nothing. */
  estimate(claim: PaymentClaim): Promise<RefundOutcome | RefundEstimate>;
  /** Checks and records a refund that the operator sent. */
  record(claim: PaymentClaim, transaction: Hex, by: By): Promise<RefundOutcome>;
}

export interface RefundDeskOptions extends Pick<RefundsOptions, 'rpc' | 'records' | 'blocks' | 'payee'> {
  readonly refunds: Refunds;
  readonly lostRefunds: LostRefunds;
  readonly chain: Chain;
  readonly claims: Pick<Claims, 'findById'>;
  readonly terms: Terms;
  readonly lock: Lock;
}

const refuse = (reason: string): NotRefunded => ({ kind: 'refused', reason });

/** Why a claim in this state is not refunded. */
const REFUSALS: ReadonlyMap<PaymentClaim['state'], string> = new Map([
  ['open', 'it has no outcome yet: there is nothing to refund'],
  ['settled', 'its settlement is not final yet: a refund could pay for what the chain takes back. Try again later'],
  ['lost', 'its settlement was lost: no money was received'],
  ['failed', 'its settlement failed: no money was received'],
  ['released', 'it was released: no money was received'],
]);

export function createRefundDesk(options: RefundDeskOptions): RefundDesk {
  const { lock, refunds } = options;
  const alone = <T>(claim: PaymentClaim, work: () => Promise<T>) => lock(refundLock(claim), work);
  return {
    refund: (claim, by) =>
      alone(claim, async () => {
        const known = await refunds.advance(claim.claimId, CONTINUE_MS);
        if (known !== undefined) return { kind: 'sent', ...known };
        const checked = await check(options, claim);
        return 'kind' in checked ? checked : { kind: 'sent', ...(await refunds.send(checked, by)) };
      }),
    async estimate(claim) {
      const known = await refunds.peek(claim.claimId);
      if (known !== undefined) return { kind: 'sent', ...known };
      const checked = await check(options, claim);
      if ('kind' in checked) return checked;
      return { kind: 'estimate', transfer: neededOf(checked), ...(await refunds.estimate(checked)) };
    },
    record: (claim, transaction, by) => alone(claim, () => record(options, claim, transaction, by)),
  };
}

/** Longest wait for a refund that was sent earlier. */
const CONTINUE_MS = 3000;

/** What is to be sent, or why nothing is. */
async function check(options: RefundDeskOptions, claim: PaymentClaim): Promise<RefundedClaim | NotRefunded> {
  const { payee, terms, lostRefunds } = options;
  const refused = await findRefusal(options, claim);
  if (refused !== undefined) return refuse(refused);
  const refunded = toRefunded(claim, terms);
  const lost = await lostRefunds.findRefusal({ ...claim, ...refunded });
  if (lost !== undefined) return refuse(lost);
  return payee?.address === refunded.payee ? refunded : { kind: 'needed', transfer: neededOf(refunded) };
}

/** Why the claim is not refunded. The chain must show that its payee received the money. */
async function findRefusal(
  { chain, claims, terms }: RefundDeskOptions,
  claim: PaymentClaim,
): Promise<string | undefined> {
  if (claim.asset !== terms.asset) return `it is of the asset ${claim.asset}; this service takes ${terms.asset}`;
  const reason = REFUSALS.get(claim.state);
  if (reason !== undefined) return reason;
  const paid = await claims.findById(claim.claimId);
  const state = paid && (await chain.stateOf(paid));
  return state?.kind === 'settled' ? undefined : `the chain shows no payment to ${claim.payTo}`;
}

async function record(
  options: RefundDeskOptions,
  claim: PaymentClaim,
  transaction: Hex,
  by: By,
): Promise<RefundOutcome> {
  const { rpc, records, blocks, refunds, terms } = options;
  const known = await refunds.look(claim.claimId);
  if (known?.transaction.toLowerCase() === transaction.toLowerCase()) return { kind: 'sent', ...known };
  if (known?.state === 'mined' || known?.state === 'final')
    return refuse(`it was refunded in transaction ${known.transaction}`);
  const refused = await findRefusal(options, claim);
  if (refused !== undefined) return refuse(refused);
  const refunded = toRefunded(claim, terms);
  const receipt = await findReceipt(rpc, transaction);
  if (receipt === undefined) return refuse(`the node does not know transaction ${transaction}, or it is not mined`);
  const { from, to, amount } = neededOf(refunded);
  const transfers = transfersIn(receipt.logs, refunded.asset).filter((transfer) => isRefundOf(transfer, refunded));
  if (!receipt.success || transfers.length === 0) {
    return refuse(`transaction ${transaction} does not transfer ${amount} from ${from} to ${to}`);
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
    // Another claim of the payer may have been refunded by this transfer.
    if (await records.isOfAnother(claim.claimId, transfer)) continue;
    if (known !== undefined) {
      const taken = await refunds.take(claim.claimId, transfer.transaction, by);
      return taken === undefined
        ? refuse(`its refund ${known.transaction} is on its way, and can still be mined`)
        : { kind: 'sent', ...taken };
    }
    if (await isTaken(records.insertFinal(refunded, transfer, by))) continue;
    return { kind: 'sent', transaction: transfer.transaction, state: 'final' };
  }
  return refuse(`transaction ${transaction} is the refund of another claim`);
}

async function isTaken(insert: Promise<void>): Promise<boolean> {
  try {
    await insert;
    return false;
  } catch (error) {
    if (brokenConstraint(error) === 'payment_refund_network_transaction_log_index_key') return true;
    throw error;
  }
}

/** @throws {Error} for a record that this service cannot have written */
function toRefunded({ claimId, network, payer, payTo, amount }: PaymentClaim, { asset }: Terms): RefundedClaim {
  if (!isHexAddress(payer) || !isHexAddress(payTo)) throw new Error(`the record of claim ${claimId} is malformed`);
  return { claimId, network, asset, payee: payTo, payer, amount };
}

const neededOf = ({ network, asset, payee: from, payer: to, amount }: RefundedClaim): NeededTransfer => ({
  network,
  asset,
  from,
  to,
  amount: `${amount}`,
});
