import { type Static, Type } from 'typebox';
import { closed, Id, Named, Rule, stringOf, Version } from './document-parts.ts';

/** `name@version` */
export const ToolRef = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}@[0-9]+\\.[0-9]+\\.[0-9]+$' });
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** UTC with microseconds. */
export const Instant = Type.String({
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{6}Z$',
});
const Tool = Type.Object(
  {
    name: Id,
    version: Version,
    effect: stringOf('none', 'write', 'revenue_write'),
    replay: stringOf('pure', 'effects', 'recorded'),
    args: Named,
    responds: Named,
    effects: Named,
    /** State variable → field of the response that must equal it. */
    observe: Type.Record(Id, Id, closed),
    /** The field of the response that identifies one act. */
    identity: Type.Union([Id, Type.Null()]),
    post: Type.Array(Rule, { maxItems: 64 }),
  },
  closed,
);

export const Evidence = Type.Object(
  {
    kind: Id,
    media_types: Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9.+-]{0,63}/[a-z0-9][a-z0-9.+-]{0,63}$' }), {
      minItems: 1,
      maxItems: 8,
    }),
    max_bytes: Type.Integer({ minimum: 1, maximum: 2 * 1024 * 1024 }),
    min: Type.Integer({ minimum: 0, maximum: 20 }),
    max: Type.Integer({ minimum: 1, maximum: 20 }),
    reads: Named,
    binds: Type.Array(Rule, { maxItems: 64 }),
  },
  closed,
);

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

export const SheetUse = Type.Object(
  {
    name: Id,
    version: Version,
    sha256: Hash,
    /** `plan`, or `each:` followed by a step. */
    scope: Type.String({ pattern: '^(plan|each:[A-Za-z0-9_.:-]{1,64})$' }),
    bind: Named,
  },
  closed,
);

/** The shape of a plan, `plan_format` 1. The solver's `readPlan` reads its names and expressions. */
export const PlanDocument = Type.Object(
  {
    plan_format: Type.Literal(1),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    expires_at: Instant,
    max_executions: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Most actions that are believed as recorded instead of replayed. */
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
export type PlanDocument = Static<typeof PlanDocument>;
export type ToolDocument = PlanDocument['tools'][number];
export type StepDocument = PlanDocument['steps'][number];
export type EvidenceDocument = StepDocument['evidence'][number];
export type RuleDocument = PlanDocument['constraints'][number];
export type SheetUseDocument = PlanDocument['sheets'][number];
