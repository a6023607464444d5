import { defined } from '../../exact/defined.ts';
import type { Survey } from './survey.ts';

const MEDIA = new Set('IMG VIDEO AUDIO INPUT IFRAME OBJECT EMBED MATH AMP-IMG AMP-VIDEO AMP-YOUTUBE'.split(' '));

/** Drops list items without content to write. They had buttons, or their content was dropped before. */
export function dropEmptyItems(survey: Survey, root: number): void {
  const { ends, text, dropped } = survey;
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const isEmpty = survey.nameAt(index) === 'LI' && text[index] === 0 && !holdsMedia(survey, index);
    if (isEmpty && dropped[index] !== 1) survey.drop(index);
    index = isEmpty || dropped[index] === 1 ? defined(ends[index]) : index + 1;
  }
}

function holdsMedia(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) {
    if (survey.dropped[inside] !== 1 && MEDIA.has(survey.nameAt(inside))) return true;
  }
  return false;
}
