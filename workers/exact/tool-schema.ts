import { type Static, Type } from 'typebox';
import { closed, Id, Named, Rule, stringOf, Version } from './document-parts.ts';

/**
 * State → the expression of its next value, or for a map 1 to 4 entries `{ key, value }` to set, in order. The solver
 * reads both: as a schema, any expression is any value.
 */
export const Effects = Named;

export const EFFECT = stringOf('none', 'write', 'revenue_write');

/** The parts that descriptions of tools have in a plan and in the catalogue. */
export const TOOL_PARTS = {
  name: Id,
  version: Version,
  replay: stringOf('pure', 'effects', 'recorded'),
  args: Named,
  responds: Named,
  /** State → field of the response that must equal it. */
  observe: Type.Record(Id, Id, closed),
  /** The field of the response that identifies one act. */
  identity: Type.Union([Id, Type.Null()]),
  effects: Effects,
  post: Type.Array(Rule, { maxItems: 64 }),
};

const Limit = Type.Object(
  {
    id: Id,
    /** The argument that is added up. Null: acts are counted. */
    of: Type.Union([Id, Type.Null()]),
    /** The argument for each value of which the limit is. Null: one limit for all acts. */
    per: Type.Union([Id, Type.Null()]),
    /** Calendar hour, day or week (from Monday), in UTC. */
    within: stringOf('hour', 'day', 'week'),
    /** At the scale of the argument, or a count. */
    most: Type.String({ pattern: '^(0|[1-9][0-9]{0,37})(\\.[0-9]{1,18})?$' }),
  },
  closed,
);

/** `["arg","amount"]`, or `["resp","fee"]` for a field of the response. */
const Part = Type.Array(Type.String(), { minItems: 2, maxItems: 2 });

/** Money that one act moves. */
const Amount = Type.Object(
  {
    /** A number among the arguments or in the response. */
    of: Part,
    /** What 1 of the number is in the currency, `0.01` for cents, or the argument that says so. */
    unit: Type.Union([Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?$' }), Part]),
    /** A code such as `EUR`, or the argument that has one. */
    currency: Type.Union([Type.String({ pattern: '^[A-Z][A-Z0-9]{2,11}$' }), Part]),
  },
  closed,
);

/** The shape of a tool's description in the catalogue, `tool_format` 2. The solver reads its types and expressions. */
export const ToolDocument = Type.Object(
  {
    tool_format: Type.Literal(2),
    ...TOOL_PARTS,
    effect: EFFECT,
    /** Types of the states that effects and conditions refer to. A plan that uses the tool has them too. */
    state: Named,
    limits: Type.Array(Limit, { maxItems: 16 }),
    /** All the money that one act moves. Left out: it is not described, and nothing limits it. */
    amounts: Type.Optional(Type.Array(Amount, { minItems: 1, maxItems: 8 })),
    /** The argument that is the tool's idempotency key: acts with one key and equal arguments are attempts of one act. */
    once: Type.Optional(Id),
  },
  closed,
);
export type ToolDocument = Static<typeof ToolDocument>;
export type ToolLimit = Static<typeof Limit>;
export type ToolAmount = Static<typeof Amount>;
