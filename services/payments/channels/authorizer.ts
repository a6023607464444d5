import { type Hex, hexToBytes } from 'viem';
import { createSigningKey } from '../../platform/ethereum/signing-key.ts';

/** The key that signs claims and refunds. */
export interface Authorizer {
  /** Checksummed. */
  readonly address: Hex;
  /** Signs a digest of EIP-712. @returns 65 bytes, as contracts take them */
  sign(digest: Hex): Hex;
}

export function createAuthorizer(privateKey: Hex): Authorizer {
  const key = createSigningKey(privateKey);
  return {
    address: key.address,
    sign(digest) {
      const { r, s, yParity } = key.sign(hexToBytes(digest));
      return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
    },
  };
}
