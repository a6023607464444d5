import secp256k1 from 'secp256k1';
import type { Hex } from 'viem';
import { addressOfKey } from './address.ts';

/** Half the order of secp256k1. EIP-2 and EIP-2098: of the two signatures (s, n - s), only the lower is canonical. */
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

/**
 * The checksummed address of the account that signed a digest. Undefined if no account can have signed it: s is in the
 * upper half, or r and s give no point on the curve.
 * @param rs 64 bytes
 */
export function recoverAddress(
  digest: Uint8Array,
  { rs, recoveryId }: { readonly rs: Buffer; readonly recoveryId: number },
): Hex | undefined {
  if (rs.subarray(32).compare(HALF_ORDER) > 0) return undefined;
  try {
    return addressOfKey(secp256k1.ecdsaRecover(rs, recoveryId, digest, false));
  } catch {
    return undefined;
  }
}

const SIGNATURE_BYTES = 65;

/**
 * Like `recoverAddress`, for a signature that a contract will check. Undefined also for what contracts refuse: any length
 * but 65 bytes, and a `v` other than 27 and 28.
 * @param signature hexadecimal with 0x
 */
export function recoverSigner(digest: Uint8Array, signature: string): Hex | undefined {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  if (bytes.length !== SIGNATURE_BYTES) return undefined;
  const v = bytes.readUInt8(SIGNATURE_BYTES - 1);
  return v === 27 || v === 28 ? recoverAddress(digest, { rs: bytes.subarray(0, 64), recoveryId: v - 27 }) : undefined;
}
