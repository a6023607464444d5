const FIRST_TIER_RUNS = 300;

/** How many cases a property is tried with: `npm run test:long` tries all, and the first tier at most 300. */
export const runs = (all: number): number =>
  process.env['TEST_TIER'] === 'long' ? all : Math.min(all, FIRST_TIER_RUNS);
