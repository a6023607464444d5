const MAX_DISTANCE = 2;
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 1_000;

/** ` Did you mean amount?` for the other candidate that is most like `name`. Empty if none is like it. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const best = closest(name, candidates);
  return best === undefined ? '' : ` Did you mean ${/\s/.test(best) ? JSON.stringify(best) : best}?`;
}

/** The closest candidate, or a list of all of them if they are few. */
export function knownNames(name: string, candidates: Iterable<string>): string {
  const all = [...candidates].filter((candidate) => candidate !== name);
  const best = didYouMean(name, all);
  if (best !== '' || all.length === 0 || all.length > 12) return best;
  return ` Known: ${all.join(', ')}.`;
}

function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let nearest = Math.min(MAX_DISTANCE, Math.floor(name.length / 2)) + 1;
  let left = MAX_CANDIDATES;
  const simpleName = simplified(name);
  for (const candidate of candidates) {
    left -= 1;
    if (left < 0) break;
    if (candidate.length > MAX_LENGTH || candidate === name) continue;
    const distance = simplified(candidate) === simpleName ? 0 : editDistance(name, candidate);
    if (distance < nearest) [best, nearest] = [candidate, distance];
  }
  return best;
}

const simplified = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

/**
 * Insertions, deletions, replacements, and swaps of neighbors (optimal string alignment), or infinity beyond MAX_DISTANCE. A
 * text of many misspelt names asks for 100,000 distances, so only cells near the diagonal are computed.
 */
function editDistance(name: string, candidate: string): number {
  if (Math.abs(name.length - candidate.length) > MAX_DISTANCE) return Number.POSITIVE_INFINITY;
  let same = 0;
  while (same < name.length && name[same] === candidate[same]) same += 1;
  const [from, to] = [name.slice(same), candidate.slice(same)];
  const far = () => new Array<number>(to.length + 1).fill(Number.POSITIVE_INFINITY);
  let before = far();
  let row = far().map((_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = far();
    next[0] = i;
    const last = Math.min(to.length, i + MAX_DISTANCE);
    for (let j = Math.max(1, i - MAX_DISTANCE); j <= last; j += 1) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : replaced;
      next[j] = Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1);
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

const POINT = /^(-?\d{1,3}(?:[,_' ]\d{3})+)(?:\.(\d+))?$/;
const COMMA = /^(-?\d{1,3}(?:[._' ]\d{3})+|-?\d+),(\d+)$/;

/** `1000.00` for `1,000.00` and `1.000,00`, `1.50` for `1,50`. Undefined where the separators could mean two numbers: `1,500`. */
export function withoutSeparators(text: string): string | undefined {
  const isOpen = /^-?\d{1,3},\d{3}$/.test(text);
  const [, whole, decimals = ''] = (isOpen ? null : (POINT.exec(text) ?? COMMA.exec(text))) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replaceAll(/[^-\d]/g, '');
  const number = decimals === '' ? digits : `${digits}.${decimals}`;
  return /^-?0\d/.test(number) ? undefined : number;
}
