import type { Hex } from 'viem';

/** The terms that every payment must meet. They are fixed while the service runs. Addresses are checksummed (ERC-55). */
export interface Terms {
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly chainId: number;
  readonly asset: Hex;
  /** Name and version of the token's EIP-712 domain. */
  readonly assetName: string;
  readonly assetVersion: string;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  readonly sandbox: boolean;
}

export const SANDBOX_NETWORK = 'eip155:31337';
/**
 * From when a client begins to sign until the settlement. It leaves a minute to approve in a wallet, and half a minute for a
 * clock that is behind, before the slowest operation (20 s) and its settlement (15 s).
 */
const MAX_TIMEOUT_SECONDS = 180;

/** Addresses of USDC. The sandbox has its token at the address of Base; the chain id keeps signatures apart. */
const NETWORKS = {
  'eip155:8453': { chainId: 8453, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', assetName: 'USD Coin' },
  'eip155:84532': { chainId: 84532, asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', assetName: 'USDC' },
  [SANDBOX_NETWORK]: { chainId: 31337, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', assetName: 'USD Coin' },
} as const;

export type KnownNetwork = keyof typeof NETWORKS;

export function createTerms(options: {
  readonly network: KnownNetwork;
  readonly payTo: Hex;
  readonly sandbox: boolean;
}): Terms {
  return { ...NETWORKS[options.network], assetVersion: '2', maxTimeoutSeconds: MAX_TIMEOUT_SECONDS, ...options };
}

/** The x402 `PaymentRequirements` of one call. */
export type Offer = Readonly<ReturnType<typeof offerOf>>;

/** @param amount atomic units, decimal */
export function offerOf(terms: Terms, amount: string) {
  return {
    scheme: 'exact' as const,
    network: terms.network,
    amount,
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: terms.maxTimeoutSeconds,
    extra: { name: terms.assetName, version: terms.assetVersion },
  };
}
