import type { Survey } from './survey.ts';

const MEDIA = new Set(['IMG', 'VIDEO', 'AUDIO', 'INPUT']);

/** Drops list items in which nothing is left to write: buttons stood there, or what was dropped before. */
export function dropEmptyItems(survey: Survey, root: number): void {
  const { elements, ends, text, dropped } = survey;
  const end = ends[root] ?? 0;
  for (let index = root + 1; index < end; ) {
    const isEmpty = elements[index]?.nodeName === 'LI' && text[index] === 0 && !holdsMedia(survey, index);
    if (isEmpty && dropped[index] !== 1) survey.drop(index);
    index = isEmpty || dropped[index] === 1 ? (ends[index] ?? end) : index + 1;
  }
}

function holdsMedia({ elements, ends, dropped }: Survey, index: number): boolean {
  const end = ends[index] ?? 0;
  for (let inside = index + 1; inside < end; inside += 1) {
    if (dropped[inside] !== 1 && MEDIA.has(elements[inside]?.nodeName ?? '')) return true;
  }
  return false;
}
