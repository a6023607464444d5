import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

export const MAX_ITEMS = 1000;
export const MAX_ATTRIBUTES = 16;
export const DEFAULT_NODE_LIMIT = 1_000_000;
export const MAX_NODE_LIMIT = 10_000_000;
/** What a decision costs however few items and sums there are: 3 µs, measured. It grows with both. */
const LEAST_WORK_PER_NODE = 1000;

/** How long a search may go on, as nodes times what one of them costs: the same on every machine. */
export interface SearchLimits {
  /** Where the request names no limit. Some seconds of a core. */
  readonly usualWork: number;
  /** Where it names one. Still below the watchdog of the solver's threads. */
  readonly mostWork: number;
}

export const LIMITS: SearchLimits = { usualWork: 1_600_000_000, mostWork: 4_800_000_000 };
/** Of version 1.0.0 of the pure tool. */
export const FIRST_LIMITS: SearchLimits = { usualWork: 1_600_000_000, mostWork: 1_600_000_000 };

interface Asked {
  readonly items: number;
  readonly sums: number;
  /** Undefined where the request names none. */
  readonly limit: number | undefined;
}

/** Most decisions that are tried of a selection of that size. */
export function nodeLimitOf({ items, sums, limit }: Asked, { usualWork, mostWork }: SearchLimits = LIMITS): number {
  const cap = (work: number) => Math.max(1, Math.floor(work / (LEAST_WORK_PER_NODE + items * (1 + sums))));
  return limit === undefined ? Math.min(DEFAULT_NODE_LIMIT, cap(usualWork)) : Math.min(limit, cap(mostWork));
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
          'Most decisions that are tried. Of n items and s capacities and objectives, at most 4800000000 / (1000 + n × (1 + s)), to which a larger number is lowered; without it 1000000, and at most a third of that. Never a time, so that the answer is the same everywhere',
      }),
    ),
  },
  closed,
);
export type SelectionDocument = Static<typeof SelectionDocument>;
