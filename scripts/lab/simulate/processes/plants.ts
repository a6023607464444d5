import type { Chain } from '../../../../services/payments/chain/chain.ts';
import type { ChangeLibrary } from '../redis/redis-server.ts';

/** A fault that is planted into the product, to prove that the simulation finds it. */
export interface Plant {
  readonly library?: ChangeLibrary;
  /** Changes what the payments service sees of the chain. */
  readonly chain?: (chain: Chain) => Chain;
}
