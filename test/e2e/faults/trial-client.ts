import { createWallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, post, signIn, toBase64, tryOnce } from '../../helpers/client.ts';
import { answerOf, eventually } from './faulty-stack.ts';
import type { TrialCall } from './trial-books.ts';

export interface ReadyTrial {
  readonly wallet: string;
  /** Sends the signed request, as a client does: once. */
  send(): Promise<Answer>;
}

/** A new wallet that has signed its challenge. Waits for one: a machine under load shuts the ledger now and then. */
export async function prepareTrial(url: string, body: unknown): Promise<ReadyTrial> {
  const wallet = createWallet();
  const signed = await eventually('a challenge', async () => signIn(await post(url + CONVERT, body), wallet));
  const proof = toBase64(signed);
  return { wallet: wallet.address, send: () => post(url + CONVERT, body, { 'sign-in-with-x': proof }) };
}

export const isConfirmed = (answer: Answer | undefined) =>
  answer?.status === 200 && answer.headers.get('x-trial-accounting-status') === 'confirmed';

/**
 * Trials that are confirmed again show that the product has come back by itself: two at once, for the gateway has two
 * channels to each service. Failed ones are in the books too.
 */
export function eventuallyConfirmed(url: string, body: unknown, calls: TrialCall[], name: string): Promise<true> {
  const tryOne = async () => {
    const wallet = createWallet();
    const answer = await answerOf(tryOnce(url, body, wallet));
    calls.push({ name: `recovery: ${name}`, wallet: wallet.address, answer });
    return isConfirmed(answer);
  };
  return eventually(`confirmed after ${name}`, async () => {
    const found = await Promise.all([tryOne(), tryOne()]);
    return found.every(Boolean) || undefined;
  });
}
