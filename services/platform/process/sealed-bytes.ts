import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const EVEN_STEP_BYTES = 1024;
const MAX_EVEN_BYTES = 16 * EVEN_STEP_BYTES;

/**
 * The size to which a plaintext of `size` bytes is padded before it is sealed, so that its length tells little about it: the
 * next KiB up to 16 KiB, then the next step of a ladder in which each is 6 % larger. How to pad is up to the format of
 * the plaintext: its readers, earlier versions included, must skip the padding.
 */
export function paddedSize(size: number): number {
  if (size <= MAX_EVEN_BYTES) return Math.ceil(size / EVEN_STEP_BYTES) * EVEN_STEP_BYTES;
  let step = MAX_EVEN_BYTES;
  while (step < size) step += Math.ceil((step * 6) / 100);
  return step;
}

/**
 * Encrypts with AES-256-GCM and a random 96-bit nonce (NIST SP 800-38D).
 * @param key 32 bytes. A `KeyObject` is used many times; a buffer would be made into one for each message
 * @param associated what the bytes are bound to: they open only with the same
 * @returns `nonce ‖ ciphertext ‖ tag`
 */
export function sealBytes(key: KeyObject, plain: Buffer, associated: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `sealBytes` returned. @throws {Error} if the key or `associated` differs, or the bytes were changed */
export function openBytes(key: KeyObject, sealed: Buffer, associated: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
