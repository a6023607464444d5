import { isBlock, isHeading } from './elements.ts';
import type { Survey } from './survey.ts';

/** Shorter text is repeated with reason, headings too, but not twice in a row. */
const LEAST_CHARACTERS = 40;
const LEAST_IN_A_ROW = 8;
/** What stands in these may be the same twice. */
const LITERAL = new Set(['PRE', 'TABLE']);

/**
 * Drops text that stands on the page before: pages hold the same for wide and for narrow screens, and answers quote what
 * they answer.
 */
export function dropRepeats(survey: Survey, root: number): void {
  const { elements, ends, text, dropped } = survey;
  const seen = new Set<string>();
  let last = '';
  const end = ends[root] ?? 0;
  for (let index = root; index < end; ) {
    const node = elements[index];
    if (node === undefined || dropped[index] === 1 || LITERAL.has(node.nodeName)) {
      // Dropped text is not between two others; a table or code is.
      if (dropped[index] !== 1) last = '';
      index = ends[index] ?? end;
      continue;
    }
    const characters = text[index] ?? 0;
    if (characters < LEAST_IN_A_ROW || !isBlock(node.nodeName) || holdsBlock(survey, index)) {
      index += 1;
      continue;
    }
    const words = node.textContent.trim();
    const isLong = characters >= LEAST_CHARACTERS && !isHeading(node.nodeName);
    if (words === last || (isLong && seen.has(words))) survey.drop(index);
    else if (isLong) seen.add(words);
    last = words;
    index = ends[index] ?? end;
  }
}

function holdsBlock({ elements, ends }: Survey, index: number): boolean {
  const end = ends[index] ?? 0;
  for (let inside = index + 1; inside < end; inside += 1) if (isBlock(elements[inside]?.nodeName ?? '')) return true;
  return false;
}
