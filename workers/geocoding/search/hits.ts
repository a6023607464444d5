import { defined } from '../../exact/defined.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Posting } from '../gazetteer/names.ts';
import { CITY_POPULATION, isProminent } from './prominence.ts';
import { maskOf, type Token } from './query.ts';
import { BEARINGS } from './street-words.ts';

/** A span of the query that is a name. */
export interface Hit extends Posting {
  /** The words as they were written, or the name that a misspelt word stands for. */
  readonly written: string;
  readonly key: string;
  /** Bits of its tokens. */
  readonly mask: number;
  readonly isMisspelt: boolean;
  /** Whether the words are the own name of a country or a city. If they are misspelt: of anything. */
  readonly isTaken: boolean;
}

const MAX_SPAN_TOKENS = 12;

/** Every span within a segment that is a name. */
export function findHits(gazetteer: Gazetteer, tokens: readonly Token[]): readonly Hit[] {
  const hits: Hit[] = [];
  const words = maskOf(tokens, ({ isNumber }) => !isNumber);
  for (const { written, key, mask } of spansOf(tokens, MAX_SPAN_TOKENS)) {
    if (isBearing(tokens, mask)) continue;
    // A number alone, or the BD of 3511 BD, is not a name. Nor is one letter of several words.
    if ((mask & words) === 0 || (/^[a-z]$/.test(key) && tokens.length > 1)) continue;
    const posting = gazetteer.names.find(key);
    if (posting !== undefined)
      hits.push({ ...posting, written, key, mask, isMisspelt: false, isTaken: isWellKnown(gazetteer, posting) });
  }
  return hits;
}

/** Whether a name is the own name of a country, a first-level division or a city. */
export function isWellKnown(gazetteer: Gazetteer, { start, end }: Posting): boolean {
  const { areas, names } = gazetteer;
  for (let at = start; at < end; at++) {
    const posting = defined(names.postings[at]);
    const entity = posting >>> 1;
    const isKnown = isProminent(gazetteer, entity, CITY_POPULATION);
    if (isKnown && (posting & 1) === 1) return true;
    // Places come after areas, the most populous first.
    if (!isKnown && entity >= areas.count) return false;
  }
  return false;
}

/** Whether a span only has points of the compass, and its segment has other words: the South of France. */
function isBearing(tokens: readonly Token[], span: number): boolean {
  const own = tokens.filter((_, index) => (span & (1 << index)) !== 0);
  if (!own.every(({ word }) => BEARINGS.has(word))) return false;
  return tokens.some(({ word, segment }) => segment === own[0]?.segment && !BEARINGS.has(word));
}

export interface Span {
  /** Its words as they were written. */
  readonly written: string;
  readonly key: string;
  readonly mask: number;
}

/** Runs of up to `maxTokens` tokens of one segment. Of runs with the same start, the shorter come first. */
export function* spansOf(tokens: readonly Token[], maxTokens: number): Generator<Span> {
  for (const [start, first] of tokens.entries()) {
    let written = '';
    let key = '';
    let mask = 0;
    for (const [offset, token] of tokens.slice(start, start + maxTokens).entries()) {
      if (token.segment !== first.segment) break;
      const index = start + offset;
      written += token.word;
      key += token.key;
      mask |= 1 << index;
      yield { written, key, mask };
    }
  }
}
