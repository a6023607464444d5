import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

export const MAX_ITEMS = 1000;
export const MAX_ATTRIBUTES = 16;
export const DEFAULT_NODE_LIMIT = 1_000_000;
export const MAX_NODE_LIMIT = 10_000_000;
/** Nodes times items times sums: what a decision costs grows with both. Some seconds of a core, far below the watchdog. */
const MAX_WORK = 1_600_000_000;
/** What a decision costs however few they are: 3 µs, measured. */
const LEAST_WORK_PER_NODE = 1000;

/** Most decisions that are tried of a selection of that size, whatever it asks for. */
export function nodeCap(items: number, sums: number): number {
  return Math.max(1, Math.floor(MAX_WORK / (LEAST_WORK_PER_NODE + items * (1 + sums))));
}

/** Of items and attributes. */
const Id = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' });
/** A number as the constraint language writes it, with exactly `scale` decimals. */
const Decimal = Type.String({ minLength: 1, maxLength: 40 });
const Ids = Type.Array(Id, { maxItems: MAX_ITEMS });
const Count = Type.Integer({ minimum: 0, maximum: MAX_ITEMS });

/** The shape of a selection. What its names and numbers mean is read by `readSelection`. */
export const SelectionDocument = Type.Object(
  {
    scale: Type.Integer({ minimum: 0, maximum: 18, description: 'Decimals of every number' }),
    items: Type.Array(Type.Object({ id: Id, values: Type.Record(Id, Decimal, closed) }, closed), {
      maxItems: MAX_ITEMS,
      description: 'What is chosen from, each with its numbers by name',
    }),
    choose: Type.Optional(
      Type.Object({ min: Count, max: Count }, { ...closed, description: 'How many are chosen; any number without it' }),
    ),
    capacities: Type.Optional(
      Type.Array(Type.Object({ of: Id, max: Decimal }, closed), {
        maxItems: 16,
        description: 'The sum of a number over the chosen is at most max',
      }),
    ),
    require: Type.Optional(Type.Array(Id, { maxItems: MAX_ITEMS, description: 'Ids that are chosen' })),
    forbid: Type.Optional(Type.Array(Id, { maxItems: MAX_ITEMS, description: 'Ids that are not' })),
    at_most_one: Type.Optional(
      Type.Array(Ids, { maxItems: 256, description: 'Groups of ids, of each of which at most one is chosen' }),
    ),
    objectives: Type.Optional(
      Type.Array(Type.Object({ of: Id, direction: Type.String({ enum: ['maximize', 'minimize'] }) }, closed), {
        maxItems: 8,
        description: 'The first counts most; the next decides between what is equal in those before',
      }),
    ),
    node_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NODE_LIMIT,
        default: DEFAULT_NODE_LIMIT,
        description:
          'Most decisions that are tried: no more than a million and a half, fewer where items and sums are many; never a time, so that the answer is the same everywhere',
      }),
    ),
  },
  closed,
);
export type SelectionDocument = Static<typeof SelectionDocument>;
