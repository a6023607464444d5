import { Type } from 'typebox';
import { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { PlanTextArguments } from './arguments.ts';

const closed = { additionalProperties: false } as const;

/* Arguments with the full schemas of their documents, for documentation. The service checks more than these schemas. */

export const ProposedPlan = Type.Union([Type.Object({ plan: PlanDocument }, closed), PlanTextArguments]);

export const DescribedTool = Type.Object({ tool: ToolDocument }, closed);
