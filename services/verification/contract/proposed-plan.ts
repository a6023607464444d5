import { Type } from 'typebox';
import { PlanDocument } from '../../../workers/exact/plan-schema.ts';

/** `CreatePlanArguments` with the full schema of a plan, for documents. The service checks more than this schema. */
export const ProposedPlan = Type.Object({ plan: PlanDocument }, { additionalProperties: false });
