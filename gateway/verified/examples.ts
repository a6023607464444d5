import type { StatusAnswer } from '../../services/verification/contract/answers.ts';
import { PAYLOAD_TYPE, type ProofFile } from '../../services/verification/contract/proof-file.ts';
import { TOOL_NAMES } from '../../services/verification/contract/tools.ts';
import { REFUND, REFUND_SHA256 } from './catalogue-examples.ts';

/** One refund, from its plan to its proof: the examples of the documents. */

export const PLAN_ID = '019aa5d4-7c00-7000-8000-000000000001';
const CHECK_ID = '019aa5d4-7c00-7000-8000-000000000002';
const OTHER_CHECK_ID = '019aa5d4-7c00-7000-8000-000000000003';
const EXECUTION_ID = '019aa5d4-7c00-7000-8000-000000000004';
export const LOOK_ID = '019aa5d4-7c00-7000-8000-000000000005';
const PAY_ID = '019aa5d4-7c00-7000-8000-000000000006';
const ARTIFACT_ID = '019aa5d4-7c00-7000-8000-000000000007';
const VERIFICATION_ID = '019aa5d4-7c00-7000-8000-000000000008';
const PROOF_ID = '019aa5d4-7c00-7000-8000-000000000009';
const KEY_ID = '019aa5d4-7c00-7000-8000-00000000000a';
const JOB_ID = '019aa5d4-7c00-7000-8000-00000000000b';

export const hash = (digit: string): string => digit.repeat(64);

