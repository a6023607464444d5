// Generated from the migrations by `npm run generate`.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface Tables {
  'ledger.payment_claim': {
    claim_id: string;
    network: string;
    asset: string;
    payer: string;
    pay_to: string;
    nonce: string;
    amount: bigint;
    valid_before_s: bigint;
    digest: string;
    fingerprint: string;
    offer_secret_hash: string;
    payment_identifier_hash: string | null;
    from_block: bigint | null;
    state: Generated<'executing' | 'retained' | 'settling' | 'unsent' | 'settled' | 'failed'>;
    epoch: number;
    lease_until: ColumnType<Date, Date | string, Date | string>;
    attempt: string | null;
    due_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    tries: Generated<number>;
    transaction: string | null;
    is_final: boolean | null;
    payment_response: string | null;
    created_at: ColumnType<Date, Date | string, Date | string>;
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    block_number: bigint | null;
    block_hash: string | null;
    missing_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    finalized_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    lost_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    lost_reason: string | null;
    released_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    operation: string | null;
  };
  channel: {
    channel_id: string;
    network: string;
    payer: string;
    payer_authorizer: string;
    receiver: string;
    receiver_authorizer: string;
    token: string;
    withdraw_delay_s: bigint;
    salt: string;
    first_block: bigint;
    balance: Generated<bigint>;
    total_claimed: Generated<bigint>;
    refund_nonce: Generated<bigint>;
    withdraw_amount: bigint | null;
    withdraw_requested_at_s: bigint | null;
    block_number: bigint | null;
    read_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  channel_transaction: {
    network: string;
    id: string;
    kind: 'deposit' | 'claim' | 'refund';
    request: string;
    from_block: bigint;
    transactions: string[];
    nonce: bigint | null;
    signed: string | null;
    state: 'open' | 'done' | 'refused';
    reason: string | null;
    transaction: string | null;
    amount: bigint | null;
    started_at: ColumnType<Date, Date | string | undefined, Date | string>;
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  channel_watch: {
    network: string;
    next_block: bigint;
    watched_at: ColumnType<Date, Date | string, Date | string>;
    epoch: number;
  };
  job: {
    job_id: string;
    tenant_id: string;
    idempotency_key: string;
    caller: ColumnType<unknown, string>;
    work: ColumnType<unknown, string>;
    state: Generated<'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'>;
    attempts: Generated<number>;
    spent: Generated<number>;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
    due_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    answer: string | null;
    error_code: string | null;
    error_message: string | null;
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  operator_act: {
    sequence: bigint;
    acted_at: ColumnType<Date, Date | string, Date | string>;
    operator: string;
    action: string;
    subject: string;
    reason: string;
    detail: string;
    hash: Buffer;
  };
  payment_authorization: {
    claim_id: string;
    network: string;
    valid_before_s: bigint;
    key_id: string;
    sealed: Buffer;
  };
  payment_refund: {
    claim_id: string;
    network: string;
    asset: string;
    payee: string;
    payer: string;
    amount: bigint;
    opened_at: ColumnType<Date, Date | string | undefined, Date | string>;
    transaction: string | null;
    block_number: bigint | null;
    log_index: bigint | null;
    finalized_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  retained_body: {
    day: string;
    record_id: string;
    access: 'trial' | 'payment' | 'channel';
    operation: string;
    key_id: string;
    request_body: Buffer;
    response_body: Buffer;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
    request_id: string | null;
  };
  retained_body_held: {
    record_id: string;
    day: string;
    access: 'trial' | 'payment' | 'channel';
    operation: string;
    key_id: string;
    request_body: Buffer;
    response_body: Buffer;
    created_at: ColumnType<Date, Date | string, Date | string>;
    request_id: string | null;
  };
  retention_key: {
    key_id: string;
    fingerprint: Buffer;
    recorded_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  signer_transaction: {
    network: string;
    hash: string;
    first_hash: string;
    sequence: GeneratedAlways<bigint>;
    signer: string;
    nonce: bigint;
    scheme: 'exact' | 'batch-settlement';
    signed_at: ColumnType<Date, Date | string | undefined, Date | string>;
    cost_wei: string | null;
    known_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  'verification.action': {
    tenant_id: string;
    action_id: string;
    execution_id: string;
    seq: number;
    tool: string;
    tool_folded: string;
    identity: string | null;
  };
  'verification.api_key': {
    key_id: string;
    tenant_id: string;
    role: 'agent' | 'approver' | 'reader';
    key_group: string;
    scopes: Generated<('crm.email')[]>;
    key_hash: Buffer;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
    revoked_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  };
  'verification.approval': {
    tenant_id: string;
    plan_id: string;
    plan_hash: string;
    proposed_by: string;
    approved_by: string;
    approved_at: ColumnType<Date, Date | string | undefined, Date | string>;
    executions: Generated<number>;
  };
  'verification.artifact': {
    tenant_id: string;
    artifact_id: string;
    execution_id: string;
    action_id: string;
    kind: string;
    media_type: string;
    sha256: string;
    json_sha256: string | null;
    content: Buffer;
    received_at: ColumnType<Date, Date | string | undefined, Date | string>;
    replaces: string | null;
    is_current: Generated<boolean>;
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
  'verification.execution': {
    tenant_id: string;
    execution_id: string;
    plan_id: string;
    alignment_check_id: string;
    constraints_check_id: string;
    actions: string;
    execution_hash: string;
    run: number | null;
    created_by: string;
    owner: string;
    received_at: ColumnType<Date, Date | string | undefined, Date | string>;
    state: 'recorded' | 'evidence_submitted' | 'verified' | 'refuted';
  };
  'verification.guarded_mutation': {
    tenant_id: string;
    idempotency_key: string;
    request_hash: string;
    answer: string | null;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.log_epoch': {
    epoch: number;
    suffix: string | null;
    size: bigint;
    accepted_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.log_head': {
    size: bigint;
    only_row: Generated<boolean>;
  };
  'verification.log_node': {
    level: number;
    index: bigint;
    hash: Buffer;
  };
  'verification.operator_tool': {
    name: string;
    version: string;
    name_folded: string;
    effect: 'none' | 'write' | 'revenue_write';
    identity_at: string | null;
    document: string;
    sha256: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.plan': {
    tenant_id: string;
    plan_id: string;
    document: string;
    plan_hash: string;
    lint: string;
    expires_at: ColumnType<Date, Date | string, Date | string>;
    supersedes: string | null;
    created_by: string;
    proposer_group: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
    steps_digest: GeneratedAlways<string | null>;
  };
  'verification.plan_approver': {
    tenant_id: string;
    plan_id: string;
    plan_hash: string;
    approved_by: string;
    approver_group: string;
    approved_at: ColumnType<Date, Date | string | undefined, Date | string>;
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
    is_preview: boolean;
    created_by: string;
    owner: string;
    checked_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.plan_rejection': {
    tenant_id: string;
    plan_id: string;
    rejected_by: string;
    reason: string;
    rejected_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.plan_table': {
    tenant_id: string;
    sha256: string;
    rows: number;
    content: Buffer;
    created_by: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.plan_withdrawal': {
    tenant_id: string;
    plan_id: string;
    withdrawn_by: string;
    withdrawn_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.probe': {
    value: string;
    only_row: Generated<boolean>;
  };
  'verification.proof': {
    tenant_id: string;
    proof_id: string;
    execution_id: string;
    log_index: bigint;
    file: string;
  };
  'verification.refusal': {
    tenant_id: string;
    execution_id: string;
    plan_id: string;
    reasons: string;
    refused_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.reservation': {
    tenant_id: string;
    reservation_id: string;
    plan_id: string;
    owner: string;
    run: string;
    intents_hash: string;
    counts: ColumnType<unknown, string>;
    holds_execution: Generated<boolean>;
    expires_at: ColumnType<Date, Date | string, Date | string>;
  };
  'verification.revenue_freeze': {
    is_frozen: boolean;
    changed_at: ColumnType<Date, Date | string | undefined, Date | string>;
    lock_only: Generated<boolean>;
  };
  'verification.settlement': {
    tenant_id: string;
    action_id: string;
    execution_id: string;
    seq: number;
    response: string;
    execution_hash: string;
    seen_from: number | null;
    settled_by: string;
    settled_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.sheet': {
    tenant_id: string;
    name: string;
    version: string;
    title: string;
    document: string;
    sha256: string;
    created_by: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.tenant': {
    tenant_id: string;
    name: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.tool': {
    tenant_id: string;
    name: string;
    version: string;
    name_folded: string;
    effect: 'none' | 'write' | 'revenue_write';
    identity_at: string | null;
    document: string;
    sha256: string;
    created_by: string | null;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.verification': {
    tenant_id: string;
    verification_id: string;
    execution_id: string;
    inputs_hash: string;
    answer: string;
    created_by: string;
    verified_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
  'verification.webhook_event': {
    event_id: string;
    tenant_id: string;
    type: string;
    data: string;
    created_at: ColumnType<Date, Date | string | undefined, Date | string>;
    attempts: Generated<number>;
    due_at: ColumnType<Date, Date | string | undefined, Date | string>;
  };
}
