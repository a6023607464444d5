import secp256k1 from 'secp256k1';
import { type Hex, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/** The key that signs claims and refunds. */
export interface Authorizer {
  /** Checksummed. */
  readonly address: Hex;
  /** Signs a digest of EIP-712. */
  sign(digest: Hex): Hex;
}

export function createAuthorizer(privateKey: Hex): Authorizer {
  const key = hexToBytes(privateKey);
  const publicKey = secp256k1.publicKeyCreate(key, false);
  return {
    address: publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`),
    sign(digest) {
      const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(digest), key);
      return `0x${Buffer.from(signature).toString('hex')}${recid === 0 ? '1b' : '1c'}`;
    },
  };
}
