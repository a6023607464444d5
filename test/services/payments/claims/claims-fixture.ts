import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import type { ClaimDetails, OpenOptions } from '../../../../services/payments/claims/claims.ts';
import { createNonce } from '../../../helpers/chain.ts';

export const START_MS = 1_800_000_000_000;

/** A new claim of a payer. */
export const details = (payer: Hex, changes: Partial<ClaimDetails> = {}): ClaimDetails => ({
  payer,
  nonce: createNonce(),
  claimId: uuidv7(),
  digest: 'd1',
  fingerprint: 'f1',
  offerSecretHash: 'h1',
  paymentIdentifierHash: undefined,
  amount: 3000n,
  validBeforeS: START_MS / 1000 + 60,
  fromBlock: 7n,
  ...changes,
});

export const leased = (changes: Partial<OpenOptions> = {}): OpenOptions => ({
  leaseMs: 1000,
  replaces: undefined,
  balance: 10n ** 9n,
  seen: [],
  ...changes,
});

export const attempt = () => ({ attemptId: uuidv7(), leaseMs: 1000 });
