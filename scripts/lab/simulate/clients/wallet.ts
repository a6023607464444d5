import secp256k1 from 'secp256k1';
import type { Hex } from 'viem';
import { addressOfKey } from '../../../../services/platform/ethereum/address.ts';
import { keccak256 } from '../../../../services/platform/ethereum/keccak256.ts';
import type { Random } from '../engine/random.ts';

/** An externally owned account. */
export interface Wallet {
  /** Checksummed. */
  readonly address: Hex;
  /** Signs 32 bytes. @returns 65 bytes r, s, v in hexadecimal */
  readonly sign: (digest: Uint8Array) => Hex;
}

export function createWallet(random: Random): Wallet {
  const key = Buffer.alloc(32);
  random.fill(key);
  const publicKey = secp256k1.publicKeyCreate(key, false);
  return {
    address: addressOfKey(publicKey),
    sign(digest) {
      const { signature, recid } = secp256k1.ecdsaSign(digest, key);
      return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
    },
  };
}

/** Signs a text as `personal_sign` does (EIP-191). */
export function signText({ sign }: Wallet, text: string): Hex {
  const bytes = Buffer.from(text);
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`);
  return sign(keccak256(Buffer.concat([prefix, bytes])));
}
