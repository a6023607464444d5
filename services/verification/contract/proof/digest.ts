import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { concatBytes, toHex } from './bytes.ts';
import { sha256 } from './sha256.ts';

const utf8 = new TextEncoder();

/**
 * Kind of the record that a digest identifies. Each kind has its own prefix, so records of different kinds never have the
 * same digest: an approved plan cannot be presented as an execution with the same bytes.
 */
export type DigestDomain =
  | 'artifact'
  | 'cursor'
  | 'evidence'
  | 'execution'
  | 'inputs'
  | 'intents'
  | 'plan'
  | 'request'
  | 'sheet'
  | 'tenant';

/** What comes before the canonical bytes of a record in its digest: "tollhouse:<domain>:v1\0". */
export const digestPrefix = (domain: DigestDomain): string => `tollhouse:${domain}:v1\0`;

/**
 * SHA-256("tollhouse:<domain>:v1\0" ‖ JCS(value)), in lower-case hex.
 * @throws {TypeError} for a value that is not JSON
 */
export async function digestOf(domain: DigestDomain, value: unknown): Promise<string> {
  return toHex(await sha256(concatBytes(utf8.encode(digestPrefix(domain)), utf8.encode(canonicalText(value)))));
}
