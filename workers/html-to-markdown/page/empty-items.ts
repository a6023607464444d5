import { defined } from '../../exact/defined.ts';
import { Part } from './part.ts';
import { ALL_KINDS, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';

const MEDIA = new Set('IMG VIDEO AUDIO INPUT IFRAME OBJECT EMBED MATH AMP-IMG AMP-VIDEO AMP-YOUTUBE'.split(' '));

/** List items without content to write. They had buttons, or their content was dropped before. */
export const emptyItems: Rule = {
  name: 'empty item',
  kinds: ALL_KINDS,
  begin({ survey }) {
    return {
      find: (index) => (survey.nameAt(index) === 'LI' && survey.text[index] === 0 ? new Part(survey, [index]) : 'into'),
      isFrame: () => true,
      isContent: ({ start }) => holdsMedia(survey, start),
    };
  },
};

function holdsMedia(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) {
    if (survey.dropped[inside] !== 1 && MEDIA.has(survey.nameAt(inside))) return true;
  }
  return false;
}
