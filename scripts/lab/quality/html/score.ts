import type { LabeledPage } from './corpus.ts';
import { plainText } from './plain-text.ts';

export interface Converted {
  readonly markdown: string;
  readonly title?: string | null | undefined;
  readonly byline?: string | null | undefined;
}

export interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

const SHINGLE_WORDS = 4;

/** The scores of one page. Shares are 0 to 1. A score is undefined if the ground truth has no value for it. */
export interface PageScore {
  readonly id: string;
  readonly type: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number | undefined;
  /** Precision, recall and F1 of the runs of 4 words, for an article. They also tell a wrong order. */
  readonly shingles: Agreement | undefined;
  readonly present: number | undefined;
  readonly absent: number | undefined;
  readonly isTitleExact: boolean | undefined;
  /** Defined for a page with an author. */
  readonly isAuthorExact: boolean | undefined;
  /** Defined for a page without an author: whether the converter reported an author. */
  readonly isAuthorFalse: boolean | undefined;
}

export function scorePage(page: LabeledPage, converted: Converted): PageScore {
  const text = plainText(converted.markdown);
  const words = wordsOf(text);
  const truth = wordsOf(plainText(page.mainContent));
  const { precision, recall, f1 } = compareWords(words, truth);
  const folded = normalize(text);
  const isIn = (snippet: string) => folded.includes(normalize(plainText(snippet)));
  const author = converted.byline ?? null;
  return {
    id: page.id,
    type: page.type,
    precision,
    recall,
    f1: page.mainContent.trim() === '' ? undefined : f1,
    shingles:
      page.type === 'article' && truth.length >= SHINGLE_WORDS
        ? compareWords(shinglesOf(words), shinglesOf(truth))
        : undefined,
    present: share(page.present, isIn),
    absent: share(page.absent, (snippet) => !isIn(snippet)),
    isTitleExact: page.title === null ? undefined : normalize(page.title) === normalize(converted.title ?? ''),
    isAuthorExact: page.author === null ? undefined : normalize(page.author) === normalize(author ?? ''),
    isAuthorFalse: page.author === null ? author !== null : undefined,
  };
}

function share(snippets: readonly string[], isMet: (snippet: string) => boolean): number | undefined {
  return snippets.length === 0 ? undefined : snippets.filter(isMet).length / snippets.length;
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
}

function shinglesOf(words: readonly string[]): readonly string[] {
  const starts = words.slice(0, Math.max(0, words.length - SHINGLE_WORDS + 1));
  return starts.map((_, start) => words.slice(start, start + SHINGLE_WORDS).join(' '));
}

/** Makes texts equal that differ only in case, white space or the shape of quotation marks and dashes. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’´`]/gu, "'")
    .replace(/[“”«»]/gu, '"')
    .replace(/[–—]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Compares the two multisets of words, or of shingles. */
function compareWords(words: readonly string[], truth: readonly string[]): Agreement {
  const counts = new Map<string, number>();
  for (const word of truth) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of words) {
    const left = counts.get(word) ?? 0;
    if (left > 0) common += 1;
    counts.set(word, left - 1);
  }
  const precision = words.length === 0 ? 0 : common / words.length;
  const recall = truth.length === 0 ? 0 : common / truth.length;
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
