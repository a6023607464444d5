import type { PaymentRequirements } from '@x402/core/types';
import { createTestClient, getAddress, type Hex, http } from 'viem';
import { createContentClient } from '../../../../services/content/contract/client.ts';
import { contractsWith } from '../../../../services/payments/sandbox/contracts.ts';
import { connectChain } from '../../../../test/kit/chain.ts';
import { startTestAnvil } from '../../../../test/kit/servers.ts';
import { createPaidOrders } from '../../load/scenarios/paid.ts';
import { createStock, type Scenario, type ScenarioContext } from '../../load/scenarios/scenario.ts';
import { createX402Flow } from './x402-flow.ts';

const TIMEOUT_MS = 30_000;
const PLENTY = 10n ** 15n;

export interface ReferenceCalls {
  /** Calls that are paid by verify and settle of the x402 packages, without the product's gateway. */
  createScenario(): Scenario;
  stop(): Promise<void>;
}

/**
 * Uses the content service of a product, and a chain of its own with the same contracts: the product saves its chain
 * while no transaction of its own is sent, and knows nothing of others.
 */
export async function startReference(context: ScenarioContext, contentTarget: string): Promise<ReferenceCalls> {
  const content = createContentClient(contentTarget);
  const convert = () => content.convertHtml({ html: context.page, sourceUrl: undefined }, { timeoutMs: TIMEOUT_MS });
  const { required } = await createPaidOrders(context)(0);
  const asset = getAddress(required.accepts[0].asset);
  const anvil = await startTestAnvil();
  const node = createTestClient({ mode: 'anvil', transport: http(anvil.url) });
  for (const contract of contractsWith(asset)) await node.setCode(contract);
  const chain = connectChain(anvil.url, asset);
  const flow = createX402Flow(anvil.url, convert);
  const funded = new Map<Hex, Promise<unknown>>();
  const fund = (payer: Hex) => {
    const minting = funded.get(payer) ?? chain.mint(payer, PLENTY);
    funded.set(payer, minting);
    return minting;
  };

  return {
    createScenario() {
      const sign = createPaidOrders(context);
      const stock = createStock(async (index): Promise<Parameters<typeof flow>[0]> => {
        const { required, payment, payer } = await sign(index);
        await fund(payer);
        const requirements: PaymentRequirements = { ...required.accepts[0], network: 'eip155:31337' };
        const { payload, x402Version } = payment.payload;
        return [{ x402Version, payload, accepted: requirements, resource: { url: context.origin } }, requirements];
      });
      return {
        prepare: stock.prepare,
        ready: stock.ready,
        async send() {
          await flow(stock.take());
          return { isGood: true, code: 'settled' };
        },
      };
    },
    async stop() {
      content.close();
      await anvil.stop();
    },
  };
}
