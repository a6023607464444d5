import { defined } from '../../exact/defined.ts';
import { holdsTeasers } from './card-lists.ts';
import { findCore } from './main-content.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** Characters of prose with which a part before the text is a lead. */
const LEAST_LEAD = 200;
const MEDIA = new Set('FIGURE VIDEO AUDIO IFRAME'.split(' '));

/** What stands around the core of the content, in containers of its own, and leads away. */
export const outside: Rule = {
  name: 'outside the text',
  kinds: ['article', 'product', 'thread', 'other'],
  begin({ survey, about: { kind, host, metadata }, root }) {
    const isAboutOne = kind === 'article' || kind === 'product';
    const { ends, parents, text, linked } = survey;
    const core = findCore(survey, root);
    const coreEnd = defined(ends[core]);
    /** Elements whose children are judged: those around the core, and parts with more than signs of a frame. */
    const open = new Set([root]);
    /** The child that is around the core, of an element around it. */
    const inner = new Map<number, number>();
    for (let at = core; at > root; at = defined(parents[at])) {
      open.add(at);
      inner.set(defined(parents[at]), at);
    }
    return {
      find(index) {
        if (index >= core && index < coreEnd) return 'past';
        if (open.has(index)) return 'into';
        return open.has(defined(parents[index])) ? new Part(survey, [index]) : 'past';
      },
      isFrame: (part) =>
        part.text === 0
          ? !holdsMedia(survey, part)
          : part.leadsAway() ||
            (isAboutOne && holdsTeasers(survey, part, host)) ||
            (kind === 'article' && namesAuthor(survey, part, metadata.byline)),
      isContent(part) {
        const { start, heading } = part;
        const isBefore = start < core;
        const name = survey.nameAt(heading < 0 ? start : heading);
        if (heading >= 0 && part.text <= defined(text[heading]) && (isBefore || name === 'H1')) {
          return name === 'H1' || defined(linked[heading]) * 2 < part.text;
        }
        const sibling = inner.get(defined(parents[start]));
        if (sibling !== undefined && isOfClass(survey, start, sibling)) return true;
        const isMore = isBefore && (part.prose >= LEAST_LEAD || holdsTitle(survey, part));
        if (isMore) open.add(start);
        return isMore;
      },
    };
  },
};

/** Whether an element has the same classes as another one, which has some. */
function isOfClass({ elements }: Survey, index: number, other: number): boolean {
  const { classes } = defined(elements[other]);
  return classes !== '' && classes === defined(elements[index]).classes;
}

function holdsMedia(survey: Survey, { start, end }: Part): boolean {
  for (let index = start; index < end; index += 1) {
    if (survey.dropped[index] !== 1 && MEDIA.has(survey.nameAt(index))) return true;
  }
  return false;
}

function holdsTitle(survey: Survey, { start, end }: Part): boolean {
  for (let index = start + 1; index < end; index += 1) {
    if (survey.dropped[index] !== 1 && survey.nameAt(index) === 'H1' && survey.text[index] !== 0) return true;
  }
  return false;
}

const MAX_BEFORE_NAME = 40;
const MAX_ABOUT_AUTHOR = 1000;
/** Whether a part begins with the name of the author. */
function namesAuthor({ elements }: Survey, { start, text }: Part, byline: string | null): boolean {
  if (byline === null || text > MAX_ABOUT_AUTHOR) return false;
  const at = defined(elements[start]).textContent.trim().replace(/\s+/g, ' ').indexOf(byline);
  return at >= 0 && at <= MAX_BEFORE_NAME;
}
