import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';
import { rowAt } from '../search/bounding-row.ts';
import type { Budget, Search } from '../search/search.ts';
import type { Domain, SearchSpace } from '../search/space.ts';
import type { Choice } from '../search/suffix-sums.ts';

/** A search for the sets that reach a goal. */
export interface Target {
  readonly space: SearchSpace;
  readonly search: Search;
  readonly goal: bigint;
}

interface Options extends Target {
  readonly domain: Domain;
  /** All rows that a set must obey, those of the objectives included. */
  readonly rows: readonly Row[];
  /** The item before which a list cannot end: a required item follows. */
  readonly earliestEnd: number;
  readonly budget: Budget;
}

/**
 * The lexicographically smallest of all sets that obey the rows, as a sorted list. A list is smaller than one that continues
 * it. Items are settled from the first on: each is chosen if a set with it exists and the list cannot end before it.
 * @param known a set that obeys the rows
 */
export function smallestSet(
  known: readonly number[],
  { domain, rows, space, search, goal, earliestEnd, budget }: Options,
) {
  const { size, groups, kinds } = domain;
  const choices = new Array<Choice>(size).fill('open');
  const screen = createScreen(space, goal);
  const kindsOut = new Set<number | undefined>();
  const prefix: number[] = [];
  let best = new Set(known);
  const settle = (item: number, choice: 'in' | 'out') => {
    if (choices[item] !== 'open') return;
    choices[item] = choice;
    if (choice === 'out') kindsOut.add(kinds[item]);
    screen.settle(item, choice);
  };
  for (let item = 0; item < size && !(item >= earliestEnd && obeys(prefix, rows)); item += 1) {
    if (choices[item] === 'out') continue;
    if (!best.has(item)) {
      // An equivalent, earlier item was already ruled out.
      const isHopeless = kindsOut.has(kinds[item]) || screen.excludes(item);
      const found = isHopeless ? undefined : ask(item);
      if (found === 'unknown') return { set: [...best], isComplete: false };
      if (found === undefined) {
        settle(item, 'out');
        continue;
      }
      best = new Set(found);
    }
    settle(item, 'in');
    for (const other of matesOf(item, groups)) settle(other, 'out');
    prefix.push(item);
  }
  return { set: prefix, isComplete: true };

  function ask(item: number): readonly number[] | undefined | 'unknown' {
    const asked = choices.with(item, 'in');
    for (const other of matesOf(item, groups)) asked[other] = 'out';
    const { found, isComplete } = search({ goal, isAnyEnough: true, choices: asked, budget });
    return isComplete ? found : 'unknown';
  }
}

function obeys(items: readonly number[], rows: readonly Row[]): boolean {
  return rows.every(({ coefficients, limit }) => {
    return items.reduce((sum, item) => sum + defined(coefficients[item]), 0n) <= limit;
  });
}

const matesOf = (item: number, groups: Domain['groups']): readonly number[] =>
  groups.flatMap((items) => (items.includes(item) ? items.filter((other) => other !== item) : []));

/** A quick test that excludes most items that no set can have: a row has no room for them. */
function createScreen({ rows }: SearchSpace, goal: bigint) {
  const held = rows.map((row) => rowAt(row, goal));
  const negativeOf = (value: bigint) => (value < 0n ? value : 0n);
  const rooms = held.map(({ coefficients, limit }) => {
    return coefficients.reduce((room, value) => room - negativeOf(value), limit);
  });
  return {
    settle(item: number, choice: 'in' | 'out'): void {
      for (const [row, { coefficients }] of held.entries()) {
        const value = defined(coefficients[item]);
        rooms[row] = defined(rooms[row]) + negativeOf(value) - (choice === 'in' ? value : 0n);
      }
    },
    excludes(item: number): boolean {
      return held.some(({ coefficients }, row) => {
        const value = defined(coefficients[item]);
        return defined(rooms[row]) + negativeOf(value) < value;
      });
    },
  };
}
