import { type Static, Type } from 'typebox';
import { closed, Id, Language, Named, Rule, stringOf, Version } from './document-parts.ts';
import { Effects, TOOL_PARTS } from './tool-schema.ts';

/** `name@version` */
const ToolRef = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}@[0-9]+\\.[0-9]+\\.[0-9]+$' });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** UTC with microseconds. */
const Instant = Type.String({
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{6}Z$',
});

/** Most actions of a run. */
export const MAX_RUN_ACTIONS = 1_000;
export const MAX_RESERVE_SECONDS = 3_600;
export const MAX_TABLE_ROWS = 100_000;
export const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/** A description in the catalogue, by its hash. */
const CatalogueTool = Type.Object({ name: Id, version: Version, sha256: Hash }, closed);
/** A tool that the plan describes itself. It can only read: its `effect` is `none`. */
const ReadingTool = Type.Object({ ...TOOL_PARTS, effect: stringOf('none') }, closed);

const Evidence = Type.Object(
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

const SheetUse = Type.Object(
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
    /** Steps with whose actions those of this step may overlap, although they share a state. */
    overlaps: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 64, uniqueItems: true })),
    /** Of states that no tool changes or observes. */
    effects: Effects,
    min: Type.Integer({ minimum: 0, maximum: MAX_RUN_ACTIONS }),
    max: Type.Integer({ minimum: 1, maximum: MAX_RUN_ACTIONS }),
    evidence: Type.Array(Evidence, { maxItems: 8 }),
  },
  closed,
);

/** The shape of a plan, `plan_format` 2. The solver's `readPlan` reads its names and expressions. */
export const PlanDocument = Type.Object(
  {
    plan_format: Type.Literal(2),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    expires_at: Instant,
    max_executions: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Most actions that are believed as recorded instead of replayed. */
    max_recorded: Type.Integer({ minimum: 0, maximum: MAX_RUN_ACTIONS }),
    /** Every act must be done: one that failed, or whose outcome is unknown, refutes a run. */
    outcomes: Type.Optional(Type.Literal('done')),
    /** How long an act may be reserved before it is done, in seconds. Left out: it may not. */
    reserve: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RESERVE_SECONDS })),
    supersedes: Type.Union([Id, Type.Null()]),
    /** How many distinct approvers must approve. */
    approvals: Type.Integer({ minimum: 1, maximum: 8 }),
    variables: Named,
    tables: Type.Record(Id, Type.Union([StoredTable, InlineTable]), closed),
    state: Named,
    tools: Type.Array(Type.Union([ReadingTool, CatalogueTool]), { minItems: 1, maxItems: 64 }),
    steps: Type.Array(Step, { minItems: 1, maxItems: 64 }),
    constraints: Type.Array(Rule, { maxItems: 256 }),
    /** Rules over this run and the runs of the plan that were recorded before it. */
    runs: Type.Optional(Type.Array(Rule, { minItems: 1, maxItems: 64 })),
    sheets: Type.Array(SheetUse, { maxItems: 32 }),
  },
  closed,
);
export type PlanDocument = Static<typeof PlanDocument>;
export type InlineTool = Static<typeof ReadingTool>;
export type StepDocument = PlanDocument['steps'][number];
export type EvidenceDocument = StepDocument['evidence'][number];
export type RuleDocument = PlanDocument['constraints'][number];
export type SheetUseDocument = PlanDocument['sheets'][number];
export type TableDocument = PlanDocument['tables'][string];
