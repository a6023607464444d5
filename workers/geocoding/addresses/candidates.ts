import { defined } from '../../exact/defined.ts';
import { type AddressSet, readPostings, type WordPostings } from './address-set.ts';
import type { Term } from './terms.ts';

/** Streets of rare words that are considered. */
const MAX_STREETS = 4000;
/** Words of more streets than this say too little to be read. */
const MAX_RANKED = 200_000;
/** Streets and towns that are compared with the whole query. */
const MAX_CANDIDATES = 12;
/** Named places that are. They are counted apart, so that none of them takes the place of a street. */
const MAX_NAMED = 6;

/** Streets, ascending, and the points of each. */
interface Ranked {
  readonly ids: Uint32Array;
  readonly points: Float64Array;
}

/** The streets that share most with the query: those of its rarest words, in the order of all its words. */
export function candidatesOf({ firstNamed }: AddressSet, terms: readonly Term[]): readonly number[] {
  const known = terms.filter(({ postings }) => postings.length > 0).toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const named = known.filter(({ weight }) => weight >= 1);
  const useful = named.length > 0 ? named : known;
  let ranked: Ranked = { ids: new Uint32Array(), points: new Float64Array() };
  let read = 0;
  for (const term of useful) {
    const size = sizeOf(term);
    const isEmpty = ranked.ids.length === 0;
    if (size > MAX_RANKED && !isEmpty) break;
    const isRare = isEmpty || read + size <= MAX_STREETS;
    if (isRare) read += size;
    const value = 1 / Math.log2(2 + size);
    for (const postings of term.postings) {
      if (isRare) ranked = joined(ranked, readPostings(postings), value);
      else addPoints(ranked, postings, value);
    }
  }
  const end = firstAtLeast(ranked.ids, firstNamed);
  return [...bestOf(ranked, 0, end, MAX_CANDIDATES), ...bestOf(ranked, end, ranked.ids.length, MAX_NAMED)];
}

function sizeOf({ postings }: Term): number {
  return postings.reduce((sum, { count }) => sum + count, 0);
}

/** Both lists of streets as one, with points for those of the second. */
function joined({ ids, points }: Ranked, others: Uint32Array, value: number): Ranked {
  const allIds = new Uint32Array(ids.length + others.length);
  const allPoints = new Float64Array(allIds.length);
  let [at, other, count] = [0, 0, 0];
  while (at < ids.length || other < others.length) {
    const id = ids[at] ?? Number.POSITIVE_INFINITY;
    const next = others[other] ?? Number.POSITIVE_INFINITY;
    allIds[count] = Math.min(id, next);
    allPoints[count++] = (id <= next ? defined(points[at]) : 0) + (next <= id ? value : 0);
    if (id <= next) at += 1;
    if (next <= id) other += 1;
  }
  return { ids: allIds.subarray(0, count), points: allPoints.subarray(0, count) };
}

/** Adds points to the streets that a word has too. */
function addPoints({ ids, points }: Ranked, postings: WordPostings, value: number): void {
  let at = 0;
  for (const street of readPostings(postings)) {
    while (at < ids.length && defined(ids[at]) < street) at += 1;
    if (at === ids.length) return;
    if (ids[at] === street) points[at] = defined(points[at]) + value;
  }
}

function firstAtLeast(ids: Uint32Array, id: number): number {
  const at = ids.findIndex((other) => other >= id);
  return at === -1 ? ids.length : at;
}

/** The streets with most points, best first. Of equal ones, the first of the set come first. */
function bestOf({ ids, points }: Ranked, start: number, end: number, most: number): readonly number[] {
  const best: number[] = [];
  for (let at = start; at < end; at++) {
    const value = defined(points[at]);
    const last = best.at(-1);
    if (best.length === most && last !== undefined && value <= defined(points[last])) continue;
    const place = best.findIndex((other) => defined(points[other]) < value);
    best.splice(place === -1 ? best.length : place, 0, at);
    if (best.length > most) best.pop();
  }
  return best.map((at) => defined(ids[at]));
}
