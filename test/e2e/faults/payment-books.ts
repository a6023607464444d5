import { type Hex, parseAbiItem } from 'viem';
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
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)');

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
  const range = { address: offer.asset as Hex, fromBlock: 0n } as const;
  const [balance, transfers, uses] = await Promise.all([
    chain.balanceOf(from),
    chain.node.getLogs({ ...range, event: TRANSFER, args: { from, to: offer.payTo as Hex } }),
    chain.node.getLogs({ ...range, event: USED, args: { authorizer: from, nonce } }),
  ]);
  if (balance !== FUNDS - PRICE) return `the payer is left with ${balance}`;
  const hashes = [...transfers, ...uses].map(({ transactionHash }) => transactionHash);
  if (hashes.length !== 2 || hashes.some((hash) => hash !== transaction)) {
    return `settled in ${hashes.join(', ')}, and said ${transaction}`;
  }
  return undefined;
}

const wordsOf = (answer: Answer) => `${answer.status} ${codeOf(answer) ?? ''}`;
