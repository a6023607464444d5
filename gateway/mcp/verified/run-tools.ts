import { checkConstraints, checkPlanAlignment } from '../../verified/checks.ts';
import * as examples from '../../verified/examples.ts';
import { recordExecution, submitEvidence, verifyExecution } from '../../verified/executions.ts';
import { getProof } from '../../verified/proofs.ts';
import type { VerifiedTool } from './verified-tool.ts';

const { execution_id } = examples.recordExecution.answer;

const PROPOSAL = {
  plan_id: 'The plan. Or send execution_id alone.',
  plan_hash: 'Of the plan.',
  mode: 'complete: these are all actions of the run. prefix: more may follow.',
  actions:
    'What you intend to do, in order: as in the example of svc_record_execution, without response and times. Numbers in args are strings, as the plan types them.',
  execution_id: 'Checks a recorded execution instead.',
};

const CHECK_ANSWERS =
  'check_id for svc_record_execution, result and preview. Only verdict "satisfied" with preview false admits an execution. preview true: the plan is not approved yet; check again then. Any other verdict: result.reasons says what is wrong and where, result.core which rules contradict each other.';

/** The example of each check, which differ in their keys only. */
const checkExample = (key: string) => ({ ...examples.check.requests[0], idempotency_key: key });

const RUN_ID = { execution_id: 'From svc_record_execution.' };

export const runTools: readonly VerifiedTool[] = [
  {
    name: 'svc_verify_plan_alignment',
    endpoint: checkPlanAlignment,
    use: 'Check before you act whether your actions match the approved plan: steps, tools and versions, conditions, order and counts. Role: agent.',
    args: PROPOSAL,
    example: checkExample('align-refund-A1'),
    answers: CHECK_ANSWERS,
  },
  {
    name: 'svc_verify_constraints',
    endpoint: checkConstraints,
    use: 'Check before you act whether your actions can satisfy the rules of the approved plan, for some values of the open responses and later steps. Call it after svc_verify_plan_alignment, with its arguments and a new idempotency_key. Role: agent.',
    argumentsLike: 'svc_verify_plan_alignment',
    example: checkExample('rules-refund-A1'),
    answers: 'the same as svc_verify_plan_alignment.',
  },
  {
    name: 'svc_record_execution',
    endpoint: recordExecution,
    use: 'Record what you did under an approved plan, exactly as it was: verification refutes any difference. Role: agent.',
    args: {
      plan_id: 'The approved plan.',
      plan_hash: 'Of the plan.',
      alignment_check_id:
        'check_id of a satisfied svc_verify_plan_alignment of these actions. Each admits one execution.',
      constraints_check_id: 'The same of svc_verify_constraints.',
      actions:
        'In order. response is the JSON that the tool returned. An act that failed or may have: outcome "failed" or "unknown", error, no response.',
    },
    example: { ...examples.recordExecution.request, idempotency_key: 'run-refund-A1' },
    listsExample: true,
    answers:
      'execution_id; refused: why it is refuted, if it is; actions: the action_ids, in order; evidence_required: what svc_submit_evidence must bring.',
    remedies: {
      STEP_OUT_OF_ORDER:
        'After the approval, call svc_verify_plan_alignment, then svc_verify_constraints, with these actions and new idempotency keys. Send the new check_ids, if both are satisfied.',
    },
  },
  {
    name: 'svc_submit_evidence',
    endpoint: submitEvidence,
    use: 'Submit the artifacts that support what you recorded, byte for byte, for the actions in evidence_required, until missing is empty. Before the execution is verified, a wrong artifact can be replaced. Role: agent, with a key of the group that recorded the execution.',
    args: {
      ...RUN_ID,
      artifacts: 'At most 20, 8 MiB per call. The same bytes, or equal JSON, are evidence for one action only.',
    },
    example: { execution_id, ...examples.submitEvidence.request, idempotency_key: 'evidence-refund-A1' },
    answers:
      'artifacts as stored, and missing: the evidence still required. When it is empty, call svc_verify_execution.',
  },
  {
    name: 'svc_verify_execution',
    endpoint: verifyExecution,
    use: 'Have the service compute four verdicts from the stored records: plan alignment, constraints, evidence, replay. If all are satisfied, it signs and logs a proof. A violated alignment, constraint or replay refutes it for good. Role: agent.',
    args: RUN_ID,
    example: { execution_id, ...examples.verifyExecution.request, idempotency_key: 'verify-refund-A1' },
    answers:
      'state (verified, refuted, or unchanged if evidence is missing or nothing was decided), verdicts with reasons, and proof_id (or null).',
    remedies: { STEP_OUT_OF_ORDER: 'Submit the required evidence with svc_submit_evidence first.' },
  },
  {
    name: 'svc_get_proof',
    endpoint: getProof,
    use: 'Read the proof of a verified execution: a DSSE envelope around an in-toto statement, and its place in the log. Keep the text unchanged: `tollhouse verify-proof` verifies these bytes offline. Any role.',
    args: { proof_id: 'From svc_verify_execution.' },
    example: { proof_id: examples.proof.proof_id },
    answers: 'the proof file: its plan and execution, the four verdicts, and what it does not establish.',
    remedies: {
      NOT_FOUND:
        'A proof exists only after svc_verify_execution returned state "verified". Send the proof_id that it returned.',
    },
  },
];
