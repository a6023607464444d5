import type { Rpc } from '../chain/rpc.ts';

/** EIP-1559, in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What blocks and miners ask for now. */
export interface Market {
  readonly baseFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

const MARKET_FOR_MS = 3000;

export async function readMarket(rpc: Rpc): Promise<Market> {
  const [block, maxPriorityFeePerGas] = await Promise.all([
    rpc.getBlock({ blockTag: 'latest' }),
    rpc.estimateMaxPriorityFeePerGas(),
  ]);
  if (block.baseFeePerGas === null) throw new Error('the chain has no base fee (EIP-1559)');
  return { baseFeePerGas: block.baseFeePerGas, maxPriorityFeePerGas };
}

/** Fees move with the blocks; asking for each transaction would cost two requests. */
export function createMarketReader(rpc: Rpc, now: () => number): () => Promise<Market> {
  let known: { readonly atMs: number; readonly market: Promise<Market> } | undefined;
  return () => {
    if (known === undefined || now() - known.atMs > MARKET_FOR_MS) {
      const market = readMarket(rpc);
      market.catch(() => {
        known = undefined;
      });
      known = { atMs: now(), market };
    }
    return known.market;
  };
}

/** Enough for a base fee that rises by a fifth. */
export function feesFor({ baseFeePerGas, maxPriorityFeePerGas }: Market): Fees {
  return { maxFeePerGas: (baseFeePerGas * 12n) / 10n + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/** Least fee of a replacement: nodes ask for a tenth more. */
export const bumped = (fee: bigint): bigint => (fee * 11n) / 10n + 1n;

/** Fees that may also replace those of a transaction that waits. */
export function raised(fees: Fees, waiting: Fees): Fees {
  return {
    maxFeePerGas: max(fees.maxFeePerGas, bumped(waiting.maxFeePerGas)),
    maxPriorityFeePerGas: max(fees.maxPriorityFeePerGas, bumped(waiting.maxPriorityFeePerGas)),
  };
}

export function bounded(fees: Fees, maxFeePerGas: bigint): Fees {
  return {
    maxFeePerGas: min(fees.maxFeePerGas, maxFeePerGas),
    maxPriorityFeePerGas: min(fees.maxPriorityFeePerGas, maxFeePerGas),
  };
}

const max = (one: bigint, other: bigint) => (one > other ? one : other);
const min = (one: bigint, other: bigint) => (one < other ? one : other);
