/** The steps of the flow in order, with their endpoints. */
export const FLOW = [
  { step: 'approve_plan', endpoint: 'POST /api/v1/plans/{plan_id}/approve' },
  { step: 'plan_alignment', endpoint: 'POST /api/v1/verify/plan-alignment' },
  { step: 'constraints', endpoint: 'POST /api/v1/verify/constraints' },
  { step: 'execute', endpoint: 'POST /api/v1/executions' },
  { step: 'evidence', endpoint: 'POST /api/v1/executions/{execution_id}/evidence' },
  { step: 'replay_verify', endpoint: 'POST /api/v1/executions/{execution_id}/verify' },
  { step: 'proof', endpoint: 'GET /api/v1/proofs/{proof_id}' },
] as const;
