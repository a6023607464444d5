import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { SHA256_PATTERN } from '../../../platform/patterns.ts';
import { fromBase64 } from './bytes.ts';
import { parseRecord } from './parse-record.ts';
import { ProofError } from './proof-error.ts';
import { ORIGIN_PATTERN } from './signed-note.ts';
import { fromSpki, type VerificationKey } from './verification-key.ts';

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

/**
 * Reads a key file, `{ "keys": [ PublishedKey ] }`, as a log publishes it and a verifier stores it.
 * @throws {ProofError} KEY_INVALID, also for a key that is there twice: the holder of a key for one use must not be
 *   trusted for the other. Only a log that continued under another name has its key once for each name, which its
 *   signatures cover.
 */
export async function readKeyFile(bytes: Uint8Array): Promise<TrustedKeys> {
  const entries = parseKeyFile(bytes);
  const published = await Promise.all(entries.map(async (entry) => ({ entry, key: await readPublishedKey(entry) })));
  assertEachOnce(entries);
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
  if (!Check(KeyFile, value)) throw new ProofError('KEY_INVALID', 'the key file does not contain published keys');
  return value.keys;
}

async function readPublishedKey({ keyid, public_key }: PublishedKey): Promise<VerificationKey> {
  const spki = fromBase64(public_key);
  if (spki === undefined) throw new ProofError('KEY_INVALID', 'a public key is not base64');
  const key = await fromSpki(spki);
  if (key.keyid !== keyid) throw new ProofError('KEY_INVALID', `the key id of ${keyid} is ${key.keyid}`);
  return key;
}
