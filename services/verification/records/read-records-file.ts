import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { Timestamp } from '../contract/answers.ts';
import { MAX_ACTIONS, Sha256, Uuid } from '../contract/arguments.ts';

const closed = { additionalProperties: false } as const;

/** Maximum of sheets that a plan may use. */
const MAX_SHEETS = 32;

const RecordsFile = Type.Object(
  {
    records_format: Type.Literal(1),
    tenant_id: Type.String({ maxLength: 64 }),
    plan_id: Uuid,
    plan: Type.Unsafe<unknown>({ type: 'object' }),
    sheets: Type.Array(Type.Unsafe<unknown>({ type: 'object' }), { maxItems: MAX_SHEETS }),
    approved_at: Timestamp,
    execution_id: Uuid,
    proposed_intents_hash: Sha256,
    received_at: Timestamp,
    actions: Type.Array(ActionDocument, { maxItems: MAX_ACTIONS }),
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
