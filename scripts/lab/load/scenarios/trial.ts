import type { LocalAccount } from 'viem/accounts';
import { GRANT_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { fromBase64, readRequired, signIn } from '../../../cli/try/offers.ts';
import { type Exchange, exchange, headerOf, outcomeOf } from './exchange.ts';
import { createOrders } from './orders.ts';
import { createStock, type Scenario, type ScenarioContext } from './scenario.ts';
import { createFastWallet } from './wallets.ts';

/** A call on the free credit. The challenge is fetched and signed ahead. */
export function createTrial(operationName: string, context: ScenarioContext): Scenario {
  const { pool, wallets: count = 64 } = context;
  const nextOrder = createOrders(operationName, context);
  const wallets: { readonly account: LocalAccount; callsLeft: number }[] = [];

  function nextWallet(index: number, callsPerWallet: number) {
    const found = wallets[index % count];
    if (found !== undefined && found.callsLeft > 0) return found;
    const made = { account: createFastWallet(), callsLeft: callsPerWallet };
    wallets[index % count] = made;
    return made;
  }

  const stock = createStock(async (index): Promise<Exchange> => {
    const { operation, body } = nextOrder();
    const wallet = nextWallet(index, Number(GRANT_MICRO_USD / operation.priceMicroUsd));
    wallet.callsLeft -= 1;
    const challenged = await exchange(pool, { path: operation.path, body });
    const header = headerOf(challenged, 'payment-required');
    const required = header === undefined ? undefined : readRequired(fromBase64(header));
    const proof = required && (await signIn(required, wallet.account));
    if (proof === undefined) throw new Error(`no challenge: ${outcomeOf(challenged, 402).code} ${challenged.text}`);
    return { path: operation.path, body, headers: { 'sign-in-with-x': proof.header } };
  });
  return {
    prepare: stock.prepare,
    ready: stock.ready,
    async send() {
      const reply = await exchange(pool, stock.take());
      const outcome = outcomeOf(reply, 200);
      if (!outcome.isGood) return outcome;
      const accounting = defined(headerOf(reply, 'x-trial-accounting-status'));
      return accounting === 'confirmed' ? outcome : { isGood: false, code: `200 ${accounting}` };
    },
  };
}
