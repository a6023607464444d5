import { nodeNow, type Rpc } from '../chain/nodes.ts';

/** EIP-1559, in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Current fees of the network. */
export interface Market {
  readonly baseFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** How long the current fees are reused. */
const MARKET_FOR_MS = 3000;

export async function readMarket(rpc: Rpc): Promise<Market> {
  const [block, maxPriorityFeePerGas] = await Promise.all([
    rpc.getBlock({ blockTag: 'latest' }),
    rpc.estimateMaxPriorityFeePerGas(),
  ]);
  if (block.baseFeePerGas === null) throw new Error('the chain has no base fee (EIP-1559)');
  return { baseFeePerGas: block.baseFeePerGas, maxPriorityFeePerGas };
}

/**
 * Caches the current fees of each node: they change with the blocks, and reading them takes two requests. A decision that
 * goes on to the next node must not get the failure of the one before.
 */
export function createMarketReader(rpc: Rpc, now: () => number): () => Promise<Market> {
  const known = new Map<number, { readonly atMs: number; readonly market: Promise<Market> }>();
  return () => {
    const node = nodeNow();
    const last = known.get(node);
    if (last !== undefined && now() - last.atMs <= MARKET_FOR_MS) return last.market;
    const market = readMarket(rpc);
    known.set(node, { atMs: now(), market });
    market.catch(() => known.delete(node));
    return market;
  };
}

/** Fees that suffice while the base fee rises by up to a fifth. */
export function feesFor({ baseFeePerGas, maxPriorityFeePerGas }: Market): Fees {
  return { maxFeePerGas: (baseFeePerGas * 12n) / 10n + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

/** The limit of gas for a transaction that used `estimated`: the state may change before it is mined. */
export const gasLimitFor = (estimated: bigint): bigint => (estimated * 13n) / 10n;

/** Lowest fee of a replacement. Nodes require a tenth more, and some an eighth. */
export const bumped = (fee: bigint): bigint => (fee * 9n) / 8n + 1n;

/** Fees that are high enough to replace a waiting transaction. */
export function raised(fees: Fees, waiting: Fees): Fees {
  return {
    maxFeePerGas: max(fees.maxFeePerGas, bumped(waiting.maxFeePerGas)),
    maxPriorityFeePerGas: max(fees.maxPriorityFeePerGas, bumped(waiting.maxPriorityFeePerGas)),
  };
}

/** Fees of at most `maxFeePerGas`. */
export function bounded(fees: Fees, maxFeePerGas: bigint): Fees {
  return {
    maxFeePerGas: min(fees.maxFeePerGas, maxFeePerGas),
    maxPriorityFeePerGas: min(fees.maxPriorityFeePerGas, maxFeePerGas),
  };
}

const max = (one: bigint, other: bigint) => (one > other ? one : other);
const min = (one: bigint, other: bigint) => (one < other ? one : other);
