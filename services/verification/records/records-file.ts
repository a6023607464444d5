import { defined } from '../../../workers/exact/defined.ts';
import { canonicalBytes } from '../proof/digests.ts';
import { RECORDS_FORMAT } from './read-records-file.ts';
import type { WholeRecords } from './run-records.ts';

/**
 * Everything that a verification reads, as one file in canonical form. With it and a proof, anyone can work out every
 * hash and every verdict again, without this service. A hash covers every part of the file. Tables are in base64: their
 * hash is that of their bytes.
 */
export function encodeRecordsFile(records: WholeRecords, tenantId: string): Buffer {
  const { plan, parts, execution, actions, artifacts, contents, runs } = records;
  const { tables = [] } = parts;
  const bytes = new Map(contents.map(({ artifact_id, content }) => [artifact_id, content.toString('base64')]));
  return canonicalBytes({
    records_format: RECORDS_FORMAT,
    tenant_id: tenantId,
    plan_id: plan.plan_id,
    plan: JSON.parse(plan.document),
    sheets: plan.sheets.map((sheet) => JSON.parse(sheet)),
    approvals: plan.approvals,
    tools: plan.tools.map((tool) => JSON.parse(tool)),
    tables: tables.map(({ sha256, text }) => ({ sha256, bytes_base64: Buffer.from(text).toString('base64') })),
    approved_at: plan.approved_at,
    execution_id: execution.execution_id,
    proposed_intents_hash: execution.intents_hash,
    received_at: execution.received_at,
    actions,
    ...(runs === undefined ? {} : { runs }),
    artifacts: artifacts.map(({ artifact_id, seq, kind, media_type }) => ({
      artifact_id,
      seq,
      kind,
      media_type,
      bytes_base64: defined(bytes.get(artifact_id)),
    })),
  });
}
