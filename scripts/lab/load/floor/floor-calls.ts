import { randomBytes } from 'node:crypto';
import type { LocalAccount } from 'viem/accounts';
import { defined } from '../../../../workers/exact/defined.ts';
import { type Exchange, exchange, outcomeOf } from '../scenarios/exchange.ts';
import { createStock, type Scenario, type ScenarioContext } from '../scenarios/scenario.ts';
import { createFastWallet } from '../scenarios/wallets.ts';

/** What a caller of the floor sends in `sign-in-with-x`, as base64 of JSON. */
export interface FloorProof {
  readonly message: string;
  readonly signature: string;
  readonly nonce: string;
  readonly address: string;
}

/** The grant pays for this many calls of a wallet. */
const CALLS_PER_WALLET = 16;
const NONCE_BYTES = 16;

/** Calls of the floor, which are as large as trials of the product. */
export function createFloorCalls({
  pool,
  page,
  wallets: count,
}: Pick<ScenarioContext, 'pool' | 'page'> & { readonly wallets: number }): Scenario {
  const body = JSON.stringify({ html: page });
  const wallets: LocalAccount[] = [];
  const stock = createStock(async (index): Promise<Exchange> => {
    if (Math.floor(index / count) % CALLS_PER_WALLET === 0) wallets[index % count] = createFastWallet();
    const wallet = defined(wallets[index % count]);
    const { address } = wallet;
    const message = `127.0.0.1 wants you to sign in with your Ethereum account:\n${address}\n\n${'x'.repeat(400)}`;
    const signature = await wallet.signMessage({ message });
    const proof: FloorProof = { message, signature, nonce: randomBytes(NONCE_BYTES).toString('hex'), address };
    return {
      path: '/call',
      body,
      headers: { 'sign-in-with-x': Buffer.from(JSON.stringify(proof)).toString('base64') },
    };
  });
  return {
    prepare: stock.prepare,
    ready: stock.ready,
    send: async () => outcomeOf(await exchange(pool, stock.take()), 200),
  };
}
