import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { MAX_ARTIFACT_BYTES } from '../contract/arguments.ts';

/** A receipt has fewer values. Evidence with more of them takes seconds to read. */
const MAX_EVIDENCE_VALUES = 100_000;
const EVIDENCE_JSON = { ...RECORD_JSON, numbers: 'any', nul: 'accepted', maxValues: MAX_EVIDENCE_VALUES } as const;

/** The text of an artifact that is JSON with one meaning. Nothing can be read from any other artifact. */
export function jsonOf(content: Buffer): { readonly json?: string } {
  try {
    parseStrictJsonBytes(content, MAX_ARTIFACT_BYTES, EVIDENCE_JSON);
    return { json: content.toString('utf8') };
  } catch (error) {
    if (error instanceof StrictJsonError) return {};
    throw error;
  }
}
