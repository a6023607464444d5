import { createWallet } from '../../helpers/chain.ts';
import { type Answer, CONVERT, post, signIn, toBase64, tryOnce } from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { answerOf } from './faulty-stack.ts';
import type { TrialCall } from './trial-books.ts';

export interface ReadyTrial {
  readonly wallet: string;
  /** Sends the signed request once. */
  send(): Promise<Answer>;
}

/** A new wallet with a signed challenge. Waits for the challenge, because a busy machine may close the ledger for a while. */
export async function prepareTrial(url: string, body: unknown): Promise<ReadyTrial> {
  const wallet = createWallet();
  const signed = await until(async () => signIn(await post(url + CONVERT, body), wallet));
  const proof = toBase64(signed);
  return { wallet: wallet.address, send: () => post(url + CONVERT, body, { 'sign-in-with-x': proof }) };
}

export const isConfirmed = (answer: Answer | undefined) =>
  answer?.status === 200 && answer.headers.get('x-trial-accounting-status') === 'confirmed';

/**
 * Waits until trials are confirmed again, which shows that the product has recovered. Runs two trials at once, because the
 * gateway has two channels to each service. Adds all trials, failed ones too, to `calls`.
 */
export function eventuallyConfirmed(url: string, body: unknown, calls: TrialCall[], name: string): Promise<true> {
  const tryOne = async () => {
    const wallet = createWallet();
    const answer = await answerOf(tryOnce(url, body, wallet));
    calls.push({ name: `recovery: ${name}`, wallet: wallet.address, answer });
    return isConfirmed(answer);
  };
  return until(async () => {
    const found = await Promise.all([tryOne(), tryOne()]);
    return found.every(Boolean);
  });
}
