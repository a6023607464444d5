/** Just before midnight in some worlds, so that budgets of two days meet. */
export const NOON = Date.UTC(2031, 2, 3, 12);
const BEFORE_MIDNIGHT = Date.UTC(2031, 2, 3, 23, 59, 55);

/** When the world of a seed begins. */
export const startOf = (seed: number): number => (seed % 8 < 4 ? NOON : BEFORE_MIDNIGHT);
