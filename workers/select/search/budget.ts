/** The nodes of all searches for one answer. */
export interface Budget {
  readonly used: number;
  /** Takes a node. Returns false if none is left. */
  take(): boolean;
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    get used() {
      return used;
    },
    take() {
      if (used === limit) return false;
      used += 1;
      return true;
    },
  };
}
