import { valueAt } from '../../../workers/exact/json-pointer.ts';
import { StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { decodeBase64 } from '../../platform/base64.ts';
import { isCanonicalOf, parseRecord, REFORMATTED } from '../contract/proof/parse-record.ts';
import type { Statement } from '../contract/proof/statement.ts';
import { canonicalBytes, digestBytes } from '../proof/digests.ts';
import { checkRecordsFile, RECORDS_FORMAT, type RecordsFile } from '../records/read-records-file.ts';
import { hashPlan, hashRecords, hashRuns } from '../records/record-hashes.ts';
import { comparePartsOf } from './compare-parts.ts';

const MAX_RECORDS_BYTES = 1024 * 1024 * 1024;

type WithContent<Part> = Part & { readonly content: Buffer };

/** The content of a records file, with the bytes of its artifacts and tables. */
export interface Records extends Omit<RecordsFile, 'artifacts' | 'tables'> {
  readonly artifacts: readonly WithContent<RecordsFile['artifacts'][number]>[];
  readonly tables: readonly WithContent<RecordsFile['tables'][number]>[];
}

export interface RecordsFault {
  readonly fault: string;
  /** Whether they have the form of another release. */
  readonly isOtherFormat?: boolean;
}

/** Reads the records of a statement and compares every hash. @returns the records, or how they differ */
export function readRecords(statement: Statement, bytes: Uint8Array): Records | RecordsFault {
  const file = readFile(bytes);
  if ('fault' in file) return { ...file, fault: `the records cannot be read: ${file.fault}` };
  const artifacts = decodeAll(file.artifacts);
  const tables = decodeAll(file.tables);
  if (artifacts === undefined) return { fault: 'the records have an artifact that is not canonical base64' };
  if (tables === undefined) return { fault: 'the records have a table that is not canonical base64' };
  const records: Records = { ...file, artifacts, tables };
  const fault = compareHashes(statement, records);
  return fault === undefined ? records : { fault };
}

/** Undefined if the bytes of a part are not canonical base64. */
function decodeAll<Part extends { readonly bytes_base64: string }>(
  parts: readonly Part[],
): readonly WithContent<Part>[] | undefined {
  const decoded = parts.flatMap((part) => {
    const content = decodeBase64(part.bytes_base64);
    return content === undefined ? [] : [{ ...part, content }];
  });
  return decoded.length === parts.length ? decoded : undefined;
}

function readFile(bytes: Uint8Array): RecordsFile | RecordsFault {
  try {
    const value = parseRecord(bytes, MAX_RECORDS_BYTES);
    if (!isCanonicalOf(bytes, value)) return { fault: `the file ${REFORMATTED}` };
    const format = valueAt(value, '/records_format');
    if (typeof format === 'number' && format !== RECORDS_FORMAT) {
      return { fault: `this version does not read records of format ${format}`, isOtherFormat: true };
    }
    return checkRecordsFile(value);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { fault: error.message };
  }
}

function compareHashes({ subject, predicate }: Statement, records: Records): string | undefined {
  const { artifacts, approvals, runs } = records;
  const hashes = hashRecords({
    plan: records.plan,
    actions: records.actions,
    artifacts: artifacts.map(({ artifact_id, seq, kind, media_type, content }) => {
      return { artifact_id, seq, kind, media_type, sha256: digestBytes(content), size: content.length };
    }),
    approvedAt: records.approved_at,
    receivedAt: records.received_at,
    proposedIntents: records.proposed_intents_hash,
    approvals,
    runs: runs && hashRuns(hashPlan(records.plan), runs),
  });
  const expected = new Map([
    [`plan/${records.plan_id}`, hashes.plan_hash],
    [`execution/${records.execution_id}`, hashes.execution_hash],
    ...artifacts.map(({ artifact_id, content }) => [`artifact/${artifact_id}`, digestBytes(content)] as const),
  ]);
  const named = subject.filter(({ name }) => !name.startsWith('tenant/'));
  const other = named.find(({ name, digest }) => expected.get(name) !== digest.sha256);
  if (other !== undefined) return `the records hold another ${other.name}`;
  const partsFault = comparePartsOf(records);
  if (partsFault !== undefined) return partsFault;
  if (named.length !== expected.size) return 'the records hold what the proof does not name';
  if (!subject.some(({ name }) => name === `tenant/${records.tenant_id}`)) return 'the records are of another tenant';
  const { inputs_hash, intents_hash, evidence_hash } = hashes;
  const isSame = canonicalBytes({ inputs_hash, intents_hash, evidence_hash }).equals(canonicalBytes(predicate.inputs));
  const areTimes = predicate.approved_at === records.approved_at && predicate.received_at === records.received_at;
  return isSame && areTimes ? undefined : 'the records have other hashes than the proof';
}
