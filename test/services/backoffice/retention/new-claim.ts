import { randomBytes } from 'node:crypto';
import type { RetainedClaim } from '../../../../services/backoffice/retention/retained-claims.ts';

/** The claim of a new payment. */
export function newClaim(): RetainedClaim {
  const hash = () => randomBytes(32).toString('hex');
  return {
    network: 'eip155:31337',
    asset: `0x${'a'.repeat(40)}`,
    payer: `0x${randomBytes(20).toString('hex')}`,
    nonce: `0x${hash()}`,
    amount: 3000n,
    validBeforeS: 2n ** 40n,
    digest: hash(),
    fingerprint: hash(),
    offerSecretHash: hash(),
    paymentIdentifierHash: undefined,
    fromBlock: undefined,
  };
}
