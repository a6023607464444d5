import { createRandom } from '../../random.ts';
import { pause } from '../run/faults.ts';
import type { Product } from '../run/product.ts';
import { payByChannel } from './channels.ts';
import type { Client } from './client.ts';
import { makeNoise } from './noise.ts';
import { payForCalls } from './payments.ts';
import { playVerified } from './plays.ts';
import { spendCredit } from './trials.ts';

const CLIENTS = 8;
const MIN_REST_MS = 20;
const MAX_REST_MS = 300;

export interface LoadOptions {
  readonly product: Pick<Product, 'origins' | 'keys'>;
  readonly books: Client['books'];
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Runs clients of every kind until `signal` aborts. Resolves when all have finished their last activity. */
export async function load({ product, books, seed, signal }: LoadOptions): Promise<void> {
  const activities: readonly [(client: Client) => Promise<void>, ...((client: Client) => Promise<void>)[]] = [
    spendCredit,
    spendCredit,
    spendCredit,
    payForCalls,
    payForCalls,
    payForCalls,
    payByChannel,
    payByChannel,
    makeNoise,
    (client) => playVerified(client, product.keys),
  ];
  const run = async (index: number): Promise<void> => {
    const random = createRandom(seed * CLIENTS + index);
    const client = { origins: product.origins, books, random };
    do await random.pick(activities)(client);
    while (await pause(random.between(MIN_REST_MS, MAX_REST_MS), signal));
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => run(index)));
}
