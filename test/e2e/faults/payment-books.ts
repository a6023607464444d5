import { getAddress, isAddressEqual, parseAbi, parseEventLogs } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import type { Offer, PaymentPayload, TestChain } from '../../helpers/chain.ts';
import { type Answer, codeOf, headerOf, settlementOf } from '../../helpers/client.ts';

export const PRICE = 3000n;
const FUNDS = 10_000_000n;

/** A payment whose request is repeated with the same header until its answer is final. */
export interface PaymentCall {
  readonly name: string;
  readonly payment: PaymentPayload;
  /** The answers in order. Undefined if the connection broke before the answer. */
  readonly answers: (Answer | undefined)[];
}

/** The refusals of a valid payment that are allowed while parts of the product are down. */
const TEMPORARY: readonly string[] = [
  '502 UPSTREAM_FAILURE',
  '503 PAYMENT_UNAVAILABLE',
  '503 SETTLEMENT_PENDING',
  '503 SERVICE_UNAVAILABLE',
  '503 OVERLOADED',
];
const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** The first contradiction between the answers and the chain. Undefined if there is none. */
export async function findPaymentFault(
  chain: TestChain,
  offer: Offer,
  { payment, answers }: PaymentCall,
): Promise<string | undefined> {
  const given = answers.filter((answer) => answer !== undefined);
  const paid = given.filter(({ status }) => status === 200);
  const other = given.find((answer) => answer.status !== 200 && !TEMPORARY.includes(summaryOf(answer)));
  if (other) return `an answer ${summaryOf(other)} ${other.text}`;
  if (new Set(paid.map(({ text }) => text)).size !== 1) return 'the paid answers have different results';
  if (new Set(paid.map((answer) => headerOf(answer, 'payment-response'))).size !== 1) {
    return 'the paid answers have different settlements';
  }
  const { success, transaction } = settlementOf(defined(paid[0]));
  if (!success) return 'a result with a failed settlement';

  const { from, nonce } = payment.payload.authorization;
  const [balance, isUsed, receipt] = await Promise.all([
    chain.balanceOf(from),
    chain.isUsed(from, nonce),
    // A sandbox chain that was killed may have lost its last second. The settlement was then sent again.
    chain.node.getTransactionReceipt({ hash: transaction }).catch(() => undefined),
  ]);
  if (balance !== FUNDS - PRICE) return `the payer has ${balance}`;
  if (!isUsed) return 'the authorization is not used';
  if (receipt === undefined) return undefined;
  const logs = parseEventLogs({ abi: EVENTS, logs: receipt.logs });
  // The transaction may settle other payments too.
  const at = logs.findIndex((log) => log.eventName === 'AuthorizationUsed' && log.args.nonce === nonce);
  const [used, transfer] = [logs[at], logs[at + 1]];
  const isSettled =
    receipt.status === 'success' &&
    used?.eventName === 'AuthorizationUsed' &&
    transfer?.eventName === 'Transfer' &&
    isAddressEqual(used.address, getAddress(offer.asset)) &&
    isAddressEqual(used.args.authorizer, from) &&
    isAddressEqual(transfer.args.from, from) &&
    isAddressEqual(transfer.args.to, getAddress(offer.payTo)) &&
    transfer.args.value === PRICE;
  if (!isSettled) return `${transaction} does not settle the payment`;
  return undefined;
}

const summaryOf = (answer: Answer) => `${answer.status} ${codeOf(answer) ?? ''}`;
