import type { Generated, GeneratedAlways } from 'kysely';

/** What a key may do. `agent`: propose and record. `approver`: approve. `reader`: read. */
export type KeyRole = 'agent' | 'approver' | 'reader';

/** Data that a key may see in addition. `crm.email`: addresses of users. */
export const SCOPES = ['crm.email'] as const;
export type KeyScope = (typeof SCOPES)[number];

export type ExecutionState = 'recorded' | 'evidence_submitted' | 'verified' | 'refuted';

interface ToolRow {
  name: string;
  version: string;
  name_folded: string;
  effect: 'none' | 'write' | 'revenue_write';
  /** JSON pointer to the identity of an act in the response; null if it has none. */
  identity_at: string | null;
  document: string;
  sha256: string;
  created_at: Generated<Date>;
}

export interface VerificationTables {
  'verification.tenant': { tenant_id: string; name: string; created_at: Generated<Date> };
  'verification.api_key': {
    key_id: string;
    tenant_id: string;
    role: KeyRole;
    scopes: KeyScope[];
    /** Keys of one group share the records that they create. */
    key_group: string;
    key_hash: Buffer;
    created_at: Generated<Date>;
    revoked_at: Date | null;
  };
  'verification.guarded_mutation': {
    tenant_id: string;
    idempotency_key: string;
    request_hash: string;
    /** JCS of the answer; null within the transaction that applies the mutation, and once the answer is deleted. */
    answer: string | null;
    created_at: Generated<Date>;
  };
  'verification.revenue_freeze': { is_frozen: boolean; changed_at: Generated<Date>; lock_only: Generated<boolean> };
  'verification.plan': {
    tenant_id: string;
    plan_id: string;
    /** Canonical JSON (JCS), like all documents below. */
    document: string;
    plan_hash: string;
    lint: string;
    expires_at: string;
    supersedes: string | null;
    created_by: string;
    /** Group of the key that proposed it. */
    proposer_group: string;
    created_at: Generated<Date>;
    /** Of the names of its steps and tools; null for a plan of format 1. */
    steps_digest: GeneratedAlways<string | null>;
  };
  'verification.plan_approver': {
    tenant_id: string;
    plan_id: string;
    plan_hash: string;
    approved_by: string;
    approver_group: string;
    approved_at: Generated<Date>;
  };
  'verification.plan_withdrawal': {
    tenant_id: string;
    plan_id: string;
    withdrawn_by: string;
    withdrawn_at: Generated<Date>;
  };
  'verification.plan_rejection': {
    tenant_id: string;
    plan_id: string;
    rejected_by: string;
    reason: string;
    rejected_at: Generated<Date>;
  };
  'verification.operator_tool': ToolRow;
  /** `created_by`: null if the operator imported it. */
  'verification.tool': ToolRow & { tenant_id: string; created_by: string | null };
  'verification.plan_table': {
    tenant_id: string;
    sha256: string;
    rows: number;
    /** JSON lines. */
    content: Buffer;
    created_by: string;
    created_at: Generated<Date>;
  };
  'verification.limit_use': {
    tenant_id: string;
    tool_folded: string;
    /** Arguments of the tool; empty for none. */
    summed: string;
    per: string;
    per_value: string;
    within: 'hour' | 'day' | 'week';
    begins_at: Date;
    /** A decimal number. */
    used: string;
  };
  'verification.reservation': {
    tenant_id: string;
    reservation_id: string;
    plan_id: string;
    owner: string;
    run: string;
    intents_hash: string;
    /** JSON. */
    counts: string;
    holds_execution: Generated<boolean>;
    expires_at: Generated<Date>;
  };
  'verification.approval': {
    tenant_id: string;
    plan_id: string;
    plan_hash: string;
    proposed_by: string;
    approved_by: string;
    approved_at: Generated<Date>;
    executions: Generated<number>;
  };
  'verification.plan_check': {
    tenant_id: string;
    check_id: string;
    plan_id: string;
    kind: 'plan_alignment' | 'constraints';
    mode: 'prefix' | 'complete' | 'recorded';
    execution_id: string | null;
    actions: string;
    intents_hash: string;
    result: string;
    verdict: string;
    created_by: string;
    /** Group of the key that requested it. */
    owner: string;
    is_preview: boolean;
    checked_at: Generated<Date>;
  };
  'verification.execution': {
    tenant_id: string;
    execution_id: string;
    plan_id: string;
    alignment_check_id: string;
    constraints_check_id: string;
    actions: string;
    execution_hash: string;
    created_by: string;
    /** Group of the key that recorded it. */
    owner: string;
    received_at: Generated<Date>;
    state: ExecutionState;
    /** Its place among those of a plan with rules over its runs, from 1. */
    run: number | null;
  };
  'verification.action': {
    tenant_id: string;
    action_id: string;
    execution_id: string;
    seq: number;
    tool: string;
    /** Null for an action of an older record with a confusable name. */
    tool_folded: string | null;
    identity: string | null;
  };
  /** What was found out later about an action that was recorded without a response. */
  'verification.settlement': {
    tenant_id: string;
    action_id: string;
    execution_id: string;
    seq: number;
    /** JSON. */
    response: string;
    /** Hash of the actions of the execution since then. */
    execution_hash: string;
    settled_by: string;
    /** The first run of the plan that was recorded after it. */
    seen_from: number | null;
    settled_at: Generated<Date>;
  };
  /** Why an execution was refuted when it was recorded. */
  'verification.refusal': {
    tenant_id: string;
    execution_id: string;
    plan_id: string;
    /** JSON. */
    reasons: string;
    refused_at: Generated<Date>;
  };
  /** Events that the webhook has not taken yet. */
  'verification.webhook_event': {
    tenant_id: string;
    event_id: string;
    type: string;
    /** JSON. */
    data: string;
    created_at: Generated<Date>;
    attempts: Generated<number>;
    due_at: Generated<Date>;
  };
  'verification.artifact': {
    tenant_id: string;
    artifact_id: string;
    execution_id: string;
    action_id: string;
    kind: string;
    media_type: string;
    sha256: string;
    /** Digest of its JSON value; null if it is not JSON. */
    json_sha256: string | null;
    replaces: string | null;
    is_current: Generated<boolean>;
    content: Buffer;
    received_at: Generated<Date>;
  };
  'verification.verification': {
    tenant_id: string;
    verification_id: string;
    execution_id: string;
    inputs_hash: string;
    answer: string;
    created_by: string;
    verified_at: Generated<Date>;
  };
  'verification.proof': {
    tenant_id: string;
    proof_id: string;
    execution_id: string;
    log_index: bigint;
    file: string;
  };
  'verification.crm_user': {
    tenant_id: string;
    user_id: string;
    name: string;
    email: string | null;
    active: boolean;
    name_folded: string;
    email_folded: string | null;
  };
  'verification.sheet': {
    tenant_id: string;
    name: string;
    version: string;
    title: string;
    document: string;
    sha256: string;
    created_by: string;
    created_at: Generated<Date>;
  };
  'verification.log_node': { level: number; index: bigint; hash: Buffer };
  'verification.log_head': { size: bigint; only_row: Generated<boolean> };
  /** The epochs of the database in which the log may be signed. With a suffix, it continues under another name. */
  'verification.log_epoch': { epoch: number; suffix: string | null; size: bigint; accepted_at: Generated<Date> };
  'verification.probe': { value: string; only_row: Generated<boolean> };
}
