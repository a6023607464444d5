import { defined } from '../../exact/defined.ts';
import type { MovingRow } from '../bounds/moving-row.ts';
import { reduceRows } from '../model/problem.ts';
import { leastOf } from '../model/row.ts';
import { type Budget, partOf } from '../search/budget.ts';
import type { Domain } from '../search/domain.ts';
import { impliedRows } from '../search/implied.ts';
import { prepareSearch, type Search } from '../search/run.ts';
import type { Findings, SearchSpace } from '../search/search.ts';
import { createSpace } from '../search/space.ts';

/** Most implied rows. Each costs time at each node. */
const MAX_IMPLIED = 4;
/** Nodes of the first search, and further ones for each item. */
const SCOUT_NODES = 1000;
const SCOUT_NODES_PER_ITEM = 4;

interface Quest {
  readonly objective: readonly bigint[];
  /** A set that obeys the constraints, if one is known. */
  readonly known: readonly number[] | undefined;
  /** Rows of earlier searches that hold for this one too. */
  readonly held: readonly MovingRow[];
  readonly budget: Budget;
}

export interface Best extends Findings {
  /** The space and the search for sets that are as good as the one found. */
  readonly space: SearchSpace;
  readonly search: Search;
  /** Prepares a search for these with all rows that follow from the value. It tries the smallest ids first. */
  readonly prepareForEquals: () => Search;
}

/**
 * The best set by one objective. A first, short search finds a value to exceed, which implies a least number of items. If
 * gains are weights less a constant, no other bound helps.
 */
export function bestSet(domain: Domain, quest: Quest): Best {
  const { objective, known, held, budget } = quest;
  const space = createSpace(domain, objective, { held });
  const search = prepareSearch(space);
  const part = partOf(budget, SCOUT_NODES + SCOUT_NODES_PER_ITEM * domain.size);
  const scouted = exceed(search, { objective, known, budget: part });
  const best = scouted.isComplete ? scouted : exceedNarrowly(domain, { ...quest, known: scouted.found });
  const prepareForEquals = () => {
    const goal = best.found === undefined ? leastOf(objective) : worthOf(best.found, objective);
    return prepareSearch(spaceAt(domain, { objective, held, isByIds: true }, goal) ?? space);
  };
  return { ...best, space, search, prepareForEquals };
}

function exceedNarrowly(domain: Domain, { objective, known, held, budget }: Quest): Findings {
  const space = spaceAt(domain, { objective, held, isByIds: false }, goalAbove(known, objective));
  if (space === undefined) return { found: known, isComplete: true, bound: boundOf(known, objective, undefined) };
  return exceed(prepareSearch(space), { objective, known, budget });
}

/** The space of sets that reach a goal, with rows that follow from it. Undefined if no number of items can reach it. */
export function spaceAt(
  domain: Domain,
  { objective, held, isByIds }: Pick<Quest, 'objective' | 'held'> & { readonly isByIds: boolean },
  goal: bigint,
): SearchSpace | undefined {
  const goalRow = { coefficients: objective.map((gain) => -gain), limit: -goal };
  const rows = reduceRows(domain.size, domain.rows, [goalRow]);
  if (rows === undefined) return undefined;
  const implied = impliedRows({ ...domain, rows: [...rows, goalRow] }).slice(0, MAX_IMPLIED);
  return createSpace({ ...domain, rows }, objective, {
    held: [...held, ...implied.map((row) => row.implied)],
    isByIds,
  });
}

/** Searches for a set that is better than the known one. */
function exceed(search: Search, { objective, known, budget }: Omit<Quest, 'held'>): Findings {
  const goal = goalAbove(known, objective);
  const choices = new Array<'open'>(objective.length).fill('open');
  const { found = known, isComplete, bound } = search({ goal, isAnyEnough: false, choices, budget });
  return { found, isComplete, bound: boundOf(found, objective, bound) };
}

function boundOf(found: readonly number[] | undefined, objective: readonly bigint[], left: bigint | undefined) {
  const worth = found && worthOf(found, objective);
  return worth === undefined || (left !== undefined && left > worth) ? left : worth;
}

const goalAbove = (known: readonly number[] | undefined, objective: readonly bigint[]): bigint =>
  known === undefined ? leastOf(objective) : worthOf(known, objective) + 1n;

export const worthOf = (items: readonly number[], objective: readonly bigint[]): bigint =>
  items.reduce((sum, item) => sum + defined(objective[item]), 0n);
