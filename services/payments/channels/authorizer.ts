import { type Hex, hexToBytes } from 'viem';
import { createSigningKey } from '../../platform/ethereum/signing-key.ts';

export type Authorizer = ReturnType<typeof createAuthorizer>;

/** The key that signs claims and refunds. */
export function createAuthorizer(privateKey: Hex) {
  const key = createSigningKey(privateKey);
  return {
    /** Checksummed. */
    address: key.address,
    /** Signs a digest of EIP-712. @returns 65 bytes, as contracts take them */
    sign(digest: Hex): Hex {
      const { r, s, yParity } = key.sign(hexToBytes(digest));
      return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`;
    },
  };
}
