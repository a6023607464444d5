import { defined } from '../../../workers/exact/defined.ts';
import { canonicalBytes } from '../proof/canonical-json.ts';
import type { WholeRecords } from './run-records.ts';
import { readPlanDocument } from './stored-documents.ts';

/**
 * Everything that a verification reads, as one file in canonical form. With it and a proof, anyone can work out every
 * hash and every verdict again, without this service. A hash covers every part of the file. A plan of format 1 has
 * records of format 1, as before.
 */
export function encodeRecordsFile(records: WholeRecords, tenantId: string): Buffer {
  const { plan, execution, actions, artifacts, contents } = records;
  const { plan_format: format } = readPlanDocument(plan);
  const bytes = new Map(contents.map(({ artifact_id, content }) => [artifact_id, content.toString('base64')]));
  return canonicalBytes({
    records_format: format,
    tenant_id: tenantId,
    plan_id: plan.plan_id,
    plan: JSON.parse(plan.document),
    sheets: plan.sheets.map((sheet) => JSON.parse(sheet)),
    ...(format === 1 ? {} : partsOf(records)),
    approved_at: plan.approved_at,
    execution_id: execution.execution_id,
    proposed_intents_hash: execution.intents_hash,
    received_at: execution.received_at,
    actions,
    artifacts: artifacts.map(({ artifact_id, seq, kind, media_type }) => ({
      artifact_id,
      seq,
      kind,
      media_type,
      bytes_base64: defined(bytes.get(artifact_id)),
    })),
  });
}

/** What records of format 2 have besides. Tables are in base64: their hash is that of their bytes. */
function partsOf({ plan, parts }: WholeRecords) {
  const { tables = [] } = parts;
  return {
    approvals: plan.approvals,
    tools: plan.tools.map((tool) => JSON.parse(tool)),
    tables: tables.map(({ sha256, text }) => ({ sha256, bytes_base64: Buffer.from(text).toString('base64') })),
  };
}
