import { decodeBase64 } from '../../platform/base64.ts';
import type { LogKey, PublishedKey } from '../contract/proof/key-file.ts';
import { ProofError } from '../contract/proof/proof-error.ts';
import { toSpki, type VerificationKey } from '../contract/proof/verification-key.ts';
import { type SigningKey, signingKeyFromPem, signingKeyFromSeed } from './ed25519.ts';

/** Reads a key pair from text: a private key in PEM, or its seed of 32 bytes in base64. @throws {ProofError} KEY_INVALID */
export function loadSigningKey(text: string): SigningKey {
  const content = text.trim();
  if (content.startsWith('-----BEGIN')) return signingKeyFromPem(content);
  const seed = decodeBase64(content);
  if (seed === undefined) throw new ProofError('KEY_INVALID', 'neither PEM nor base64');
  return signingKeyFromSeed(seed);
}

export function publishIssuerKey(key: VerificationKey): PublishedKey {
  return { ...describe(key), use: 'issuer' };
}

export function publishLogKey({ origin, key }: LogKey): PublishedKey {
  return { ...describe(key), use: 'log', origin };
}

function describe(key: VerificationKey) {
  return { keyid: key.keyid, public_key: Buffer.from(toSpki(key)).toString('base64'), algorithm: 'Ed25519' } as const;
}
