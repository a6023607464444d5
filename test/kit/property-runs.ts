const FIRST_TIER_RUNS = 300;

const isLong = process.env['TEST_TIER'] === 'long';

/** How many cases a property is tried with: `npm run test:long` tries all, and the first tier at most 300. */
export const runs = (all: number): number => (isLong ? all : Math.min(all, FIRST_TIER_RUNS));

/** How large an input is: `npm run test:long` takes all of it, and the first tier a part that shows the same. */
export const sized = (all: number, some: number): number => (isLong ? all : some);
