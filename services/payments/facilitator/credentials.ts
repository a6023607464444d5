import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SignJWT } from 'jose';
import { ConfigurationError } from '../../platform/process/environment.ts';

/** How a facilitator is told whose account a request belongs to. */
export type CredentialSettings =
  | { readonly kind: 'key'; readonly id: string; readonly secret: KeyObject }
  | { readonly kind: 'file'; readonly path: string };

/** The headers of one request. @throws {HeadersFileError} */
export type Credentials = (request: {
  readonly method: string;
  readonly url: string;
}) => Promise<Readonly<Record<string, string>>>;

const TOKEN_SECONDS = 120;
const NONCE_BYTES = 16;

/** @param now milliseconds since the epoch */
export function createCredentials(settings: CredentialSettings | undefined, now: () => number): Credentials {
  if (settings === undefined) return async () => ({});
  if (settings.kind === 'file')
    return async () => parseHeaders(await readFile(settings.path, 'utf8').catch(unreadable));
  const { id, secret } = settings;
  const alg = secret.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
  return async ({ method, url }) => {
    const { host, pathname } = new URL(url);
    const issuedS = Math.floor(now() / 1000);
    const token = await new SignJWT({ uris: [`${method} ${host}${pathname}`] })
      .setProtectedHeader({ alg, kid: id, typ: 'JWT', nonce: randomBytes(NONCE_BYTES).toString('hex') })
      .setSubject(id)
      .setIssuer('cdp')
      .setAudience(['cdp_service'])
      .setIssuedAt(issuedS)
      .setNotBefore(issuedS)
      .setExpirationTime(issuedS + TOKEN_SECONDS)
      .sign(secret);
    return { authorization: `Bearer ${token}` };
  };
}

export interface CredentialVariables {
  readonly X402_FACILITATOR_KEY_ID?: string;
  readonly X402_FACILITATOR_KEY_SECRET?: string;
  readonly X402_FACILITATOR_HEADERS_FILE?: string;
}

/** Reads the key pair, or the file of headers. @throws {ConfigurationError} */
export function readCredentialSettings(values: CredentialVariables): CredentialSettings | undefined {
  const { X402_FACILITATOR_KEY_ID: id, X402_FACILITATOR_KEY_SECRET: secret } = values;
  const path = values.X402_FACILITATOR_HEADERS_FILE;
  if ((id === undefined) !== (secret === undefined)) {
    const [found, missing] = id === undefined ? ['SECRET', 'ID'] : ['ID', 'SECRET'];
    throw new ConfigurationError(
      `X402_FACILITATOR_KEY_${missing}: found nothing; it must be set, because X402_FACILITATOR_KEY_${found} is`,
    );
  }
  if (id !== undefined && secret !== undefined) {
    if (path === undefined) return { kind: 'key', id, secret: readSecret(secret) };
    throw new ConfigurationError(
      'X402_FACILITATOR_HEADERS_FILE: found a path; it must not be set, because X402_FACILITATOR_KEY_ID is',
    );
  }
  if (path === undefined) return undefined;
  try {
    parseHeaders(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof HeadersFileError ? error.message : causeOf(error);
    throw new ConfigurationError(`X402_FACILITATOR_HEADERS_FILE: ${why}`);
  }
  return { kind: 'file', path };
}

const SEED_BYTES = 32;
const ED25519 = /^[\w+/-]{86}={0,2}$/;

/**
 * Reads the secret of an API key of the Coinbase Developer Platform: the seed and the public key of Ed25519 (RFC 8032) in
 * Base64, or a private key on P-256 in PEM, whose lines may be separated by `\n` in letters.
 */
function readSecret(text: string): KeyObject {
  try {
    if (!ED25519.test(text.trim())) {
      const key = createPrivateKey(text.replaceAll(String.raw`\n`, '\n'));
      if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
    } else {
      const bytes = Buffer.from(text, 'base64');
      const d = bytes.subarray(0, SEED_BYTES).toString('base64url');
      const x = bytes.subarray(SEED_BYTES).toString('base64url');
      const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
      if (createPublicKey(key).export({ format: 'jwk' }).x === x) return key;
    }
  } catch {
    // Its message may have a part of the key.
  }
  throw new ConfigurationError(
    'X402_FACILITATOR_KEY_SECRET: found a value that is not valid; it must be an Ed25519 key as 64 bytes in Base64, or a key on P-256 in PEM',
  );
}

/** The file of headers cannot be used. Its message has nothing of the file. */
export class HeadersFileError extends Error {
  override readonly name = 'HeadersFileError';
}

const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e]*?)[ \t]*$/;
/** The request sets these itself. */
const RESERVED = new Set(['host', 'connection', 'content-type', 'content-length', 'transfer-encoding']);

/** Reads lines of `Name: value`. Empty lines and lines that begin with # are left out. */
function parseHeaders(text: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (!name || !value) throw new HeadersFileError(`line ${index + 1} is not a header such as X-Api-Key: value`);
    const key = name.toLowerCase();
    if (RESERVED.has(key)) throw new HeadersFileError(`line ${index + 1} sets ${key}, which every request has already`);
    if (key in headers) throw new HeadersFileError(`line ${index + 1} sets ${key} again`);
    headers[key] = value;
  }
  if (Object.keys(headers).length === 0) throw new HeadersFileError('the file has no header');
  return headers;
}

function unreadable(error: unknown): never {
  throw new HeadersFileError(causeOf(error));
}

const causeOf = (error: unknown) =>
  `the file cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause'})`;
