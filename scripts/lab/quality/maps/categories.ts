/** A category of cases. Each category has its own file of cases. */
export interface Category {
  readonly name: string;
  /** Traps are queries that tempt a geocoder to name a wrong place. Nothing, and `Low`, are right answers to them. */
  readonly kind: 'forward' | 'trap' | 'reverse';
  /** Share of the cases that must pass, 0 to 1. */
  readonly target?: number;
}

const REVERSE = { kind: 'reverse', target: 0.97 } as const;

export const CATEGORIES: readonly Category[] = [
  { name: 'capitals', kind: 'forward', target: 0.99 },
  { name: 'cities', kind: 'forward', target: 0.95 },
  { name: 'exonyms', kind: 'forward' },
  { name: 'german-names', kind: 'forward', target: 0.9 },
  { name: 'typing-errors', kind: 'forward', target: 0.95 },
  { name: 'languages', kind: 'forward' },
  { name: 'biased', kind: 'forward' },
  { name: 'prominent', kind: 'forward' },
  { name: 'us-addresses', kind: 'forward', target: 0.9 },
  { name: 'world-addresses', kind: 'forward' },
  { name: 'us-postcodes', kind: 'forward' },
  { name: 'postcodes', kind: 'forward', target: 0.95 },
  { name: 'divisions', kind: 'forward' },
  { name: 'fresh', kind: 'forward', target: 0.95 },
  { name: 'traps', kind: 'trap', target: 0.98 },
  { name: 'traps-unseen', kind: 'trap', target: 0.98 },
  { name: 'fresh-traps', kind: 'trap', target: 0.98 },
  { name: 'reverse-cities', ...REVERSE },
  // At most one point in a thousand may get the wrong country.
  { name: 'borders', kind: 'reverse', target: 0.999 },
  { name: 'islands', ...REVERSE },
  { name: 'open-sea', ...REVERSE },
  { name: 'edges', ...REVERSE },
  { name: 'contested', ...REVERSE },
  { name: 'fresh-points', ...REVERSE },
  { name: 'offsets', kind: 'reverse', target: 0.998 },
];
