import { setTimeout as delay } from 'node:timers/promises';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { SignedPayment } from '../../../cli/try/offers.ts';
import { signPayment } from '../../../cli/try/offers.ts';
import type { PaidReply, PaymentRecord } from '../run/books.ts';
import { createOrder, type Order } from './bodies.ts';
import { inspect, outcomeOf, send } from './call.ts';
import type { Client } from './client.ts';
import { asTool, type Channel, overHttp } from './paid-call.ts';

const MAX_PAYMENTS = 4;
/** Some clients give up early. Their payments must still be right. */
const MAX_TRIES = [1, 3, 12] as const;
const RETRY_MS = 2000;
const COPIES = [1, 1, 1, 4] as const;

/** A new wallet with play money. Undefined if the faucet gave none. */
export async function fundWallet({ origins, books, random }: Client): Promise<PrivateKeyAccount | undefined> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const funded = await send(`${random.pick(origins)}/sandbox/faucet`, {
    body: JSON.stringify({ address: wallet.address }),
  });
  inspect(books, 'the faucet', funded);
  books.count('faucet', outcomeOf(funded));
  return funded?.status === 200 ? wallet : undefined;
}

/** A client with a new wallet. It pays for a few calls, and sends some of the payments again. */
export async function payForCalls(client: Client): Promise<void> {
  const { books, random } = client;
  const wallet = await fundWallet(client);
  if (wallet === undefined) return;
  const payments = 1 + Math.floor(random.between(0, MAX_PAYMENTS));
  for (let n = 0; n < payments; n += 1) {
    await payOnce(client, wallet, random.pick([overHttp, overHttp, asTool])(books));
  }
}

async function payOnce(client: Client, wallet: PrivateKeyAccount, channel: Channel): Promise<void> {
  const { origins, books, random } = client;
  const order = createOrder(random);
  const required = await channel.ask(random.pick(origins), order);
  if (required === undefined) return books.count(channel.name, 'no offer');
  const payment = await signPayment(required, wallet);
  const { amount, payTo, nonce } = payment;
  const record = { operation: order.operation.name, amount, payTo, nonce, payer: wallet.address, replies: [] };
  books.payments.push(record);
  await repeat(client, { channel, order, payment, record });
  await replay(client, { channel, order, payment, record });
}

interface Attempt {
  readonly channel: Channel;
  readonly order: Order;
  readonly payment: SignedPayment;
  readonly record: PaymentRecord;
}

async function sendCopies(
  { origins, books, random }: Client,
  { channel, order, payment, record }: Attempt,
  copies: number,
) {
  const sent = Array.from({ length: copies }, () => channel.pay(random.pick(origins), order, payment));
  const replies = await Promise.all(sent);
  record.replies.push(...replies);
  for (const reply of replies) books.count(channel.name, wordsOf(reply));
  return replies;
}

/** Sends the payment until there is a final answer or the client gives up. */
async function repeat(client: Client, attempt: Attempt): Promise<void> {
  const tries = client.random.pick(MAX_TRIES);
  for (let n = 0; n < tries; n += 1) {
    const replies = await sendCopies(client, attempt, client.random.pick(COPIES));
    if (replies.some(isFinal)) return;
    await delay(RETRY_MS);
  }
}

/** Sends a settled payment again, for the same call and for another one. It must not buy a second result. */
async function replay(client: Client, attempt: Attempt): Promise<void> {
  if (!attempt.record.replies.some(({ kind }) => kind === 'settled') || client.random.between(0, 1) < 0.5) return;
  await sendCopies(client, attempt, 1);
  const { books, origins, random } = client;
  const other = await attempt.channel.pay(random.pick(origins), createOrder(random), attempt.payment);
  books.count('payment for another call', wordsOf(other));
  if (other.kind === 'settled') books.contradict('a payment bought a second result', { ...attempt.record, other });
}

const isFinal = ({ kind }: PaidReply) => kind === 'settled' || kind === 'failed' || kind === 'unpaid';

function wordsOf(reply: PaidReply): string {
  if (reply.kind === 'error') return reply.code;
  return reply.kind === 'unpaid' ? `unpaid: ${reply.reason}` : reply.kind;
}
