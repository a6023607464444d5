import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { decodeBase64 } from '../../platform/base64.ts';
import { canonicalBytes, isCanonicalOf, parseRecord } from '../proof/canonical-json.ts';
import { digestBytes, digestRecord } from '../proof/digests.ts';
import type { Statement } from '../proof/statement.ts';
import { checkRecordsFile, type RecordsFile } from '../records/read-records-file.ts';
import { hashRecords } from '../records/record-hashes.ts';

const MAX_RECORDS_BYTES = 1024 * 1024 * 1024;

/** The content of a records file, with the bytes of its artifacts. */
export interface Records extends Omit<RecordsFile, 'artifacts'> {
  readonly artifacts: readonly Artifact[];
}

type Artifact = RecordsFile['artifacts'][number] & { readonly content: Buffer };

/** Reads the records of a statement and compares every hash. @returns the records, or how they differ */
export function readRecords(statement: Statement, bytes: Uint8Array): Records | { readonly fault: string } {
  const file = readFile(bytes);
  if ('fault' in file) return { fault: `the records cannot be read: ${file.fault}` };
  const artifacts: Artifact[] = [];
  for (const artifact of file.artifacts) {
    const content = decodeBase64(artifact.bytes_base64);
    if (content === undefined) return { fault: 'the records have an artifact that is not canonical base64' };
    artifacts.push({ ...artifact, content });
  }
  const records = { ...file, artifacts };
  const fault = compareHashes(statement, records);
  return fault === undefined ? records : { fault };
}

function readFile(bytes: Uint8Array): RecordsFile | { readonly fault: string } {
  try {
    const value = parseRecord(bytes, MAX_RECORDS_BYTES);
    return isCanonicalOf(bytes, value) ? checkRecordsFile(value) : { fault: 'they are not in canonical form' };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { fault: error.message };
  }
}

/** The part of a plan that names its sheets. */
const SheetUses = Compile(Type.Object({ sheets: Type.Array(Type.Object({ sha256: Type.String() })) }));

/** The plan names its sheets by their hashes, and the proof has the plan's hash. */
function compareSheets({ plan, sheets }: Records): string | undefined {
  if (!SheetUses.Check(plan)) return 'the plan of the records does not name its sheets';
  const named = new Set(plan.sheets.map(({ sha256 }) => sha256));
  const held = new Set(sheets.map((sheet) => digestRecord('sheet', sheet)));
  if (held.size < sheets.length || ![...held].every((sha256) => named.has(sha256))) {
    return 'the records hold a sheet that the plan does not use';
  }
  return held.size < named.size ? 'the records lack a sheet that the plan uses' : undefined;
}

function compareHashes({ subject, predicate }: Statement, records: Records): string | undefined {
  const { artifacts } = records;
  const hashes = hashRecords({
    plan: records.plan,
    actions: records.actions,
    artifacts: artifacts.map(({ artifact_id, seq, kind, media_type, content }) => {
      return { artifact_id, seq, kind, media_type, sha256: digestBytes(content), size: content.length };
    }),
    approvedAt: records.approved_at,
    receivedAt: records.received_at,
    proposedIntents: records.proposed_intents_hash,
  });
  const expected = new Map([
    [`plan/${records.plan_id}`, hashes.plan_hash],
    [`execution/${records.execution_id}`, hashes.execution_hash],
    ...artifacts.map(({ artifact_id, content }) => [`artifact/${artifact_id}`, digestBytes(content)] as const),
  ]);
  const named = subject.filter(({ name }) => !name.startsWith('tenant/'));
  const other = named.find(({ name, digest }) => expected.get(name) !== digest.sha256);
  if (other !== undefined) return `the records hold another ${other.name}`;
  const sheetFault = compareSheets(records);
  if (sheetFault !== undefined) return sheetFault;
  if (named.length !== expected.size) return 'the records hold what the proof does not name';
  if (!subject.some(({ name }) => name === `tenant/${records.tenant_id}`)) return 'the records are of another tenant';
  const { inputs_hash, intents_hash, evidence_hash } = hashes;
  const isSame = canonicalBytes({ inputs_hash, intents_hash, evidence_hash }).equals(canonicalBytes(predicate.inputs));
  const areTimes = predicate.approved_at === records.approved_at && predicate.received_at === records.received_at;
  return isSame && areTimes ? undefined : 'the records have other hashes than the proof';
}
