import type { BlockRef } from './authorization-use.ts';
import { decide, oneNode, type Rpc } from './nodes.ts';
import { type Block, readBlock, readBlockNumber, readLatestBlock } from './rpc.ts';

export interface Head {
  readonly latest: Block;
  /** The latest block that counts as final; undefined while the chain is shorter than the confirmations. */
  readonly confirmed: Block | undefined;
}

export type ConfirmedBlocks = ReturnType<typeof createConfirmedBlocks>;

export interface ConfirmedBlocksOptions {
  readonly rpc: Rpc;
  readonly confirmations: number;
  /** Reads the latest block. The sandbox saves its chain first, so that it cannot lose the block. */
  readonly readLatest?: (() => Promise<Block>) | undefined;
}

/** The blocks that have enough confirmations. The block of a transaction is its first confirmation. */
export function createConfirmedBlocks({
  rpc,
  confirmations,
  readLatest = () => readLatestBlock(rpc),
}: ConfirmedBlocksOptions) {
  return {
    confirmations,
    /** @throws when the node does not answer */
    readHead: (): Promise<Head> =>
      decide(async () => {
        const latest = await readLatest();
        const number = latest.number - BigInt(confirmations) + 1n;
        if (number < 0n) return { latest, confirmed: undefined };
        return { latest, confirmed: number === latest.number ? latest : await readBlock(rpc, number) };
      }),
    /**
     * Whether one node has a block with all its confirmations: a node that stands still on another branch may have the block,
     * and another node the confirmations. @throws when the node does not answer
     */
    async isFinal({ number, hash }: BlockRef): Promise<boolean> {
      const [latest, found] = await oneNode(() => Promise.all([readBlockNumber(rpc), readBlock(rpc, number)]));
      return found?.hash === hash && latest >= number + BigInt(confirmations) - 1n;
    },
    /** The canonical block of a number; undefined where the node has none. @throws when the node does not answer */
    readBlock: (number: bigint): Promise<Block | undefined> => readBlock(rpc, number),
  };
}
