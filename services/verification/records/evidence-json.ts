import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import type { ArtifactText } from '../../../workers/verdict/tasks.ts';
import { MAX_ARTIFACT_BYTES } from '../contract/arguments.ts';

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
/** A receipt has fewer values. Evidence with more of them takes seconds to read. */
const MAX_EVIDENCE_VALUES = 100_000;
const EVIDENCE_JSON = { ...RECORD_JSON, numbers: 'any', nul: 'accepted', maxValues: MAX_EVIDENCE_VALUES } as const;

/** The text of an artifact that is JSON with one meaning. Nothing can be read from any other artifact. */
export function jsonOf(content: Buffer): ArtifactText {
  try {
    parseStrictJsonBytes(content, MAX_ARTIFACT_BYTES, EVIDENCE_JSON);
    return { json: content.toString('utf8') };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const where = error.pointer === '' ? '' : ` at ${error.pointer}`;
    const isMarked = content.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    if (isMarked) return { fault: 'the artifact begins with a byte order mark: leave it out' };
    const isSyntax = error.code === 'SYNTAX';
    return { fault: `the artifact is not JSON${isSyntax ? where : ` with one meaning${where}: ${error.message}`}` };
  }
}
