import { StrictJsonError } from '../../services/shared/strict-json.ts';
import { decodeBase64 } from '../../services/verification/proof/base64.ts';
import { canonicalBytes, isCanonicalOf, parseRecord } from '../../services/verification/proof/canonical-json.ts';
import { digestBytes } from '../../services/verification/proof/digests.ts';
import type { Statement } from '../../services/verification/proof/statement.ts';
import { checkRecordsFile, type RecordsFile } from '../../services/verification/records/read-records-file.ts';
import { hashIntents, hashRecords, type RecordedAction } from '../../services/verification/records/record-hashes.ts';
import { jsonOf } from '../../services/verification/records/run-records.ts';
import { toQueries } from '../../services/verification/solver/pins.ts';
import { askSolver } from './solver.ts';

const MAX_RECORDS_BYTES = 1024 * 1024 * 1024;

/**
 * Works out again what a statement says of its records: every hash, every verdict and every question to the solver.
 * @returns what does not come out, or undefined
 */
export async function verifyRecords(statement: Statement, bytes: Uint8Array): Promise<string | undefined> {
  const records = readRecords(bytes);
  if ('fault' in records) return `the records cannot be read: ${records.fault}`;
  const artifacts = records.artifacts.map((artifact) => ({
    ...artifact,
    content: decodeBase64(artifact.bytes_base64),
    seq: records.actions.findIndex(({ action_id }) => action_id === artifact.action_id),
  }));
  if (artifacts.some(({ content, seq }) => content === undefined || seq < 0)) {
    return 'the records have an artifact of no action, or no canonical base64';
  }
  const contents = artifacts.map((artifact) => ({ ...artifact, content: artifact.content ?? Buffer.of() }));
  const fault = compareHashes(statement, records, contents);
  return fault ?? (await compareVerdicts(statement, records, contents));
}

type Artifact = RecordsFile['artifacts'][number] & { readonly content: Buffer; readonly seq: number };

function readRecords(bytes: Uint8Array): RecordsFile | { readonly fault: string } {
  try {
    const value = parseRecord(bytes, MAX_RECORDS_BYTES);
    return isCanonicalOf(bytes, value) ? checkRecordsFile(value) : { fault: 'they are not in canonical form' };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { fault: error.message };
  }
}

const actionsOf = ({ actions }: RecordsFile): readonly RecordedAction[] =>
  actions.map(({ action_id: _, ...action }) => action);

function compareHashes(
  { subject, predicate }: Statement,
  records: RecordsFile,
  artifacts: readonly Artifact[],
): string | undefined {
  const hashes = hashRecords({
    plan: records.plan,
    actions: actionsOf(records),
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
  if (named.length !== expected.size) return 'the records hold what the proof does not name';
  if (!subject.some(({ name }) => name === `tenant/${records.tenant_id}`)) return 'the records are of another tenant';
  const { inputs_hash, intents_hash, evidence_hash } = hashes;
  const isSame = canonicalBytes({ inputs_hash, intents_hash, evidence_hash }).equals(canonicalBytes(predicate.inputs));
  const areTimes = predicate.approved_at === records.approved_at && predicate.received_at === records.received_at;
  return isSame && areTimes ? undefined : 'the records have other hashes than the proof';
}

async function compareVerdicts(
  { predicate }: Statement,
  records: RecordsFile,
  artifacts: readonly Artifact[],
): Promise<string | undefined> {
  const actions = actionsOf(records);
  const { verdicts, assurance } = await askSolver<'verify'>({
    kind: 'verify',
    plan: JSON.stringify(records.plan),
    actions: JSON.stringify(actions),
    artifacts: artifacts.map(({ seq, kind, content }) => ({ action: seq, kind, ...jsonOf(content) })),
    circumstances: {
      approvedAt: records.approved_at,
      receivedAt: records.received_at,
      proposedIntents: records.proposed_intents_hash,
      recordedIntents: hashIntents(actions),
    },
  });
  for (const [check, { verdict }] of Object.entries(verdicts)) {
    if (verdict !== 'satisfied') return `${check} comes out as ${verdict}`;
  }
  const queries = Object.entries(verdicts).flatMap(([check, judgement]) => toQueries(check, judgement));
  if (!canonicalBytes(queries).equals(canonicalBytes(predicate.pins.queries))) {
    return 'the solver was asked something else';
  }
  return canonicalBytes(assurance).equals(canonicalBytes(predicate.assurance)) ? undefined : 'the assurance is another';
}
