import { type Static, Type } from 'typebox';
import { IntentDocument, ReportedAction } from '../../../workers/exact/action-schema.ts';
import { MAX_RUN_ACTIONS } from '../../../workers/exact/plan-schema.ts';
import { SHA256_PATTERN, UUID_V7_PATTERN } from '../../platform/patterns.ts';

const closed = { additionalProperties: false } as const;

/** Arguments of the flow's operations: bodies over HTTP, arguments of tools. */

/** Most actions of a run. */
export const MAX_ACTIONS = MAX_RUN_ACTIONS;
export const MAX_ARTIFACTS = 500;
/** Most artifacts of an execution that count. Its proof names each of them. */
export const MAX_COUNTED_ARTIFACTS = 4096;
export const MAX_ARTIFACT_BYTES = 2 * 1024 * 1024;
/** Most bytes of the artifacts that count and of the plan's tables: the records of an execution fit into one message. */
export const MAX_EVIDENCE_BYTES = 24 * 1024 * 1024;
/** Most bytes of all artifacts of an execution, replaced ones included. */
export const MAX_KEPT_EVIDENCE_BYTES = 4 * MAX_EVIDENCE_BYTES;

/** The longest time after a plan's expiry in which an execution can be recorded. */
export const MAX_EXPIRY_GRACE_MS = 86_400_000;

/** An idempotency key: printable ASCII, chosen by the caller. */
export const IDEMPOTENCY_KEY = '^[!-~]{1,255}$';

export const Uuid = Type.String({
  pattern: UUID_V7_PATTERN,
  description: 'UUIDv7',
});
export const Sha256 = Type.String({ pattern: SHA256_PATTERN, description: 'SHA-256 in lower-case hex' });

const Intents = Type.Array(IntentDocument, {
  maxItems: MAX_ACTIONS,
  description: 'In the order of execution',
});

/** A JSON object whose structure is described elsewhere. */
export const Document = Type.Unsafe<unknown>({ type: 'object', additionalProperties: true });

/** Most characters of the text of a plan. It has at most four bytes for each, and 256 KiB in all. */
const MAX_PLAN_TEXT = 256 * 1024;
const MAX_TABLES = 64;

export const PlanTextArguments = Type.Object(
  {
    plan_text: Type.String({
      maxLength: MAX_PLAN_TEXT,
      description:
        'A plan in its text form: YAML with expressions in CEL. It is compiled, and only the result is stored',
    }),
    tables: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{1,128}$' }), Sha256, {
        maxProperties: MAX_TABLES,
        description: 'For each file that the text names for a table: the sha256 of the uploaded table',
      }),
    ),
  },
  closed,
);
export type PlanTextArguments = Static<typeof PlanTextArguments>;

/** A plan in canonical form, or its text. */
export const CreatePlanArguments = Type.Union([
  Type.Object({ plan: Type.Unsafe<unknown>({ ...Document, description: 'A plan, plan_format 2' }) }, closed),
  PlanTextArguments,
]);

export const ApprovalArguments = Type.Object({ plan_hash: Sha256 }, closed);

/** Characters that end a line, are not shown, or turn the direction of what follows. */
const NOT_IN_LINE = '\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';

export const RejectionArguments = Type.Object(
  {
    plan_hash: Sha256,
    reason: Type.String({
      pattern: `^(?!\\s*$)[^${NOT_IN_LINE}]{1,500}$`,
      description: 'For people: one line of 1 to 500 characters',
    }),
  },
  closed,
);
export type RejectionArguments = Static<typeof RejectionArguments>;

export const ProposalArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    mode: Type.String({
      enum: ['prefix', 'complete'],
      description: 'prefix: more actions may follow; complete: these are all',
    }),
    actions: Intents,
  },
  closed,
);
export type ProposalArguments = Static<typeof ProposalArguments>;

export const RunArguments = Type.Object({ execution_id: Uuid }, closed);

/** Proposed actions, or the actions of an execution. */
export const CheckArguments = Type.Union([ProposalArguments, RunArguments]);
export type CheckArguments = Static<typeof CheckArguments>;

export const RecordExecutionArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    alignment_check_id: Uuid,
    constraints_check_id: Uuid,
    actions: Type.Array(ReportedAction, { minItems: 1, maxItems: MAX_ACTIONS }),
  },
  closed,
);
export type RecordExecutionArguments = Static<typeof RecordExecutionArguments>;

const ArtifactDocument = Type.Object(
  {
    action_id: Uuid,
    kind: Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' }),
    media_type: Type.String({ maxLength: 129 }),
    sha256: Sha256,
    bytes_base64: Type.String({ description: 'Padded base64 (RFC 4648, section 4) of at most 2 MiB' }),
    replaces: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'artifact_id of the same execution that this artifact replaces',
      }),
    ),
  },
  closed,
);
export type ArtifactDocument = Static<typeof ArtifactDocument>;

export const SubmitEvidenceArguments = Type.Object(
  {
    artifacts: Type.Array(ArtifactDocument, { maxItems: MAX_ARTIFACTS }),
    settled: Type.Optional(
      Type.Array(Type.Object({ action_id: Uuid, response: Type.Unknown() }, closed), {
        minItems: 1,
        maxItems: MAX_ACTIONS,
        description: 'Actions recorded as failed or unknown that turned out to be done',
      }),
    ),
  },
  closed,
);
export type SubmitEvidenceArguments = Static<typeof SubmitEvidenceArguments>;

/** What was done under a plan, and the evidence of it: everything that the steps from the first check to the verification take. */
export const ReportRunArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    actions: Type.Array(ReportedAction, { minItems: 1, maxItems: MAX_ACTIONS }),
    artifacts: Type.Array(
      Type.Object(
        {
          action: Type.Integer({ minimum: 0, description: 'Index of the action that it is evidence for, from 0' }),
          kind: ArtifactDocument.properties.kind,
          media_type: ArtifactDocument.properties.media_type,
          sha256: Sha256,
          bytes_base64: ArtifactDocument.properties.bytes_base64,
        },
        closed,
      ),
      { maxItems: MAX_ARTIFACTS },
    ),
  },
  closed,
);

export const VerifyExecutionArguments = Type.Object({}, closed);
