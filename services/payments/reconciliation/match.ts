import type { Transfer } from '../chain/transfers.ts';
import type { BookedClaim, BookedRefund } from './books.ts';

/** Pairs transfers to the payee with claims of the same transaction, payer and amount. Each is used once. */
export function matchClaims(received: readonly Transfer[], claims: readonly BookedClaim[]) {
  const open = new Map<string, BookedClaim[]>();
  for (const claim of claims) {
    const key = keyOf({ transaction: claim.transaction, payer: claim.payer, amount: claim.amount });
    open.set(key, [...(open.get(key) ?? []), claim]);
  }
  const matched: { readonly transfer: Transfer; readonly claim: BookedClaim }[] = [];
  const unmatched: Transfer[] = [];
  for (const transfer of received) {
    const { transaction, from: payer, value: amount } = transfer;
    const claim = open.get(keyOf({ transaction, payer, amount }))?.shift();
    if (claim === undefined) unmatched.push(transfer);
    else matched.push({ transfer, claim });
  }
  return { matched, unmatched };
}

const keyOf = ({ transaction, payer, amount }: { transaction: string | null; payer: string; amount: bigint }) =>
  `${transaction} ${payer} ${amount}`.toLowerCase();

/** Pairs transfers of the payee with the refunds of PostgreSQL. */
export function matchRefunds(sent: readonly Transfer[], refunds: readonly BookedRefund[]) {
  const placeOf = (transaction: string, logIndex: bigint) => `${transaction} ${logIndex}`.toLowerCase();
  const transfers = new Map(sent.map((transfer) => [placeOf(transfer.transaction, transfer.logIndex), transfer]));
  const refunded: BookedRefund[] = [];
  const unproven: BookedRefund[] = [];
  for (const refund of refunds) {
    const isSent = transfers.delete(placeOf(refund.transaction, refund.logIndex));
    (isSent ? refunded : unproven).push(refund);
  }
  return { refunded, unproven, others: [...transfers.values()] };
}

export const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);
