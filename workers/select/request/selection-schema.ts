import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

export const MAX_ITEMS = 1000;
export const MAX_ATTRIBUTES = 16;
export const DEFAULT_NODE_LIMIT = 1_000_000;
export const MAX_NODE_LIMIT = 10_000_000;

/** Of items and attributes. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' });
/** A number as the constraint language writes it, with exactly `scale` decimals. */
const Decimal = Type.String({ minLength: 1, maxLength: 40 });
const Ids = Type.Array(Id, { maxItems: MAX_ITEMS });
const Count = Type.Integer({ minimum: 0, maximum: MAX_ITEMS });

/** The shape of a selection. What its names and numbers mean is read by `readSelection`. */
export const SelectionDocument = Type.Object(
  {
    /** Decimals of every number. */
    scale: Type.Integer({ minimum: 0, maximum: 18 }),
    items: Type.Array(Type.Object({ id: Id, values: Type.Record(Id, Decimal, closed) }, closed), {
      maxItems: MAX_ITEMS,
    }),
    /** How many items are chosen; any number without it. */
    choose: Type.Optional(Type.Object({ min: Count, max: Count }, closed)),
    /** The sum of an attribute over the chosen is at most `max`. */
    capacities: Type.Optional(Type.Array(Type.Object({ of: Id, max: Decimal }, closed), { maxItems: 16 })),
    require: Type.Optional(Ids),
    forbid: Type.Optional(Ids),
    /** Groups of items of which at most one is chosen. */
    at_most_one: Type.Optional(Type.Array(Ids, { maxItems: 256 })),
    /** The first counts most; the next decides between what is equal in those before. */
    objectives: Type.Optional(
      Type.Array(Type.Object({ of: Id, direction: Type.String({ enum: ['maximize', 'minimize'] }) }, closed), {
        maxItems: 8,
      }),
    ),
    node_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_NODE_LIMIT, default: DEFAULT_NODE_LIMIT })),
  },
  closed,
);
export type SelectionDocument = Static<typeof SelectionDocument>;
