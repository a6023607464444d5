import type { PaymentRequirements } from '@x402/core/types';
import { createContentClient } from '../../../../services/content/contract/client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { findArguments } from '../../load/measure/processes.ts';
import { createPaidOrders } from '../../load/scenarios/paid.ts';
import { createStock, type Scenario, type ScenarioContext } from '../../load/scenarios/scenario.ts';
import { createX402Flow } from './x402-flow.ts';

const TIMEOUT_MS = 30_000;

export interface ReferenceCalls {
  /** Calls that are paid by verify and settle of the x402 packages, without the product's gateway. */
  createScenario(): Scenario;
  close(): void;
}

/** Uses the content service and the chain of a product that runs on this machine. */
export function connectReference(
  context: ScenarioContext,
  { pid, contentTarget }: { readonly pid: number; readonly contentTarget: string },
): ReferenceCalls {
  const content = createContentClient(contentTarget);
  const convert = () => content.convertHtml({ html: context.page, sourceUrl: undefined }, { timeoutMs: TIMEOUT_MS });
  const flow = createX402Flow(chainUrlOf(pid), convert);
  return {
    createScenario() {
      const sign = createPaidOrders(context);
      const stock = createStock(async (index): Promise<Parameters<typeof flow>[0]> => {
        const { required, payment } = await sign(index);
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
    close: () => content.close(),
  };
}

/** The port of the chain is chosen when it starts. */
function chainUrlOf(pid: number): string {
  const args = defined(findArguments(pid, 'anvil'));
  return `http://127.0.0.1:${defined(args[args.indexOf('--port') + 1])}`;
}
