import { type Hex, isAddressEqual, parseAbi, parseEventLogs } from 'viem';
import type { Offer, PaymentPayload, TestChain } from '../../helpers/chain.ts';
import { type Answer, codeOf, fromBase64 } from '../../helpers/client.ts';

export const PRICE = 3000n;
const FUNDS = 10_000_000n;

/** A payment that is sent again and again, with the same header, until it is answered for good. */
export interface PaymentCall {
  readonly name: string;
  readonly payment: PaymentPayload;
  /** In order; undefined: the connection broke before an answer. */
  readonly answers: (Answer | undefined)[];
}

/** What a client that holds a good payment may be told while parts of the product are away. */
const LATER: readonly string[] = [
  '502 UPSTREAM_FAILURE',
  '503 PAYMENT_UNAVAILABLE',
  '503 SETTLEMENT_PENDING',
  '503 SERVICE_UNAVAILABLE',
];
const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** What is wrong between the answers and the chain, or undefined. */
export async function findPaymentFault(
  chain: TestChain,
  offer: Offer,
  { payment, answers }: PaymentCall,
): Promise<string | undefined> {
  const given = answers.filter((answer) => answer !== undefined);
  const paid = given.filter(({ status }) => status === 200);
  const other = given.find((answer) => answer.status !== 200 && !LATER.includes(wordsOf(answer)));
  if (other) return `told ${wordsOf(other)} ${other.text}`;
  if (new Set(paid.map(({ text }) => text)).size !== 1) return 'not one result';
  const responses = new Set(paid.map(({ headers }) => headers.get('payment-response') ?? ''));
  const [response] = responses;
  if (response === undefined || responses.size !== 1) return 'not one payment response';
  const { success, transaction } = fromBase64<{ success: boolean; transaction: Hex }>(response);
  if (!success) return 'a result beside a failed settlement';

  const { from, nonce } = payment.payload.authorization;
  const [balance, receipt] = await Promise.all([
    chain.balanceOf(from),
    chain.node.getTransactionReceipt({ hash: transaction }),
  ]);
  if (balance !== FUNDS - PRICE) return `the payer is left with ${balance}`;
  const [used, transfer, ...more] = parseEventLogs({ abi: EVENTS, logs: receipt.logs });
  const isSettled =
    receipt.status === 'success' &&
    used?.eventName === 'AuthorizationUsed' &&
    transfer?.eventName === 'Transfer' &&
    isAddressEqual(used.address, offer.asset as Hex) &&
    isAddressEqual(used.args.authorizer, from) &&
    used.args.nonce === nonce &&
    isAddressEqual(transfer.args.from, from) &&
    isAddressEqual(transfer.args.to, offer.payTo as Hex) &&
    transfer.args.value === PRICE &&
    more.length === 0;
  if (!isSettled) return `${transaction} does not settle it`;
  return undefined;
}

const wordsOf = (answer: Answer) => `${answer.status} ${codeOf(answer) ?? ''}`;
