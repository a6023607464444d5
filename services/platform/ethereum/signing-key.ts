import secp256k1 from 'secp256k1';
import type { Hex } from 'viem';
import { addressOfKey } from './address.ts';

export interface Signature {
  /** 32 bytes each. `s` is in the lower half of the order. */
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: number;
}

export type SigningKey = ReturnType<typeof createSigningKey>;

/** Signs natively. viem's own account takes about 3 ms of the event loop for each signature. */
export function createSigningKey(privateKey: Hex) {
  const key = Buffer.from(privateKey.slice(2), 'hex');
  return {
    /** Checksummed. */
    address: addressOfKey(secp256k1.publicKeyCreate(key, false)),
    /** Signs 32 bytes. */
    sign(digest: Uint8Array): Signature {
      const { signature, recid } = secp256k1.ecdsaSign(digest, key);
      const half = (from: number): Hex => `0x${Buffer.from(signature.subarray(from, from + 32)).toString('hex')}`;
      return { r: half(0), s: half(32), yParity: recid };
    },
  };
}
