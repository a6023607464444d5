import { type Static, Type } from 'typebox';
import { INSTANT_PATTERN } from '../../../workers/exact/instants.ts';
import { Document, Sha256, Uuid } from './arguments.ts';

const closed = { additionalProperties: false } as const;

export const Timestamp = Type.String({
  pattern: INSTANT_PATTERN,
  description: 'RFC 3339, UTC, with microseconds',
});
export const Count = Type.Integer({ minimum: 0 });
export const Id = Type.String({ maxLength: 64 });

const Remark = Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() }, closed);

/** The result of a check. Only `satisfied` passes. */
export const Verdict = Type.Object(
  {
    verdict: Type.String({
      enum: ['satisfied', 'violated', 'underdetermined', 'vacuous', 'indeterminate', 'invalid_input', 'engine_error'],
    }),
    question: Type.String({ enum: ['possible', 'holds'] }),
    reasons: Type.Array(Remark, { description: 'What is wrong, and where (a JSON pointer)' }),
    core: Type.Array(Type.String(), { description: 'Rules that contradict each other' }),
    engine: Type.String({ description: 'What decided: evaluator+z3, z3 or none' }),
  },
  closed,
);
export type Verdict = Static<typeof Verdict>;

export const PlanState = Type.String({
  enum: ['draft', 'approved', 'rejected', 'superseded', 'withdrawn', 'expired'],
});
export const ExecutionState = Type.String({ enum: ['recorded', 'evidence_submitted', 'verified', 'refuted'] });
const Approval = Type.Unsafe<{ by: string; at: string; expires_at: string } | null>(
  Type.Union([Type.Object({ by: Uuid, at: Timestamp, expires_at: Timestamp }, closed), Type.Null()], {
    description: 'The last approval that the plan needs; null until then',
  }),
);
/** Approvals that a plan needs, and those that it has. */
const Approvals = Type.Object(
  {
    needed: Type.Integer({ minimum: 1 }),
    given: Type.Array(Type.Object({ by: Uuid, group: Id, at: Timestamp }, closed), {
      description: 'In order. Keys of one group count as one approver',
    }),
  },
  closed,
);
const Withdrawn = Type.Object(
  { by: Uuid, at: Timestamp },
  {
    ...closed,
    description: 'The key that withdrew an approval, or that approved and was revoked, first. It ends the plan',
  },
);
export const Rejected = Type.Object(
  { by: Uuid, at: Timestamp, reason: Type.String() },
  { ...closed, description: 'The key that rejected the draft, and why. It ends the plan' },
);
const Lint = Type.Array(Remark, { description: 'What is allowed but probably a mistake' });

export const CreatePlanAnswer = Type.Object(
  {
    plan_id: Uuid,
    state: PlanState,
    plan_hash: Sha256,
    created_at: Timestamp,
    lint: Lint,
    plan: Type.Optional(
      Type.Unsafe<unknown>({ ...Document, description: 'The plan that was compiled, if plan_text was sent' }),
    ),
  },
  closed,
);

/** A plan in words. */
export const ExplainPlanAnswer = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    state: PlanState,
    markdown: Type.String({ description: 'For the person who approves: names and texts of the plan are code spans' }),
  },
  closed,
);

export const ApprovePlanAnswer = Type.Object(
  { plan_id: Uuid, state: PlanState, plan_hash: Sha256, approval: Approval, approvals: Approvals },
  closed,
);

export const WithdrawApprovalAnswer = Type.Object(
  { plan_id: Uuid, state: PlanState, plan_hash: Sha256, approvals: Approvals, withdrawn: Withdrawn },
  closed,
);

export const RejectPlanAnswer = Type.Object(
  { plan_id: Uuid, state: PlanState, plan_hash: Sha256, approvals: Approvals, rejected: Rejected },
  closed,
);

export const PlanAnswer = Type.Object(
  {
    plan_id: Uuid,
    state: PlanState,
    plan_hash: Sha256,
    created_at: Timestamp,
    lint: Lint,
    approval: Approval,
    approvals: Approvals,
    withdrawn: Type.Optional(Withdrawn),
    rejected: Type.Optional(Rejected),
    executions: Count,
    plan: Document,
  },
  closed,
);

export const CheckAnswer = Type.Object(
  {
    check_id: Uuid,
    plan_hash: Sha256,
    intents_hash: Sha256,
    result: Verdict,
    preview: Type.Boolean({
      description: 'Whether the plan was not approved yet. A preview admits no execution, whatever its verdict',
    }),
    checked_at: Timestamp,
  },
  closed,
);

/** Of an execution that was refuted when it was recorded. */
const Refused = Type.Optional(
  Type.Array(Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() }, closed), {
    description: 'Why it was refuted when it was recorded. It takes evidence and gets its verdicts, and never a proof',
  }),
);

const RequiredEvidence = Type.Object({ action_id: Uuid, kind: Id, min: Count }, closed);

export const RecordExecutionAnswer = Type.Object(
  {
    execution_id: Uuid,
    state: ExecutionState,
    refused: Refused,
    execution_hash: Sha256,
    received_at: Timestamp,
    actions: Type.Array(Type.Object({ seq: Count, action_id: Uuid }, closed)),
    evidence_required: Type.Array(RequiredEvidence),
  },
  closed,
);

