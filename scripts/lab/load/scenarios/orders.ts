import { geocode } from '../../../../gateway/operations/geocode/operation.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import type { Operation } from '../../../../gateway/operations/operation/operation.ts';
import { reverseGeocode } from '../../../../gateway/operations/reverse-geocode/operation.ts';
import { createRandom } from '../../random.ts';
import { PLACES } from '../../soak/load/bodies.ts';
import type { ScenarioContext } from './scenario.ts';

/** A request for an operation. */
export interface Order {
  readonly operation: Operation;
  readonly args: object;
  /** JSON text. */
  readonly body: string;
}

/** Makes the requests of a scenario. The same seed gives the same requests. */
export function createOrders(name: string, { page, seed }: Pick<ScenarioContext, 'page' | 'seed'>): () => Order {
  const random = createRandom(seed);
  const argsOf = (): { readonly operation: Operation; readonly args: object } => {
    if (name === 'geocode') return { operation: geocode, args: { query: random.pick(PLACES) } };
    if (name === 'reverse') {
      const args = { latitude: random.between(-60, 70), longitude: random.between(-180, 180) };
      return { operation: reverseGeocode, args };
    }
    return { operation: htmlToMarkdown, args: { html: page } };
  };
  return () => {
    const { operation, args } = argsOf();
    return { operation, args, body: JSON.stringify(args) };
  };
}
