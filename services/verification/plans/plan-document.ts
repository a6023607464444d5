import type { PlanDocument2 } from '../../../workers/exact/plan-2-schema.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';

/** A plan of any format. */
export type AnyPlanDocument = PlanDocument | PlanDocument2;

/** How many distinct approvers must approve a plan. */
export const approvalsNeeded = (plan: AnyPlanDocument): number => (plan.plan_format === 1 ? 1 : plan.approvals);
