import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { requiredOf, signIn } from '../../../cli/try/offers.ts';
import type { Order } from './bodies.ts';
import { createOrder } from './bodies.ts';
import { inspect, outcomeOf, send } from './call.ts';
import type { Client } from './client.ts';

const MAX_CALLS = 5;

/** A client with a new wallet that spends its free credit. Some calls are sent twice at the same time. */
export async function spendCredit(client: Client): Promise<void> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const calls = 1 + Math.floor(client.random.between(0, MAX_CALLS));
  for (let call = 0; call < calls; call += 1) await tryOnce(client, wallet, createOrder(client.random));
}

async function tryOnce({ origins, books, random }: Client, wallet: PrivateKeyAccount, order: Order): Promise<void> {
  const { operation, body } = order;
  const url = random.pick(origins) + operation.path;
  const challenged = await send(url, { body });
  inspect(books, 'an unsigned call', challenged);
  const required = requiredOf(challenged);
  const proof = required && (await signIn(required, wallet));
  if (proof === undefined) {
    books.count('trial', challenged === undefined ? 'challenge broken' : `no challenge: ${outcomeOf(challenged)}`);
    return;
  }
  const copies = random.pick([1, 1, 1, 2]);
  const headers = { 'sign-in-with-x': proof.header };
  const answers = await Promise.all(Array.from({ length: copies }, () => send(url, { body, headers })));
  const { name, priceMicroUsd } = operation;
  books.trials.push({ operation: name, priceMicroUsd, wallet: wallet.address, nonce: proof.nonce, answers });
  for (const answer of answers) {
    inspect(books, 'a trial', answer);
    const said = answer?.headers.get('x-trial-status') ?? '';
    books.count('trial', `${outcomeOf(answer)} ${said}`.trim());
  }
}
