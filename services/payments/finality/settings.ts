import { Type } from 'typebox';
import { DataFolder } from '../../platform/process/settings.ts';
import { type KnownNetwork, SANDBOX_NETWORK } from '../payment/terms.ts';

/** Nodes without an archive keep the state of 128 blocks. */
const MAX_CONFIRMATIONS = 100;
const SANDBOX_CONFIRMATIONS = 1;
const DEFAULT_CONFIRMATIONS = 10;

/** Settings of what happens to a payment after its settlement was answered. */
export const FinalityEnvironment = {
  TOLLHOUSE_DATA: DataFolder,
  X402_CONFIRMATIONS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CONFIRMATIONS,
      description:
        'blocks, with that of the transaction, after which a settlement is final; 10 on Base and Base Sepolia, 1 on the local test chain',
    }),
  ),
  X402_FINALITY_INTERVAL_MS: Type.Integer({
    default: 2000,
    minimum: 100,
    maximum: 600_000,
    description:
      'milliseconds between two checks of what waits for the chain: open payments, settlements and transactions',
  }),
  X402_RECONCILE_INTERVAL_MS: Type.Integer({
    default: 3_600_000,
    minimum: 1000,
    maximum: 86_400_000,
    description: 'milliseconds between two comparisons of the claims with the transfers of the chain',
  }),
  AUTHORIZATION_KEYS: Type.Optional(
    Type.String({
      description:
        'keys for the authorizations of payments that are not final, in the format of RETENTION_KEYS; by default one in the data folder',
    }),
  ),
} as const;

export const confirmationsOf = (configured: number | undefined, network: KnownNetwork): number =>
  configured ?? (network === SANDBOX_NETWORK ? SANDBOX_CONFIRMATIONS : DEFAULT_CONFIRMATIONS);
