import type { NameTable, Posting } from '../gazetteer/names.ts';
import { maskOf, type Token } from './query.ts';

/** A span of the query that is the name of something. */
export interface Hit extends Posting {
  readonly key: string;
  /** Bits of the tokens that it spans. */
  readonly mask: number;
  readonly isMisspelt: boolean;
}

const MAX_SPAN_TOKENS = 12;

/** Every span within a segment that is a name. */
export function findHits(tokens: readonly Token[], names: NameTable): readonly Hit[] {
  const hits: Hit[] = [];
  const words = maskOf(tokens, ({ isNumber }) => !isNumber);
  for (const { key, mask } of spansOf(tokens, MAX_SPAN_TOKENS)) {
    // A number by itself, or the BD of 3511 BD, is no name.
    if ((mask & words) === 0) continue;
    const posting = names.find(key);
    if (posting !== undefined) hits.push({ ...posting, key, mask, isMisspelt: false });
  }
  return hits;
}

export interface Span {
  readonly key: string;
  readonly mask: number;
}

/** Runs of up to `maxTokens` tokens of one segment, the shorter ones of a start first. */
export function* spansOf(tokens: readonly Token[], maxTokens: number): Generator<Span> {
  for (const [start, first] of tokens.entries()) {
    let key = '';
    let mask = 0;
    for (let index = start; index < Math.min(start + maxTokens, tokens.length); index++) {
      const token = tokens[index];
      if (token === undefined || token.segment !== first.segment) break;
      key += token.key;
      mask |= 1 << index;
      yield { key, mask };
    }
  }
}
