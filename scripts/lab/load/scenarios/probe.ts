import { exchange, outcomeOf } from './exchange.ts';
import { createOrders } from './orders.ts';
import { NOTHING_TO_PREPARE, type Scenario, type ScenarioContext } from './scenario.ts';

/** An unsigned request, which is answered with the price and a challenge. */
export function createProbe(context: ScenarioContext): Scenario {
  const nextOrder = createOrders('html-to-markdown', context);
  return {
    ...NOTHING_TO_PREPARE,
    async send() {
      const { operation, body } = nextOrder();
      return outcomeOf(await exchange(context.pool, { path: operation.path, body }), 402);
    },
  };
}
