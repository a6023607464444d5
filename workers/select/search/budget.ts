/** The nodes of all searches for one answer. */
export interface Budget {
  readonly used: number;
  readonly left: number;
  /** Takes some nodes, one by default. Returns false and takes none if fewer are left. */
  take(count?: number): boolean;
}

/** A budget of at most `limit` nodes, which are taken from another budget. */
export function partOf(budget: Budget, limit: number): Budget {
  const own = createBudget(limit);
  return {
    get used() {
      return own.used;
    },
    get left() {
      return Math.min(own.left, budget.left);
    },
    take: (count = 1) => count <= own.left && budget.take(count) && own.take(count),
  };
}

export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    get used() {
      return used;
    },
    get left() {
      return limit - used;
    },
    take(count = 1) {
      if (used + count > limit) return false;
      used += count;
      return true;
    },
  };
}
