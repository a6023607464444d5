import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and a random 96-bit nonce (NIST SP 800-38D).
 * @param secret 32 bytes
 * @param associated what the bytes are bound to: they open only with the same
 * @returns `nonce ‖ ciphertext ‖ tag`
 */
export function sealBytes(secret: Buffer, plain: Buffer, associated: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `sealBytes` returned. @throws {Error} if the secret or `associated` differs, or the bytes were changed */
export function openBytes(secret: Buffer, sealed: Buffer, associated: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
