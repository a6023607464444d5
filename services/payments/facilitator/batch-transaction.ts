import type { Hex } from 'viem';
import { type ContractCall, encodeAggregate3, MULTICALL3_ADDRESS } from '../chain/multicall.ts';
import { transferCall, walletTransferCall } from '../chain/token-calls.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import { GAS_PER_SETTLEMENT } from '../signer/gas-budget.ts';
import type { TransactionRequest } from '../signer/transaction-sender.ts';

/** Most payments in one transaction: 10.1 million gas, below the 16.7 million of EIP-7825. */
export const MAX_MEMBERS = 100;
const GAS_PER_BATCH = 100_000n;
/**
 * A transferWithAuthorization inside a batch takes about 40,000, and the first one to an address takes more. What is not
 * used costs nothing, and a call without enough gas would fail.
 */
const GAS_PER_MEMBER = 100_000n;

const gasLimitFor = (count: number): bigint =>
  // Alone, a payment is cheaper without the detour.
  count === 1 ? GAS_PER_SETTLEMENT : GAS_PER_BATCH + BigInt(count) * GAS_PER_MEMBER;

/** The call that settles a payment. */
export const settlementCall = (
  { asset }: Terms,
  { authorization, signature, walletSignature }: Payment,
): ContractCall => ({
  target: asset,
  data:
    walletSignature === undefined
      ? transferCall(authorization, signature)
      : walletTransferCall(authorization, walletSignature),
});

const GAS_OF_ANY_TRANSACTION = 21_000n;

/** Whether a payment alone has enough gas for its bytes: a transaction costs at least 40 for each, and 10 for a zero (EIP-7623). */
export function fitsAlone(terms: Terms, payment: Payment): boolean {
  const bytes = Buffer.from(settlementCall(terms, payment).data.slice(2), 'hex');
  const cost = bytes.reduce((sum, byte) => sum + (byte === 0 ? 10 : 40), 0);
  return GAS_OF_ANY_TRANSACTION + BigInt(cost) <= GAS_PER_SETTLEMENT;
}

/** The transaction that settles these payments. A call that reverts does not revert the others. */
export function transactionFor(terms: Terms, payments: readonly Payment[]): TransactionRequest {
  const calls = payments.map((payment) => settlementCall(terms, payment));
  const [only] = calls;
  const gas = gasLimitFor(calls.length);
  if (only !== undefined && calls.length === 1) return { to: only.target, data: only.data, gas };
  const data: Hex = encodeAggregate3(calls);
  return { to: MULTICALL3_ADDRESS, data, gas };
}
