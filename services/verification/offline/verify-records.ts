import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Statement } from '../contract/proof/statement.ts';
import { VERSIONS } from '../contract/versions.ts';
import { canonicalBytes } from '../proof/digests.ts';
import { jsonOf } from '../records/evidence-json.ts';
import { hashIntents, runsFact } from '../records/record-hashes.ts';
import { toQueries } from '../solver/pins.ts';
import { type Records, readRecords } from './read-records.ts';
import { askSolver } from './solver.ts';

export type RecordsOutcome =
  /** Every hash and every verdict is the same. */
  | { readonly outcome: 'confirmed' }
  /** Every hash is the same. The verdicts were made by an engine, or with a pure tool, that this version cannot run. */
  | { readonly outcome: 'engine_unknown'; readonly engine: string }
  /** The records have the form of another release. */
  | { readonly outcome: 'format_unknown'; readonly fault: string }
  | { readonly outcome: 'refuted'; readonly fault: string };

/**
 * Works out again what a statement says about its records: every hash and, if this version has the engine that the
 * statement names, every verdict and every query to the solver.
 */
export async function verifyRecords(statement: Statement, bytes: Uint8Array): Promise<RecordsOutcome> {
  const records = readRecords(statement, bytes);
  const { engine } = statement.predicate.versions;
  const isOfOther = engine !== VERSIONS.engine;
  if ('fault' in records) {
    return { outcome: isOfOther && records.isOtherFormat ? 'format_unknown' : 'refuted', fault: records.fault };
  }
  // Another engine may send other queries to the solver, so neither its verdicts nor the hashes of its queries can be compared.
  if (isOfOther) return { outcome: 'engine_unknown', engine };
  return compareVerdicts(statement, records);
}

const refuted = (fault: string): RecordsOutcome => ({ outcome: 'refuted', fault });

async function compareVerdicts({ predicate }: Statement, records: Records): Promise<RecordsOutcome> {
  const { actions, artifacts, approvals, tools, tables } = records;
  const { verdicts, assurance } = await askSolver<'verify'>({
    kind: 'verify',
    plan: JSON.stringify(records.plan),
    sheets: records.sheets.map(canonicalText),
    tools: tools.map(canonicalText),
    tables: tables.map(({ sha256, content }) => ({ sha256, text: content.toString('utf8') })),
    actions: JSON.stringify(actions),
    ...runsFact(records.runs),
    artifacts: artifacts.map(({ seq, kind, content }) => ({ action: seq, kind, ...jsonOf(content) })),
    runContext: {
      approvedAt: records.approved_at,
      receivedAt: records.received_at,
      proposedIntents: records.proposed_intents_hash,
      recordedIntents: hashIntents(actions),
      approvals: approvals.map(({ at, group }) => ({ at, group })),
    },
  });
  for (const [check, { verdict, reasons }] of Object.entries(verdicts)) {
    const replaced = reasons.find(({ code }) => code === 'TOOL_REPLACED');
    if (replaced !== undefined) return { outcome: 'engine_unknown', engine: toolAt(replaced.path, records) };
    if (verdict !== 'satisfied') return refuted(`${check} comes out as ${verdict}`);
  }
  const queries = Object.entries(verdicts).flatMap(([check, judgement]) => toQueries(check, judgement));
  if (!canonicalBytes(queries).equals(canonicalBytes(predicate.pins.queries))) {
    return refuted('the solver was asked other questions');
  }
  const isSame = canonicalBytes(assurance).equals(canonicalBytes(predicate.assurance));
  return isSame ? { outcome: 'confirmed' } : refuted('the assurance is another');
}

/** The tool of the action that a path leads to. */
function toolAt(path: string, { actions }: Records): string {
  const { tool, tool_version } = defined(actions[Number(path.split('/')[2])]);
  return `${tool}@${tool_version}`;
}
