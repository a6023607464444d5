const MAX_DISTANCE = 2;
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 1_000;

/** ` Did you mean amount?` for the candidate that is most like `name`. Empty if none is like it. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const best = closest(name, candidates);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}

/** The closest candidate, or a list of all of them if they are few. */
export function knownNames(name: string, candidates: Iterable<string>): string {
  const all = [...candidates];
  const best = didYouMean(name, all);
  if (best !== '' || all.length === 0 || all.length > 12) return best;
  return ` Known: ${all.join(', ')}.`;
}

function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.min(MAX_DISTANCE, Math.floor(name.length / 2)) + 1;
  let left = MAX_CANDIDATES;
  for (const candidate of candidates) {
    left -= 1;
    if (left < 0) break;
    if (candidate.length > MAX_LENGTH) continue;
    const distance = simplified(candidate) === simplified(name) ? 0 : editDistance(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

const simplified = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

/** Insertions, deletions, replacements, and swaps of neighbors (optimal string alignment). Both texts are short. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1));
    }
    before = row;
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], index: number): number {
  const value = row[index];
  if (value === undefined) throw new RangeError('an index is outside the row');
  return value;
}
