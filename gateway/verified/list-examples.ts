import type {
  ListExecutionsAnswer,
  ListPlansAnswer,
  ListProofsAnswer,
} from '../../services/verification/contract/lists.ts';
import { createPlan, execution, PLAN, verifyExecution } from './examples.ts';

export const listedPlans = {
  plans: [
    {
      plan_id: createPlan.answer.plan_id,
      title: PLAN.title,
      state: 'draft',
      plan_hash: createPlan.answer.plan_hash,
      created_at: createPlan.answer.created_at,
      expires_at: PLAN.expires_at,
      approvals: { needed: 1, given: 0 },
    },
  ],
  next_cursor: null,
} satisfies ListPlansAnswer;

const { execution_id, plan_id, received_at } = execution;

export const listedExecutions = {
  executions: [
    {
      execution_id,
      plan_id,
      title: PLAN.title,
      state: 'verified',
      received_at,
      owner: '019aa5d4-7c00-7000-8000-00000000000e',
      actions: 2,
    },
  ],
  next_cursor: null,
} satisfies ListExecutionsAnswer;

export const listedProofs = {
  proofs: [
    {
      proof_id: verifyExecution.answer.proof_id,
      execution_id,
      plan_id,
      title: PLAN.title,
      verified_at: '2026-11-21T12:00:06.500000Z',
      log_index: 0,
    },
  ],
  next_cursor: null,
} satisfies ListProofsAnswer;