export const SubmitEvidenceAnswer = Type.Object(
  {
    execution_id: Uuid,
    state: ExecutionState,
    artifacts: Type.Array(Type.Object({ artifact_id: Uuid, sha256: Sha256, size: Count }, closed)),
    missing: Type.Array(RequiredEvidence, { description: 'Evidence that is still required' }),
    unreadable: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed), {
      description: 'Artifacts from which the plan cannot read what it compares: the run would be refuted. Replace them',
    }),
  },
  closed,
);

const Solver = Type.Object(
  {
    package: Type.String({ description: 'npm package, name@version' }),
    version: Type.String({ description: 'As the solver reports it' }),
    wasm_sha256: Sha256,
    options: Type.Array(Type.String()),
    seed: Count,
    rlimit: Count,
  },
  closed,
);

const CHECKS = ['plan_alignment', 'constraints', 'evidence', 'replay'];

export const Query = Type.Object(
  { check: Type.String({ enum: CHECKS }), rlimit_used: Count, smtlib_sha256: Sha256 },
  closed,
);

export const Pins = Type.Object(
  { solver: Solver, queries: Type.Array(Query, { description: 'The queries of the solver' }) },
  closed,
);
export type Pins = Static<typeof Pins>;

export const VerifyExecutionAnswer = Type.Object(
  {
    verification_id: Uuid,
    execution_id: Uuid,
    state: ExecutionState,
    inputs_hash: Sha256,
    verdicts: Type.Object(
      { plan_alignment: Verdict, constraints: Verdict, evidence: Verdict, replay: Verdict },
      closed,
    ),
    pins: Pins,
    proof_id: Type.Union([Uuid, Type.Null()]),
  },
  closed,
);
export type VerifyExecutionAnswer = Static<typeof VerifyExecutionAnswer>;

export const ExecutionAnswer = Type.Object(
  {
    execution_id: Uuid,
    plan_id: Uuid,
    plan_hash: Sha256,
    state: ExecutionState,
    refused: Refused,
    execution_hash: Sha256,
    received_at: Timestamp,
    run: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Its number among the runs of a plan that has rules over them' }),
    ),
    actions: Type.Array(Type.Object({ seq: Count, action_id: Uuid, action: Document }, closed)),
    artifacts: Type.Array(
      Type.Object(
        {
          artifact_id: Uuid,
          action_id: Uuid,
          kind: Id,
          media_type: Type.String(),
          sha256: Sha256,
          size: Count,
          replaces: Type.Union([Uuid, Type.Null()], { description: 'The artifact that this one replaces' }),
          replaced_by: Type.Union([Uuid, Type.Null()], { description: 'Not null: this artifact no longer counts' }),
        },
        closed,
      ),
    ),
    missing: Type.Array(RequiredEvidence),
    verifications: Type.Array(Uuid),
    proof_id: Type.Union([Uuid, Type.Null()]),
  },
  closed,
);

const Flow = Type.Object({ step: Type.String(), endpoint: Type.String({ description: 'Method and path' }) }, closed);

export const StatusAnswer = Type.Object(
  {
    service: Type.String(),
    status: Type.String({ enum: ['READY', 'DEGRADED', 'NOT_READY'] }),
    api_version: Type.String(),
    policy_version: Type.String(),
    receipt_version: Type.String(),
    engine_version: Type.String(),
    verification_backend: Type.Object(
      { configured: Type.Boolean(), ready: Type.Boolean(), detail: Type.String() },
      closed,
    ),
    storage: Type.Object(
      {
        mode: Type.String({ enum: ['file', 'postgres'] }),
        durable: Type.Boolean(),
        source: Type.String({ enum: ['explicit', 'default'] }),
        single_writer_attested: Type.Boolean(),
        production_safe: Type.Boolean(),
        records: Type.Object({ plans: Count, executions: Count, proofs: Count }, closed),
      },
      closed,
    ),
    guarded_mutation_storage: Type.Object(
      {
        backend: Type.String(),
        table: Type.Union([Type.String(), Type.Null()]),
        durable: Type.Boolean(),
        tenant_bound: Type.Boolean(),
        unique_on: Type.Array(Type.String()),
        read_back_in_write_transaction: Type.Boolean(),
        rows: Count,
      },
      closed,
    ),
    revenue_writes_frozen: Type.Boolean(),
    independent_verification: Type.Object(
      {
        verdicts_accepted_from_agent: Type.Literal(false),
        computed_by: Type.String(),
        engine_version: Type.String(),
        statement: Type.String(),
      },
      closed,
    ),
    flow: Type.Array(Flow),
    mcp: Type.Object(
      {
        endpoint: Type.String(),
        transport: Type.String(),
        protocol_version: Type.String(),
        tools: Type.Array(Type.String()),
      },
      closed,
    ),
    checked_at: Timestamp,
  },
  closed,
);
export type StatusAnswer = Static<typeof StatusAnswer>;
