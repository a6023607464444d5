import type { ListPlansAnswer } from '../../services/verification/contract/answers.ts';
import { createPlan, PLAN } from './examples.ts';

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
