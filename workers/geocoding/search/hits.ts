import type { NameTable, Posting } from '../gazetteer/names.ts';
import { maskOf, type Token } from './query.ts';

/** A span of the query that is a name. */
export interface Hit extends Posting {
  /** The words as they were written, or the name that a misspelt word stands for. */
  readonly written: string;
  readonly key: string;
  /** Bits of its tokens. */
  readonly mask: number;
  readonly isMisspelt: boolean;
}

const MAX_SPAN_TOKENS = 12;

/** Every span within a segment that is a name. */
export function findHits(tokens: readonly Token[], names: NameTable): readonly Hit[] {
  const hits: Hit[] = [];
  const words = maskOf(tokens, ({ isNumber }) => !isNumber);
  for (const { written, key, mask } of spansOf(tokens, MAX_SPAN_TOKENS)) {
    // A number alone, or the BD of 3511 BD, is not a name. Nor is one letter of several words.
    if ((mask & words) === 0 || (/^[a-z]$/.test(key) && tokens.length > 1)) continue;
    const posting = names.find(key);
    if (posting !== undefined) hits.push({ ...posting, written, key, mask, isMisspelt: false });
  }
  return hits;
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
