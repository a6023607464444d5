import { type Static, Type } from 'typebox';
import { closed, Id, Language, Named, Rule, stringOf, Version } from './document-parts.ts';
import { Evidence, Hash, Instant, SheetUse, ToolRef } from './plan-schema.ts';
import { Effects, TOOL_PARTS } from './tool-schema.ts';

/** Most actions of a run. */
export const MAX_RUN_ACTIONS = 1_000;
export const MAX_TABLE_ROWS = 100_000;
export const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/** A description in the catalogue, by its hash. */
const CatalogueTool = Type.Object({ name: Id, version: Version, sha256: Hash }, closed);
/** A tool that the plan describes itself. It can only read: `effect` is none. */
const InlineTool = Type.Object({ ...TOOL_PARTS, effect: stringOf('none') }, closed);

const TABLE_PARTS = { key: Type.Array(Id, { minItems: 1, maxItems: 4 }), columns: Named };
/** A text of JSON lines, by its hash. */
const StoredTable = Type.Object(
  { ...TABLE_PARTS, rows: Type.Integer({ minimum: 0, maximum: MAX_TABLE_ROWS }), sha256: Hash },
  closed,
);
const InlineTable = Type.Object(
  { ...TABLE_PARTS, inline: Type.Array(Type.Record(Id, Language, closed), { maxItems: 256 }) },
  closed,
);

const Step = Type.Object(
  {
    step_id: Id,
    tool: ToolRef,
    where: Type.Array(Rule, { maxItems: 64 }),
    /** `at_least` 0: no action of the other step comes after an action of this one. */
    after: Type.Array(
      Type.Object({ step: Id, at_least: Type.Integer({ minimum: 0, maximum: MAX_RUN_ACTIONS }) }, closed),
      { maxItems: 64 },
    ),
    /** Of states that no tool changes or observes. */
    effects: Effects,
    min: Type.Integer({ minimum: 0, maximum: MAX_RUN_ACTIONS }),
    max: Type.Integer({ minimum: 1, maximum: MAX_RUN_ACTIONS }),
    evidence: Type.Array(Evidence, { maxItems: 8 }),
  },
  closed,
);

/** The shape of a plan, `plan_format` 2. The solver's `readPlan` reads its names and expressions. */
export const PlanDocument2 = Type.Object(
  {
    plan_format: Type.Literal(2),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    expires_at: Instant,
    max_executions: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Most actions that are believed as recorded instead of replayed. */
    max_recorded: Type.Integer({ minimum: 0, maximum: MAX_RUN_ACTIONS }),
    supersedes: Type.Union([Id, Type.Null()]),
    /** How many distinct approvers must approve. */
    approvals: Type.Integer({ minimum: 1, maximum: 8 }),
    variables: Named,
    tables: Type.Record(Id, Type.Union([StoredTable, InlineTable]), closed),
    state: Named,
    tools: Type.Array(Type.Union([CatalogueTool, InlineTool]), { minItems: 1, maxItems: 64 }),
    steps: Type.Array(Step, { minItems: 1, maxItems: 64 }),
    constraints: Type.Array(Rule, { maxItems: 256 }),
    sheets: Type.Array(SheetUse, { maxItems: 32 }),
  },
  closed,
);
export type PlanDocument2 = Static<typeof PlanDocument2>;
export type Step2Document = PlanDocument2['steps'][number];
export type TableDocument = PlanDocument2['tables'][string];