export const PLAN = {
  plan_format: 2,
  title: 'Refund order A1',
  expires_at: '2099-12-31T00:00:00.000000Z',
  max_executions: 1,
  max_recorded: 1,
  supersedes: null,
  approvals: 1,
  variables: { cap: { type: 'decimal', scale: 2, value: '100.00' } },
  tables: {},
  state: { refundable: { type: 'decimal', scale: 2, initial: '80.00' } },
  tools: [
    {
      name: 'order.get',
      version: '1.0.0',
      effect: 'none',
      replay: 'recorded',
      args: { order: { type: 'string', max: 64 } },
      responds: { total: { type: 'decimal', scale: 2, at: '/total' } },
      effects: {},
      observe: {},
      identity: null,
      post: [],
    },
    { name: REFUND.name, version: REFUND.version, sha256: REFUND_SHA256 },
  ],
  steps: [
    {
      step_id: 'look',
      tool: 'order.get@1.0.0',
      where: [{ id: 'order', expr: ['=', ['arg', 'order'], ['str', 'A1']] }],
      after: [],
      effects: {},
      min: 1,
      max: 1,
      evidence: [],
    },
    {
      step_id: 'pay',
      tool: 'pay.refund@2.1.0',
      where: [
        { id: 'order', expr: ['=', ['arg', 'order'], ['str', 'A1']] },
        { id: 'positive', expr: ['>', ['arg', 'amount'], ['dec', '0.00']] },
      ],
      after: [{ step: 'look', at_least: 1 }],
      effects: {},
      min: 1,
      max: 2,
      evidence: [
        {
          kind: 'receipt',
          media_types: ['application/json'],
          max_bytes: 65536,
          min: 1,
          max: 1,
          reads: { amount: { type: 'decimal', scale: 2, at: '/amount' }, id: { type: 'string', max: 64, at: '/id' } },
          binds: [
            { id: 'amount', expr: ['=', ['ev', 'amount'], ['arg', 'amount']] },
            { id: 'id', expr: ['=', ['ev', 'id'], ['resp', 'id']] },
          ],
        },
      ],
    },
  ],
  constraints: [
    { id: 'cap', expr: ['<=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['var', 'cap']] },
    { id: 'whole', expr: ['=', ['final', 'refundable'], ['dec', '0.00']] },
  ],
  sheets: [],
};

export const [LOOK, PAY] = [
  { step_id: 'look', tool: 'order.get', tool_version: '1.0.0', args: { order: 'A1' } },
  { step_id: 'pay', tool: 'pay.refund', tool_version: '2.1.0', args: { order: 'A1', amount: '80.00' } },
] as const;

export const SATISFIED = { verdict: 'satisfied', question: 'holds', reasons: [], core: [], engine: 'evaluator+z3' };
const PINS = {
  solver: {
    package: 'z3-solver@5.2.0',
    version: 'Z3 5.1.0.0',
    wasm_sha256: hash('8'),
    options: ['solver=smt', 'arith.solver=2', 'memory_max_size=1024'],
    seed: 0,
    rlimit: 200000,
  },
  queries: [{ check: 'constraints', rlimit_used: 1234, smtlib_sha256: hash('9') }],
};
const EVIDENCE_WANTED = [{ action_id: PAY_ID, kind: 'receipt', min: 1 }];
const APPROVAL = { by: KEY_ID, at: '2026-11-21T12:00:00.000000Z', expires_at: PLAN.expires_at };
const APPROVALS = { needed: 1, given: [{ by: KEY_ID, group: KEY_ID, at: APPROVAL.at }] };

/** The catalogue does not describe the amounts of the refund. */
const LINT = [
  {
    code: 'AMOUNT_NOT_DESCRIBED',
    path: '/steps/1/where',
    message: 'nothing says what money pay.refund@2.1.0 moves: describe it in the catalogue, with amounts',
  },
];

export const createPlan = {
  request: { plan: PLAN },
  answer: {
    plan_id: PLAN_ID,
    state: 'draft',
    plan_hash: hash('1'),
    created_at: '2026-11-21T11:59:00.000000Z',
    lint: LINT,
  },
};

export const approvePlan = {
  request: { plan_hash: hash('1') },
  answer: { plan_id: PLAN_ID, state: 'approved', plan_hash: hash('1'), approval: APPROVAL, approvals: APPROVALS },
};

export const withdrawApproval = {
  request: approvePlan.request,
  answer: {
    plan_id: PLAN_ID,
    state: 'withdrawn',
    plan_hash: hash('1'),
    approvals: APPROVALS,
    withdrawn: { by: APPROVAL.by, at: '2026-11-21T12:30:00.000000Z' },
  },
};

export const rejectPlan = {
  request: { plan_hash: hash('1'), reason: 'The order was refunded by phone' },
  answer: {
    plan_id: PLAN_ID,
    state: 'rejected',
    plan_hash: hash('1'),
    approvals: { needed: 1, given: [] },
    rejected: { by: KEY_ID, at: '2026-11-21T12:00:00.000000Z', reason: 'The order was refunded by phone' },
  },
};

export const plan = {
  ...createPlan.answer,
  state: 'approved',
  approval: APPROVAL,
  approvals: APPROVALS,
  executions: 0,
  plan: PLAN,
};

export const check = {
  requests: [
    { plan_id: PLAN_ID, plan_hash: hash('1'), mode: 'complete', actions: [LOOK, PAY] },
    { execution_id: EXECUTION_ID },
  ],
  answer: {
    check_id: CHECK_ID,
    plan_hash: hash('1'),
    intents_hash: hash('2'),
    result: { ...SATISFIED, question: 'possible' },
    preview: false,
    checked_at: '2026-11-21T12:00:01.000000Z',
  },
};

/** Of a proposal it is asked whether responses exist with which the rules hold. */
export const constraintsCheck = {
  ...check.answer,
  check_id: OTHER_CHECK_ID,
  result: { ...SATISFIED, question: 'possible', engine: 'z3' },
  checked_at: '2026-11-21T12:00:01.500000Z',
};

export const LOOK_DONE = {
  ...LOOK,
  response: { total: '80.00' },
  started_at: '2026-11-21T12:00:02.000000Z',
  ended_at: '2026-11-21T12:00:02.100000Z',
};
const PAY_DONE = {
  ...PAY,
  response: { id: 'r1', left: '0.00' },
  started_at: '2026-11-21T12:00:03.000000Z',
  ended_at: '2026-11-21T12:00:03.900000Z',
};

export const recordExecution = {
  request: {
    plan_id: PLAN_ID,
    plan_hash: hash('1'),
    alignment_check_id: CHECK_ID,
    constraints_check_id: OTHER_CHECK_ID,
    actions: [LOOK_DONE, PAY_DONE],
  },
  answer: {
    execution_id: EXECUTION_ID,
    state: 'recorded',
    execution_hash: hash('3'),
    received_at: '2026-11-21T12:00:05.000000Z',
    actions: [
      { seq: 0, action_id: LOOK_ID },
      { seq: 1, action_id: PAY_ID },
    ],
    evidence_required: EVIDENCE_WANTED,
  },
};

const WRONG_ARTIFACT_ID = '019aa5d4-7c00-7000-8000-00000000000d';
const RECEIPT_SHA256 = 'ee2cb3ed3744a1a461e91d7524ac7899dfe74cadb2a148366f5e15b1c89045f9';

const RECEIPT = {
  action_id: PAY_ID,
  kind: 'receipt',
  media_type: 'application/json',
  sha256: RECEIPT_SHA256,
  bytes_base64: 'eyJhbW91bnQiOiI4MC4wMCIsImlkIjoicjEifQ==',
};

export const submitEvidence = {
  request: { artifacts: [RECEIPT] },
  /** In the place of a wrong receipt. */
  replacement: { artifacts: [{ ...RECEIPT, replaces: WRONG_ARTIFACT_ID }] },
  answer: {
    execution_id: EXECUTION_ID,
    state: 'evidence_submitted',
    artifacts: [{ artifact_id: ARTIFACT_ID, sha256: RECEIPT_SHA256, size: 28 }],
    missing: [],
    unreadable: [],
  },
};

export const verifyExecution = {
  request: {},
  answer: {
    verification_id: VERIFICATION_ID,
    execution_id: EXECUTION_ID,
    state: 'verified',
    inputs_hash: hash('4'),
    verdicts: {
      plan_alignment: SATISFIED,
      constraints: SATISFIED,
      evidence: SATISFIED,
      replay: SATISFIED,
    },
    pins: PINS,
    proof_id: PROOF_ID,
  },
};

export const execution = {
  execution_id: EXECUTION_ID,
  plan_id: PLAN_ID,
  plan_hash: hash('1'),
  state: 'verified',
  execution_hash: hash('3'),
  received_at: '2026-11-21T12:00:05.000000Z',
  actions: [
    { seq: 0, action_id: LOOK_ID, action: LOOK_DONE },
    { seq: 1, action_id: PAY_ID, action: PAY_DONE },
  ],
  artifacts: [
    {
      artifact_id: ARTIFACT_ID,
      action_id: PAY_ID,
      kind: 'receipt',
      media_type: 'application/json',
      sha256: RECEIPT_SHA256,
      size: 28,
      replaces: null,
      replaced_by: null,
    },
  ],
  missing: [],
  verifications: [VERIFICATION_ID],
  proof_id: PROOF_ID,
};

export const job = {
  job_id: JOB_ID,
  state: 'succeeded',
  attempts: 1,
  created_at: '2026-11-21T12:00:06.000000Z',
  ended_at: '2026-11-21T12:00:06.500000Z',
  answer: verifyExecution.answer,
  error: null,
};

export const records = {
  records_format: 2,
  tenant_id: '019aa5d4-7c00-7000-8000-00000000000c',
  plan_id: PLAN_ID,
  plan: PLAN,
  sheets: [],
  approved_at: APPROVAL.at,
  execution_id: EXECUTION_ID,
  proposed_intents_hash: hash('2'),
  received_at: '2026-11-21T12:00:05.000000Z',
  actions: [LOOK_DONE, PAY_DONE],
  artifacts: [
    {
      artifact_id: ARTIFACT_ID,
      seq: 1,
      kind: 'receipt',
      media_type: 'application/json',
      bytes_base64: 'eyJhbW91bnQiOiI4MC4wMCIsImlkIjoicjEifQ==',
    },
  ],
  approvals: [{ by: KEY_ID, group: KEY_ID, at: APPROVAL.at }],
  tools: [REFUND],
  tables: [],
};

export const proof: ProofFile = {
  proof_id: PROOF_ID,
  envelope: {
    payloadType: PAYLOAD_TYPE,
    payload: 'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJwcmVkaWNhdGUiOi4uLn0=',
    signatures: [{ keyid: hash('5'), sig: `${'A'.repeat(86)}==` }],
  },
  log: {
    origin: 'tollhouse/proofs',
    index: 0,
    tree_size: 1,
    inclusion: [],
    checkpoint: `tollhouse/proofs\n1\n${'A'.repeat(43)}=\n\n— tollhouse/proofs ${'A'.repeat(88)}\n`,
  },
};

export const logKeys = {
  keys: [
    { use: 'issuer', keyid: hash('5'), algorithm: 'Ed25519', public_key: `MCowBQYDK2VwAyEA${'A'.repeat(43)}=` },
    {
      use: 'log',
      origin: 'tollhouse/proofs',
      keyid: hash('6'),
      algorithm: 'Ed25519',
      public_key: `MCowBQYDK2VwAyEA${'B'.repeat(43)}=`,
    },
  ],
};

export const status: StatusAnswer = {
  service: 'tollhouse-verified-execution',
  status: 'READY',
  api_version: '1.0.0',
  policy_version: 'tollhouse-verified-execution-1.0.0',
  receipt_version: 'tollhouse-proof-receipt-1.1.0',
  engine_version: 'tollhouse-one-independent-verification-1.6.0',
  verification_backend: { configured: true, ready: true, detail: 'Z3 5.1.0.0 of z3-solver 5.2.0 solves' },
  storage: {
    mode: 'file',
    durable: true,
    source: 'explicit',
    single_writer_attested: true,
    production_safe: false,
    records: { plans: 1, executions: 1, proofs: 1 },
  },
  guarded_mutation_storage: {
    backend: 'file',
    table: 'guarded_mutation',
    durable: true,
    tenant_bound: true,
    unique_on: ['tenant_id', 'idempotency_key'],
    read_back_in_write_transaction: true,
    rows: 5,
  },
  revenue_writes_frozen: false,
  independent_verification: {
    verdicts_accepted_from_agent: false,
    computed_by: 'services/verification',
    engine_version: 'tollhouse-one-independent-verification-1.6.0',
    statement:
      'Plan alignment, constraints, evidence and replay are worked out again from the stored plan, actions and artifacts.',
  },
  flow: [{ step: 'approve_plan', endpoint: 'POST /api/v1/plans/{plan_id}/approve' }],
  mcp: { endpoint: '/api/v1/mcp', transport: 'http-json-rpc', protocol_version: '2025-06-18', tools: [...TOOL_NAMES] },
  checked_at: '2026-11-21T12:00:00.000000Z',
};
