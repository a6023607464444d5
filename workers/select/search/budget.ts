/** Nodes of all searches for one answer. */
export interface Budget {
  readonly used: number;
  /** False where there is none left. */
  take(): boolean;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    get used() {
      return used;
    },
    take() {
      if (used >= limit) return false;
      used += 1;
      return true;
    },
  };
}
