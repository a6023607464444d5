import { setTimeout as delay } from 'node:timers/promises';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { Hex } from 'viem';
import { encodePayment, signPayment, type TestChain } from '../../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, fundedWallet, headerOf, post, requirementsOf } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';
import { answerOf } from './faulty-stack.ts';
import { PRICE } from './payment-books.ts';
import { query } from './trial-books.ts';

const WORKERS = 2;
const FUNDS = 10_000_000n;

/** The only payment of a payer. The answer is undefined if the connection broke. */
export interface SentPayment {
  readonly payer: Hex;
  readonly header: string;
  answer: Answer | undefined;
}

export interface PaymentLoad {
  readonly sent: readonly SentPayment[];
  paid(): readonly SentPayment[];
  stop(): Promise<void>;
}

/** Clients that pay, each time from a new wallet, until they are stopped. */
export function startPaymentLoad(url: string, body: unknown): PaymentLoad {
  const sent: SentPayment[] = [];
  let isStopped = false;
  async function payOne(): Promise<void> {
    const wallet = await fundedWallet(url);
    const {
      accepts: [offer],
    } = requirementsOf(await post(url + CONVERT, body));
    const header = encodePayment(await signPayment(wallet, offer));
    const payment: SentPayment = { payer: wallet.address, header, answer: undefined };
    sent.push(payment);
    payment.answer = await answerOf(post(url + CONVERT, body, { 'payment-signature': header }));
  }
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!isStopped) await payOne().catch(() => delay(20));
  });
  return {
    sent,
    paid: () => sent.filter(({ answer }) => answer?.status === 200),
    async stop() {
      isStopped = true;
      await Promise.all(workers);
    },
  };
}

/** Ends the leases of executions whose gateway was killed. They would end by themselves after the operation's time. */
export async function endLeases(stack: Stack): Promise<void> {
  await query(stack, "UPDATE ledger.payment_claim SET lease_until = '-infinity' WHERE state = 'executing'");
}

/** Whether a payment is refused because it is too late for it, so that it will never be taken. */
const isExpired = (answer: Answer) =>
  answer.status === 402 &&
  /valid_before: /.test(decodePaymentRequiredHeader(headerOf(answer, 'payment-required')).error ?? '');

/** Sends a payment again until it is answered for good: with its result, that the result is lost, or that it came too late. */
const sendAgain = (url: string, body: unknown, { header }: SentPayment) =>
  until(async () => {
    const answer = await post(url + CONVERT, body, { 'payment-signature': header });
    if (answer.status === 200 || answer.status === 409 || isExpired(answer)) return answer;
    // Until then, the last answer is the cause of the failure.
    throw new Error(`${answer.status} ${answer.text}`);
  });

/**
 * Sends every payment again. No payer may pay twice, none may get two results, and an answered payment must be paid.
 * @returns the contradictions, and the payers who have paid
 */
export async function checkPayments(
  { url, body, chain }: { readonly url: string; readonly body: unknown; readonly chain: TestChain },
  sent: readonly SentPayment[],
): Promise<{ readonly faults: readonly string[]; readonly payers: readonly Hex[] }> {
  const faults: string[] = [];
  const payers: Hex[] = [];
  for (const payment of sent) {
    const again = await sendAgain(url, body, payment);
    const paid = FUNDS - (await chain.balanceOf(payment.payer));
    if (paid > 0n) payers.push(payment.payer);
    const fault = findFault(payment, again, paid);
    if (fault !== undefined) faults.push(`${payment.payer}: ${fault}`);
  }
  return { faults, payers };
}

function findFault({ answer }: SentPayment, again: Answer, paid: bigint): string | undefined {
  const isPaid = paid === PRICE;
  if (!isPaid && paid !== 0n) return `it paid ${paid}`;
  if (again.status === 409 && codeOf(again) !== 'PAYMENT_REUSED') return `it was refused with ${again.text}`;
  if (again.status === 200 && !isPaid) return 'it got a result without a payment';
  if (again.status === 402 && isPaid) return 'it paid, and was asked to pay again';
  if (answer?.status !== 200) return undefined;
  if (!isPaid) return 'its settlement was lost';
  if (again.status !== 200) return undefined;
  const isSame = ['payment-response'].every((name) => headerOf(again, name) === headerOf(answer, name));
  return isSame && again.text === answer.text ? undefined : 'it got another answer';
}
