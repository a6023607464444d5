import { checks } from '../../verified/checks.ts';
import { check, proof, recordExecution, submitEvidence, verifyExecution } from '../../verified/examples.ts';
import { executions } from '../../verified/executions.ts';
import { proofs } from '../../verified/proofs.ts';
import { endpointNamed } from './endpoint-named.ts';
import { ADDS, KEY, READS, type VerifiedTool } from './verified-tool.ts';

const { execution_id } = recordExecution.answer;

const NO_RUN = 'Your tenant has no such execution: send the execution_id as svc_record_execution answered it.';
const OTHER_KEY = 'This key was used for another request: send a new idempotency_key.';
const AGENT = 'Call with a key of role agent.';
const OTHER_OWNER =
  'It belongs to another key of your tenant: call with the key that began it, or with a key of its group.';
const FROZEN =
  'The operator has stopped writes that move money: nothing was stored. Wait until svc_status says that revenue_writes_frozen is false, then send the same call again.';

const PROPOSAL = {
  plan_id: 'The plan. Send plan_id, plan_hash, mode and actions together, or execution_id alone.',
  plan_hash: 'Its plan_hash.',
  mode: '"complete": these are all actions of the run. "prefix": more may follow, so minima are not demanded yet. An execution wants checks of the same actions.',
  actions:
    'What you mean to do, in order: [{step_id, tool, tool_version, args}]. Numbers are strings, as the plan types them: "80.00".',
  execution_id: 'Instead of all of these: the actions of an execution that is recorded.',
  idempotency_key: KEY.optional,
};

const CHECK_REMEDIES = {
  NOT_FOUND: 'Your tenant has no such plan or execution: send the id as it was answered.',
  PLAN_HASH_MISMATCH: 'The plan_id is of another plan than the plan_hash: take both from one answer of svc_read_plan.',
  ROLE_NOT_ALLOWED: AGENT,
  KEY_NOT_OWNER: OTHER_OWNER,
};

const CHECK_ANSWERS =
  'check_id, for svc_record_execution, result.verdict and preview. Only "satisfied" with preview false lets an execution through. preview true: the plan is not approved yet, so check again once it is. For any other verdict, result.reasons says what is wrong and where (a JSON pointer), and result.core which rules cannot hold together: change the actions, and check again.';

