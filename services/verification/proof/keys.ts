import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { decodeBase64 } from '../../platform/base64.ts';
import { SHA256_PATTERN } from '../../platform/patterns.ts';
import { parseRecord } from './canonical-json.ts';
import {
  fromSpki,
  type SigningKey,
  signingKeyFromPem,
  signingKeyFromSeed,
  toSpki,
  type VerificationKey,
} from './ed25519.ts';
import { ProofError } from './proof-error.ts';
import { ORIGIN_PATTERN } from './signed-note.ts';

/** The key of a log, and the name of the log in its signatures. */
export interface LogKey<K extends VerificationKey = VerificationKey> {
  readonly origin: string;
  readonly key: K;
}

const common = {
  keyid: Type.String({ pattern: SHA256_PATTERN }),
  /** SubjectPublicKeyInfo in DER, base64. */
  public_key: Type.String({ maxLength: 60 }),
  algorithm: Type.Literal('Ed25519'),
};

const PublishedKey = Type.Union([
  Type.Object({ ...common, use: Type.Literal('issuer') }, { additionalProperties: false }),
  Type.Object(
    { ...common, use: Type.Literal('log'), origin: Type.String({ pattern: `^${ORIGIN_PATTERN}$` }) },
    { additionalProperties: false },
  ),
]);

const KeyFile = Type.Object(
  { keys: Type.Array(PublishedKey, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);

export type PublishedKey = Static<typeof PublishedKey>;

/** The keys that a verifier trusts, each for one use. */
export interface TrustedKeys {
  readonly issuerKeys: readonly VerificationKey[];
  readonly logKeys: readonly LogKey[];
}

const MAX_KEY_FILE_BYTES = 64 * 1024;
const keyFile = Compile(KeyFile);

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
  return { keyid: key.keyid, public_key: toSpki(key).toString('base64'), algorithm: 'Ed25519' } as const;
}

/**
 * Reads a key file, `{ "keys": [ PublishedKey ] }`, as a log publishes it and a verifier stores it.
 * @throws {ProofError} KEY_INVALID, also for a key that is there twice: the holder of a key for one use must not be
 *   trusted for the other. Only a log that continued under another name has its key once for each name, which its
 *   signatures cover.
 */
export function readKeyFile(bytes: Uint8Array): TrustedKeys {
  const published = parseKeyFile(bytes).map((entry) => ({ entry, key: readPublishedKey(entry) }));
  assertEachOnce(published.map(({ entry }) => entry));
  return {
    issuerKeys: published.flatMap(({ entry, key }) => (entry.use === 'issuer' ? [key] : [])),
    logKeys: published.flatMap(({ entry, key }) => (entry.use === 'log' ? [{ origin: entry.origin, key }] : [])),
  };
}

function assertEachOnce(entries: readonly PublishedKey[]): void {
  const uses = new Map<string, PublishedKey['use']>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const name = entry.use === 'log' ? `${entry.keyid} ${entry.origin}` : entry.keyid;
    const use = uses.get(entry.keyid);
    if (seen.has(name) || (use !== undefined && use !== entry.use)) {
      throw new ProofError('KEY_INVALID', 'a key is there twice');
    }
    uses.set(entry.keyid, entry.use);
    seen.add(name);
  }
}

function parseKeyFile(bytes: Uint8Array): readonly PublishedKey[] {
  let value: unknown;
  try {
    value = parseRecord(bytes, MAX_KEY_FILE_BYTES);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ProofError('KEY_INVALID', `the key file cannot be read: ${error.message}`, { cause: error });
  }
  if (!keyFile.Check(value)) throw new ProofError('KEY_INVALID', 'the key file does not contain published keys');
  return value.keys;
}

function readPublishedKey({ keyid, public_key }: PublishedKey): VerificationKey {
  const spki = decodeBase64(public_key);
  if (spki === undefined) throw new ProofError('KEY_INVALID', 'a public key is not base64');
  const key = fromSpki(spki);
  if (key.keyid !== keyid) throw new ProofError('KEY_INVALID', `the key id of ${keyid} is ${key.keyid}`);
  return key;
}
