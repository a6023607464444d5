import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { withChecksum } from '../../../services/platform/ethereum/address.ts';
import { isRecord } from '../../../services/platform/is-record.ts';
import { describeSchemaFault } from '../../../services/platform/schema-fault.ts';
import { parseStrictJson } from '../../../workers/exact/strict-json.ts';
import { parseSignature, type Signature } from './signature.ts';
import type { ChallengeInfo } from './siwx-message.ts';

/** A well-formed sign-in proof that is not verified yet. */
export interface Proof {
  readonly info: ChallengeInfo;
  readonly wallet: Hex;
  readonly chainId: string;
  readonly signature: Signature;
}

const MAX_HEADER_CHARACTERS = 4096;
const CONTRACT_SCHEMES: readonly unknown[] = ['eip1271', 'eip6492'];

const texts = Compile(
  Type.Object({
    domain: Type.String(),
    uri: Type.String(),
    version: Type.Literal('1'),
    nonce: Type.String(),
    issuedAt: Type.String(),
    expirationTime: Type.String(),
    requestId: Type.String(),
    statement: Type.String(),
    resources: Type.Array(Type.String()),
    address: Type.String(),
    chainId: Type.String(),
    type: Type.Literal('eip191'),
  }),
);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Canonical base64: standard alphabet, padded, unused bits zero. Every value has exactly one such text. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

function decodeObject(header: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = header.length <= MAX_HEADER_CHARACTERS ? decodeBase64(header) : undefined;
  if (bytes === undefined) return undefined;
  try {
    const value = parseStrictJson(utf8.decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A signature with the scheme of a contract is never parsed: contracts cannot sign in. */
function readSignature(fields: Readonly<Record<string, unknown>>): Signature | undefined {
  const text = fields['signature'];
  if (typeof text !== 'string') return undefined;
  if (CONTRACT_SCHEMES.includes(fields['signatureScheme'])) return { kind: 'contract' };
  return parseSignature(text);
}

/**
 * Reads a SIGN-IN-WITH-X header: base64 of JSON. Unknown members are ignored, as `@x402/extensions` does.
 * @returns the proof, or what is wrong with the header
 */
export function parseProof(header: string): Proof | string {
  const fields = decodeObject(header);
  if (fields === undefined) return `not base64 of a JSON object within ${MAX_HEADER_CHARACTERS} characters`;
  if (!texts.Check(fields)) return describeSchemaFault(texts, fields) ?? 'a field is missing or is not a string';
  const { domain, uri, nonce, issuedAt, expirationTime, requestId, statement, resources, address, chainId } = fields;
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return 'address is not an Ethereum address';
  const signature = readSignature(fields);
  if (signature === undefined) return 'signature is not 65 bytes r, s, v in hexadecimal';
  return {
    info: { domain, uri, version: '1', nonce, issuedAt, expirationTime, requestId, statement, resources },
    wallet: withChecksum(address),
    chainId,
    signature,
  };
}
