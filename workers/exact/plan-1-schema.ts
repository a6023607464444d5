import { type Static, Type } from 'typebox';
import { closed, Id, Named, Rule } from './document-parts.ts';
import { Evidence, Instant, SheetUse, ToolRef } from './plan-schema.ts';
import { EFFECT, TOOL_PARTS } from './tool-schema.ts';

const Tool = Type.Object({ ...TOOL_PARTS, effect: EFFECT }, closed);

const Step = Type.Object(
  {
    step_id: Id,
    tool: ToolRef,
    where: Type.Array(Rule, { maxItems: 64 }),
    after: Type.Array(Id, { maxItems: 64 }),
    min: Type.Integer({ minimum: 0, maximum: 256 }),
    max: Type.Integer({ minimum: 1, maximum: 256 }),
    evidence: Type.Array(Evidence, { maxItems: 8 }),
  },
  closed,
);

/** The shape of a plan, `plan_format` 1. `upgradePlan` turns it into one of format 2. */
export const Plan1Document = Type.Object(
  {
    plan_format: Type.Literal(1),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    expires_at: Instant,
    max_executions: Type.Integer({ minimum: 1, maximum: 1000 }),
    max_recorded: Type.Integer({ minimum: 0, maximum: 256 }),
    supersedes: Type.Union([Id, Type.Null()]),
    variables: Named,
    state: Named,
    tools: Type.Array(Tool, { minItems: 1, maxItems: 64 }),
    steps: Type.Array(Step, { minItems: 1, maxItems: 64 }),
    constraints: Type.Array(Rule, { maxItems: 256 }),
    sheets: Type.Array(SheetUse, { maxItems: 32 }),
  },
  closed,
);
export type Plan1Document = Static<typeof Plan1Document>;
