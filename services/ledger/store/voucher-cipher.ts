import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { createKeyRing } from '../../platform/process/sealed-bytes.ts';

export interface SealedSignature {
  readonly sealed: Buffer;
  /** Id of the key. */
  readonly keyId: string;
}

/**
 * Encrypts the signatures of vouchers, each bound to its channel. Who has a signature can present the voucher.
 */
export interface VoucherCipher {
  /** @param signature 65 bytes, hexadecimal with 0x */
  seal(channelId: string, signature: string): SealedSignature;
  /** @throws {Error} if the key is missing, or the signature was sealed for another channel */
  open(channelId: string, sealed: SealedSignature): string;
}

export function createVoucherCipher(keys: NamedKeys): VoucherCipher {
  const ring = createKeyRing('voucher', keys);
  return {
    seal: (channelId, signature) => ({
      sealed: ring.seal(Buffer.from(signature.slice(2), 'hex'), channelId),
      keyId: ring.keyId,
    }),
    open: (channelId, { sealed, keyId }) => `0x${ring.open(sealed, keyId, channelId).toString('hex')}`,
  };
}
