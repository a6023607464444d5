import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { NamedKeys } from '../../platform/process/named-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface AuthorizationCipher {
  /** Id of the key that `seal` uses. */
  readonly keyId: string;
  seal(text: string, claimId: string): Buffer;
  /** @throws when the key is unknown, or the bytes were not sealed for this claim */
  open(sealed: Buffer, keyId: string, claimId: string): string;
}

const associatedData = (keyId: string, claimId: string) =>
  Buffer.from(`tollhouse:authorization:v1\0${keyId}\0${claimId}`);

/** AES-256-GCM with a random 96-bit nonce: `nonce ‖ ciphertext ‖ tag` (NIST SP 800-38D). */
export function createAuthorizationCipher(keys: NamedKeys): AuthorizationCipher {
  const [current] = keys;
  const secrets = new Map(keys.map(({ id, secret }) => [id, secret]));
  return {
    keyId: current.id,
    seal(text, claimId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(current.id, claimId));
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, keyId, claimId) {
      const secret = secrets.get(keyId);
      if (secret === undefined) throw new Error(`the authorization key ${keyId} is not configured`);
      const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(keyId, claimId));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    },
  };
}
