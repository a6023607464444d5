import { type Static, Type } from 'typebox';
import { closed, Id, stringOf } from './document-parts.ts';

export const MAX_ITEMS = 1000;
export const MAX_ATTRIBUTES = 16;
export const DEFAULT_NODE_LIMIT = 1_000_000;
export const MAX_NODE_LIMIT = 10_000_000;
/** Minimum work of one decision, in item × sum units: about 3 µs. Items and sums add to it. */
const MIN_WORK_PER_NODE = 1000;

/** The work of a search, as nodes times the work of one node. Unlike a time, it is the same on every machine. */
const DEFAULT_WORK = 1_600_000_000;
/** If the request names a limit. It ends before the watchdog of the solver's threads does. */
const MAX_WORK = 4_800_000_000;

interface SelectionSize {
  readonly items: number;
  readonly sums: number;
  /** Undefined if the request names none. */
  readonly limit: number | undefined;
}

/** The maximum number of decisions that a search tries for a selection of this size. */
export function nodeLimitOf({ items, sums, limit }: SelectionSize): number {
  const cap = (work: number) => Math.max(1, Math.floor(work / (MIN_WORK_PER_NODE + items * (1 + sums))));
  return limit === undefined ? Math.min(DEFAULT_NODE_LIMIT, cap(DEFAULT_WORK)) : Math.min(limit, cap(MAX_WORK));
}

/** A number such as 12 or -0.50, with exactly `scale` decimals. */
const Decimal = Type.String({ minLength: 1, maxLength: 40 });
const Ids = Type.Array(Id, { maxItems: MAX_ITEMS });
const Count = Type.Integer({ minimum: 0, maximum: MAX_ITEMS });

/** The shape of a selection. `readSelection` of exact select reads its names and numbers. */
export const SelectionDocument = Type.Object(
  {
    scale: Type.Integer({ minimum: 0, maximum: 18, description: 'Number of decimals of every number' }),
    items: Type.Array(Type.Object({ id: Id, values: Type.Record(Id, Decimal, closed) }, closed), {
      maxItems: MAX_ITEMS,
      description: 'Each with its numbers by name',
    }),
    choose: Type.Optional(
      Type.Object(
        { min: Count, max: Count },
        { ...closed, description: 'How many items to choose; any number if absent' },
      ),
    ),
    capacities: Type.Optional(
      Type.Array(Type.Object({ of: Id, max: Decimal }, closed), {
        maxItems: 16,
        description: 'The sum of `of` over the chosen items is at most `max`',
      }),
    ),
    require: Type.Optional(Type.Array(Id, { maxItems: MAX_ITEMS, description: 'Ids of items that must be chosen' })),
    forbid: Type.Optional(Type.Array(Id, { maxItems: MAX_ITEMS, description: 'Ids of items that must not be chosen' })),
    at_most_one: Type.Optional(
      Type.Array(Ids, { maxItems: 256, description: 'Groups of ids with at most one chosen item each' }),
    ),
    objectives: Type.Optional(
      Type.Array(Type.Object({ of: Id, direction: stringOf('maximize', 'minimize') }, closed), {
        maxItems: 8,
        description: 'In order of importance: each further one breaks the ties that are left',
      }),
    ),
    node_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_NODE_LIMIT,
        default: DEFAULT_NODE_LIMIT,
        description:
          'Most decisions that the search tries. With n items and s capacities and objectives, a number above 4800000000 / (1000 + n × (1 + s)) is lowered to that. If absent: 1000000, and at most a third of that bound. The limit is not a time, so the answer is the same on every machine',
      }),
    ),
  },
  closed,
);
export type SelectionDocument = Static<typeof SelectionDocument>;
