import { Type } from 'typebox';
import { PlanDocument } from '../../../workers/exact/plan-schema.ts';

/** As `CreatePlanArguments`, with the form of a plan in full, for documents: what a plan means more is read than its form. */
export const ProposedPlan = Type.Object({ plan: PlanDocument }, { additionalProperties: false });
