import { createSecretKey } from 'node:crypto';
import { defined } from '../../../workers/exact/defined.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { openBytes, sealBytes } from '../../platform/process/sealed-bytes.ts';

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
  const secrets = new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret)]));
  const [{ id: current }] = keys;
  const associated = (channelId: string, keyId: string) => Buffer.from(`tollhouse:voucher:v1\0${keyId}\0${channelId}`);
  return {
    seal: (channelId, signature) => {
      const plain = Buffer.from(signature.slice(2), 'hex');
      return {
        sealed: sealBytes(defined(secrets.get(current)), plain, associated(channelId, current)),
        keyId: current,
      };
    },
    open(channelId, { sealed, keyId }) {
      const key = secrets.get(keyId);
      if (key === undefined) throw new Error(`the key ${keyId} of a voucher is not configured`);
      return `0x${openBytes(key, sealed, associated(channelId, keyId)).toString('hex')}`;
    },
  };
}
