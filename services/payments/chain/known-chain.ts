import type { Chain } from './chain.ts';
import type { ConfirmedBlocks } from './confirmed-blocks.ts';
import type { Rpc } from './nodes.ts';

/** A chain that can be asked what became of a payment. */
export interface KnownChain {
  readonly rpc: Rpc;
  readonly chain: Chain;
  readonly blocks: ConfirmedBlocks;
}
