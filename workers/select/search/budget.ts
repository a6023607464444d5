/** Nodes of all searches for one answer. */
export interface Budget {
  readonly used: number;
  /** False where there is none left. */
  take(): boolean;
}

/** At most so many of another's. */
export function partOf(budget: Budget, limit: number): Budget {
  const own = createBudget(limit);
  return {
    get used() {
      return own.used;
    },
    take: () => own.take() && budget.take(),
  };
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
