import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { ProofError } from '../contract/proof/proof-error.ts';
import { rawKeyOf, type VerificationKey } from '../contract/proof/verification-key.ts';

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function generateSigningKey(): SigningKey {
  return withPublicKey(generateKeyPairSync('ed25519').privateKey);
}

/** Creates a key pair from its seed of 32 bytes, such as that of `readOrCreateSecret`. @throws {ProofError} KEY_INVALID */
export function signingKeyFromSeed(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new ProofError('KEY_INVALID', 'a seed has 32 bytes');
  return withPublicKey(createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' }));
}

/** Reads a key pair from an unencrypted private key in PEM (PKCS #8). @throws {ProofError} KEY_INVALID */
export function signingKeyFromPem(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    // The cause is left out: the message of OpenSSL may contain the key.
    throw new ProofError('KEY_INVALID', 'not a private key in PEM');
  }
  return withPublicKey(privateKey);
}

function withPublicKey(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { keyid: hash('sha256', spki), raw: rawKeyOf(spki), privateKey };
}

/** @returns a signature of 64 bytes */
export function signBytes(key: SigningKey, bytes: Uint8Array): Buffer {
  return sign(null, bytes, key.privateKey);
}