export const runTools: readonly VerifiedTool[] = [
  {
    name: 'svc_verify_plan_alignment',
    title: 'Check actions against the plan',
    endpoint: endpointNamed(checks, 'verified_check_plan_alignment'),
    use: 'Check, before you act, whether the actions that you mean to do are those of the approved plan: known steps, right tools and versions, conditions, order and counts. What an action says of itself is checked, not believed. Role of the key: agent.',
    args: PROPOSAL,
    example: { ...check.requests[0], idempotency_key: 'align-refund-A1' },
    answers: CHECK_ANSWERS,
    remedies: CHECK_REMEDIES,
    hints: { ...ADDS, idempotentHint: false },
  },
  {
    name: 'svc_verify_constraints',
    title: 'Check actions against the rules of the plan',
    endpoint: endpointNamed(checks, 'verified_check_constraints'),
    use: 'Check, before you act, whether the actions that you mean to do can obey the rules of the approved plan: for a proposal, whether values for what is still open (responses, steps to come) exist with which they hold. Use it after svc_verify_plan_alignment, with the same actions. Role of the key: agent.',
    args: PROPOSAL,
    example: { ...check.requests[0], idempotency_key: 'rules-refund-A1' },
    answers: CHECK_ANSWERS,
    remedies: CHECK_REMEDIES,
    hints: { ...ADDS, idempotentHint: false },
  },
  {
    name: 'svc_record_execution',
    title: 'Record what was done',
    endpoint: endpointNamed(executions, 'verified_record_execution'),
    use: 'Record what you did under an approved plan, after having done it: each action with its response and its times, as they were. Do not tidy: what differs from the proposal or from the responses is found at verification, and refutes. Role of the key: agent.',
    args: {
      plan_id: 'The approved plan.',
      plan_hash: 'Its plan_hash.',
      alignment_check_id:
        'check_id of a satisfied svc_verify_plan_alignment of these actions; each check lets one execution through.',
      constraints_check_id: 'check_id of a satisfied svc_verify_constraints of the same actions.',
      actions:
        'In order: [{step_id, tool, tool_version, args, response, started_at, ended_at}]; response is the JSON that the tool answered, times are UTC with microseconds.',
      idempotency_key: KEY.required,
    },
    example: { ...recordExecution.request, idempotency_key: 'run-refund-A1' },
    answers:
      'execution_id; actions: the action_id of each, in order; evidence_required: what svc_submit_evidence has to bring, by action_id and kind.',
    remedies: {
      STEP_OUT_OF_ORDER:
        'Both checks must be satisfied, of this plan and these actions, made after the approval, alignment before constraints, and not used before: run svc_verify_plan_alignment, then svc_verify_constraints, under new idempotency keys, and send their new check_ids.',
      KEY_NOT_OWNER: OTHER_OWNER,
      PLAN_NOT_APPROVED: 'Have the plan approved with svc_approve_plan, or propose a new one if it has expired.',
      PLAN_HASH_MISMATCH: 'Take plan_id and plan_hash from one answer of svc_read_plan.',
      EXECUTIONS_EXHAUSTED: 'The approval has been used up: a further run needs a new plan and a new approval.',
      IDENTITY_REUSED:
        'This act that moves money was recorded before: look for the execution that you recorded, and do not record it twice.',
      REVENUE_WRITES_FROZEN: FROZEN,
      NOT_FOUND: 'Your tenant has no such plan or check: send the ids as they were answered.',
      IDEMPOTENCY_KEY_REUSED: OTHER_KEY,
    },
    hints: ADDS,
  },
  {
    name: 'svc_submit_evidence',
    title: 'Submit evidence',
    endpoint: endpointNamed(executions, 'verified_submit_evidence'),
    use: 'Hand in the artifacts that bear out what was recorded, such as receipts, for the actions whose step asks for them (evidence_required of svc_record_execution): their bytes, unchanged. May be called several times until missing is empty, and until the execution is verified or refuted to replace a wrong artifact. Role of the key: agent, and the key that recorded the execution or one of its group.',
    args: {
      execution_id: 'As svc_record_execution answered it.',
      artifacts:
        'Up to 20: [{action_id, kind, media_type, sha256, bytes_base64}]; sha256 is of the bytes, in lower-case hex; 2 MiB each at most, 8 MiB for the whole call. The same bytes, or the same JSON in other words, are evidence for one action only. With replaces, the artifact_id of an earlier artifact of the execution, the new one counts in its place.',
      idempotency_key: KEY.required,
    },
    example: { execution_id, ...submitEvidence.request, idempotency_key: 'evidence-refund-A1' },
    answers:
      'artifacts as stored, and missing: the evidence that is still wanted. Go on with svc_verify_execution once it is empty.',
    remedies: {
      EVIDENCE_REJECTED:
        'The message says which artifact and why (kind, media type, size or hash): send that one as the plan asks for it.',
      EVIDENCE_REUSED: 'This artifact is evidence for another action already: hand in the artifact of this action.',
      EXECUTION_CLOSED: 'The execution was verified or refuted: nothing more is taken.',
      KEY_NOT_OWNER: OTHER_OWNER,
      NOT_FOUND: NO_RUN,
      IDEMPOTENCY_KEY_REUSED: OTHER_KEY,
    },
    hints: ADDS,
  },
  {
    name: 'svc_verify_execution',
    title: 'Verify an execution',
    endpoint: endpointNamed(executions, 'verified_verify_execution'),
    use: 'Have the service work out all four verdicts from the stored records alone: plan alignment, constraints, evidence, replay. If all are satisfied, a proof is signed and logged. A violated alignment, constraint or replay refutes the execution for good. Role of the key: agent.',
    args: { execution_id: 'As svc_record_execution answered it.', idempotency_key: KEY.required },
    example: { execution_id, ...verifyExecution.request, idempotency_key: 'verify-refund-A1' },
    answers:
      'state (verified, refuted, or as before where evidence is missing or nothing was decided), verdicts with reasons for each check, proof_id or null.',
    remedies: {
      STEP_OUT_OF_ORDER: 'Hand in the required evidence with svc_submit_evidence first.',
      KEY_NOT_OWNER: OTHER_OWNER,
      EXECUTION_CLOSED: 'It was verified or refuted before: the verdicts stand.',
      NOT_FOUND: NO_RUN,
      IDEMPOTENCY_KEY_REUSED: OTHER_KEY,
    },
    hints: ADDS,
  },
  {
    name: 'svc_get_proof',
    title: 'Read a proof',
    endpoint: endpointNamed(proofs, 'verified_get_proof'),
    use: 'Read the proof of a verified execution: a DSSE envelope around an in-toto statement, and its place in the log. Keep the text exactly as it is: `tollhouse verify-proof` verifies these bytes offline. Any role.',
    args: { proof_id: 'As svc_verify_execution answered it.' },
    example: { proof_id: proof.proof_id },
    answers:
      'the proof file. It says of which plan and execution it is, the four verdicts, and what it does not establish.',
    remedies: {
      NOT_FOUND:
        'Your tenant has no such proof: there is one only once svc_verify_execution answered state "verified" and a proof_id.',
    },
    hints: READS,
  },
];
