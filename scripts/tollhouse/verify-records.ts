import { canonicalBytes } from '../../services/verification/proof/canonical-json.ts';
import type { Statement } from '../../services/verification/proof/statement.ts';
import { hashIntents } from '../../services/verification/records/record-hashes.ts';
import { jsonOf } from '../../services/verification/records/run-records.ts';
import { toQueries } from '../../services/verification/solver/pins.ts';
import { type Records, readRecords } from './read-records.ts';
import { askSolver } from './solver.ts';

/**
 * Works out again what a statement says of its records: every hash, every verdict and every question to the solver.
 * @returns what does not come out, or undefined
 */
export async function verifyRecords(statement: Statement, bytes: Uint8Array): Promise<string | undefined> {
  const records = readRecords(statement, bytes);
  return 'fault' in records ? records.fault : compareVerdicts(statement, records);
}

async function compareVerdicts({ predicate }: Statement, records: Records): Promise<string | undefined> {
  const { actions, artifacts } = records;
  const { verdicts, assurance } = await askSolver<'verify'>({
    kind: 'verify',
    plan: JSON.stringify(records.plan),
    sheets: records.sheets.map((sheet) => canonicalBytes(sheet).toString('utf8')),
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
