import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { ID_PATTERN } from '../../../workers/exact/document-parts.ts';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { Timestamp } from '../contract/answers.ts';
import { MAX_ACTIONS, Sha256, Uuid } from '../contract/arguments.ts';

const closed = { additionalProperties: false } as const;

export const RECORDS_FORMAT = 2;

/** Most parts of each kind that a plan may name. */
const MAX_SHEETS = 32;
const MAX_TOOLS = 64;
const MAX_TABLES = 64;
const MAX_APPROVALS = 8;
/** Far more than a plan has while its runs are judged together. */
const MAX_RUNS = 100_000;
const Json = Type.Unsafe<unknown>({ type: 'object' });

const RecordsFile = Type.Object(
  {
    records_format: Type.Literal(RECORDS_FORMAT),
    tenant_id: Type.String({ maxLength: 64 }),
    plan_id: Uuid,
    plan: Json,
    sheets: Type.Array(Json, { maxItems: MAX_SHEETS }),
    approved_at: Timestamp,
    execution_id: Uuid,
    proposed_intents_hash: Sha256,
    received_at: Timestamp,
    actions: Type.Array(ActionDocument, { maxItems: MAX_ACTIONS }),
    /** Those of a plan with rules over its runs that were recorded before, in order. */
    runs: Type.Optional(
      Type.Array(
        Type.Object({ execution_id: Uuid, actions: Type.Array(ActionDocument, { maxItems: MAX_ACTIONS }) }, closed),
        { maxItems: MAX_RUNS },
      ),
    ),
    artifacts: Type.Array(
      Type.Object(
        {
          artifact_id: Uuid,
          seq: Type.Integer({ minimum: 0, maximum: MAX_ACTIONS }),
          kind: Type.String({ maxLength: 64 }),
          media_type: Type.String({ maxLength: 129 }),
          bytes_base64: Type.String(),
        },
        closed,
      ),
    ),
    approvals: Type.Array(
      Type.Object({ by: Uuid, group: Type.String({ pattern: ID_PATTERN }), at: Timestamp }, closed),
      { minItems: 1, maxItems: MAX_APPROVALS },
    ),
    tools: Type.Array(Json, { maxItems: MAX_TOOLS }),
    tables: Type.Array(Type.Object({ sha256: Sha256, bytes_base64: Type.String() }, closed), { maxItems: MAX_TABLES }),
  },
  closed,
);
export type RecordsFile = Static<typeof RecordsFile>;

const recordsFile = Compile(RecordsFile);

/** Checks the shape of a records file. @returns the file, or what is wrong with it */
export function checkRecordsFile(value: unknown): RecordsFile | { readonly fault: string } {
  if (recordsFile.Check(value)) return value;
  const { path, message } = shapeFault(recordsFile.Errors(value)[1]);
  return { fault: `${path} ${message}` };
}
