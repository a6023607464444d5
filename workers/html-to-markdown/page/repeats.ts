import { defined } from '../../exact/defined.ts';
import { isBlock, isHeading } from './elements.ts';
import type { Survey } from './survey.ts';

/** Shorter text and headings may be repeated, but not twice in a row. */
const LEAST_CHARACTERS = 40;
const LEAST_IN_A_ROW = 8;
/** Elements whose content may be repeated. */
const LITERAL = new Set(['PRE', 'TABLE']);

/**
 * Drops text that occurred earlier on the page. Pages have the same text for wide and for narrow screens, and answers quote
 * earlier posts.
 */
export function dropRepeats(survey: Survey, root: number): void {
  const { elements, ends, text, dropped } = survey;
  const seen = new Set<string>();
  let last = '';
  const end = defined(ends[root]);
  for (let index = root; index < end; ) {
    const node = defined(elements[index]);
    if (dropped[index] === 1 || LITERAL.has(node.nodeName)) {
      // Dropped text does not separate two texts, but a table or code does.
      if (dropped[index] !== 1) last = '';
      index = defined(ends[index]);
      continue;
    }
    const characters = defined(text[index]);
    if (characters < LEAST_IN_A_ROW || !isBlock(node.nodeName) || holdsBlock(survey, index)) {
      index += 1;
      continue;
    }
    const words = node.textContent.trim();
    const isLong = characters >= LEAST_CHARACTERS && !isHeading(node.nodeName);
    if (words === last || (isLong && seen.has(words))) survey.drop(index);
    else if (isLong) seen.add(words);
    last = words;
    index = defined(ends[index]);
  }
}

function holdsBlock(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) if (isBlock(survey.nameAt(inside))) return true;
  return false;
}
