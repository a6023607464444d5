import { isBlock } from './elements.ts';
import type { Survey } from './survey.ts';

/** Shorter text is repeated with reason. */
const LEAST_CHARACTERS = 40;
/** What stands in these may be the same twice. */
const LITERAL = new Set(['PRE', 'TABLE']);

/**
 * Drops paragraphs that stand on the page before: pages hold the same text for wide and for narrow screens, and answers
 * quote what they answer.
 */
export function dropRepeats(survey: Survey, root: number): void {
  const { elements, ends, text, dropped } = survey;
  const seen = new Set<string>();
  const end = ends[root] ?? 0;
  for (let index = root; index < end; ) {
    const node = elements[index];
    if (node === undefined || dropped[index] === 1 || LITERAL.has(node.nodeName)) {
      index = ends[index] ?? index + 1;
      continue;
    }
    if ((text[index] ?? 0) >= LEAST_CHARACTERS && isBlock(node.nodeName) && !holdsBlock(survey, index)) {
      const words = node.textContent.trim();
      if (seen.has(words)) survey.drop(index);
      else seen.add(words);
      index = ends[index] ?? index + 1;
    } else index += 1;
  }
}

function holdsBlock({ elements, ends }: Survey, index: number): boolean {
  const end = ends[index] ?? 0;
  for (let inside = index + 1; inside < end; inside += 1) if (isBlock(elements[inside]?.nodeName ?? '')) return true;
  return false;
}
