import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { defined } from '../../../workers/exact/defined.ts';
import type { NamedKeys } from './named-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const EVEN_STEP_BYTES = 1024;
const MAX_EVEN_BYTES = 16 * EVEN_STEP_BYTES;

/**
 * The size to which a plaintext of `size` bytes is padded before it is sealed, so that its length tells little about it: the
 * next KiB up to 16 KiB, then the next step of a ladder in which each is 6 % larger. How to pad is up to the format of
 * the plaintext: its readers must skip the padding.
 */
export function paddedSize(size: number): number {
  if (size <= MAX_EVEN_BYTES) return Math.ceil(size / EVEN_STEP_BYTES) * EVEN_STEP_BYTES;
  let step = MAX_EVEN_BYTES;
  while (step < size) step += Math.ceil((step * 6) / 100);
  return step;
}

/** The key under whose id something was sealed is not configured. */
export class MissingKeyError extends Error {}

/**
 * Encrypts with the first key, and decrypts with all: with AES-256-GCM and a random 96-bit nonce (NIST SP 800-38D).
 * @param kind what is sealed: bytes of one kind do not open as another
 */
export function createKeyRing(kind: string, keys: NamedKeys) {
  // A KeyObject is used many times; a buffer would be made into one for each message.
  const secrets = new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret)]));
  const [{ id: current }] = keys;
  const associated = (keyId: string, subject: string) => Buffer.from(`tollhouse:${kind}:v1\0${keyId}\0${subject}`);
  return {
    /** Id of the key that `seal` uses. */
    keyId: current,
    /** @returns `nonce ‖ ciphertext ‖ tag`, bound to the kind, the id of the key and `subject` */
    seal(plain: Buffer, subject: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', defined(secrets.get(current)), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associated(current, subject));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    /** @throws {MissingKeyError}, and another error if the key or `subject` differs, or the bytes were changed */
    open(sealed: Buffer, keyId: string, subject: string): Buffer {
      const key = secrets.get(keyId);
      if (key === undefined) throw new MissingKeyError(`the ${kind} key ${keyId} is not configured`);
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associated(keyId, subject));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
