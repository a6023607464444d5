import type { Hex } from 'viem';
import { getAddress } from 'viem/utils';
import { parseStrictJson } from '../../../workers/exact/strict-json.ts';
import { parseSignature, type Signature } from './signature.ts';
import type { ChallengeInfo } from './siwx-message.ts';

/** A sign-in proof in the right form; nothing of it is verified. */
export interface Proof {
  readonly info: ChallengeInfo;
  readonly wallet: Hex;
  readonly chainId: string;
  readonly signature: Signature;
}

const MAX_HEADER_CHARACTERS = 4096;
const CONTRACT_SCHEMES: readonly unknown[] = ['eip1271', 'eip6492'];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Standard alphabet, padded, unused bits zero: what one text alone decodes to. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

function decodeObject(header: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = header.length <= MAX_HEADER_CHARACTERS ? decodeBase64(header) : undefined;
  if (bytes === undefined) return undefined;
  try {
    const value = parseStrictJson(utf8.decode(bytes));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Whoever names a contract's scheme is told that contracts do not sign in, whatever the signature looks like. */
function readSignature(fields: Readonly<Record<string, unknown>>): Signature | undefined {
  const text = fields['signature'];
  if (typeof text !== 'string') return undefined;
  if (CONTRACT_SCHEMES.includes(fields['signatureScheme'])) return { kind: 'contract' };
  return parseSignature(text);
}

/**
 * Reads a SIGN-IN-WITH-X header: base64 of JSON. Fields that are not known are ignored, as the package
 * `@x402/extensions` does.
 * @returns the proof, or what is wrong with the header
 */
export function parseProof(header: string): Proof | string {
  const fields = decodeObject(header);
  if (fields === undefined) return `not base64 of a JSON object within ${MAX_HEADER_CHARACTERS} characters`;
  const { domain, uri, version, nonce, issuedAt, expirationTime, requestId, statement, resources, address, chainId } =
    fields;
  const texts = [domain, uri, nonce, issuedAt, expirationTime, requestId, statement, chainId];
  if (!texts.every((text) => typeof text === 'string')) return 'a field is missing or is not a string';
  if (version !== '1' || fields['type'] !== 'eip191') return 'version is not "1" or type is not "eip191"';
  if (!isTextList(resources)) return 'resources is not a list of strings';
  if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address)) return 'address is not an Ethereum address';
  const signature = readSignature(fields);
  if (signature === undefined) return 'signature is not 65 bytes r, s, v in hexadecimal';
  const [d, u, n, i, e, r, s, chain] = texts as [string, string, string, string, string, string, string, string];
  return {
    info: {
      domain: d,
      uri: u,
      version,
      nonce: n,
      issuedAt: i,
      expirationTime: e,
      requestId: r,
      statement: s,
      resources,
    },
    wallet: getAddress(address.toLowerCase()),
    chainId: chain,
    signature,
  };
}
