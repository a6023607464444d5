import { defined } from '../../exact/defined.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** Elements of forms and controls, and dates of posts. */
const SIGNS = new Set('INPUT TEXTAREA SELECT BUTTON TIME'.split(' '));
const SIGN_NAMES = NAME.comments | NAME.reviews | NAME.author | NAME.offer;
/** A heading with at least this share of its text in links announces what they lead to. */
const LEAST_ANNOUNCED = 0.5;
/** Most levels between a heading and its link. */
const MAX_LEVELS = 4;

/** What tells frame from content in a part of a page. */
export interface Signs {
  /** Fields, controls, dates, classes of posts, authors and offers, headings that are links to other pages. */
  readonly ofFrame: boolean;
  /** Code and tables. */
  readonly ofContent: boolean;
}

/** The signs in an element, or in several: from the first one, which is not a sign itself, to the end of the last one. */
export function signsIn(survey: Survey, start: number, end: number): Signs {
  const { elements, names } = survey;
  let ofFrame = false;
  let ofContent = false;
  for (let index = start + 1; index < end && !(ofFrame && ofContent); index += 1) {
    const { nodeName } = defined(elements[index]);
    ofContent ||= nodeName === 'PRE' || nodeName === 'TABLE';
    ofFrame ||= SIGNS.has(nodeName) || isNamed(defined(names[index])) || (nodeName === 'A' && announces(survey, index));
  }
  return { ofFrame, ofContent };
}

function isNamed(names: number): boolean {
  return (names & SIGN_NAMES) !== 0 && (names & NAME.fromId) === 0;
}

/** Whether a link to another page is around a heading, or is most of one: it announces that page. */
function announces(survey: Survey, index: number): boolean {
  const { elements, parents, text, linked } = survey;
  const href = defined(elements[index]).getAttribute('href');
  if (href === null || href.includes('#')) return false;
  let up = defined(parents[index]);
  for (let level = 0; level < MAX_LEVELS && up > 0; level += 1, up = defined(parents[up])) {
    if (isHeading(defined(elements[up]).nodeName)) return defined(linked[up]) >= LEAST_ANNOUNCED * defined(text[up]);
  }
  return holdsHeading(survey, index);
}

function holdsHeading({ elements, ends }: Survey, index: number): boolean {
  for (let inside = index + 1; inside < defined(ends[index]); inside += 1) {
    if (isHeading(defined(elements[inside]).nodeName)) return true;
  }
  return false;
}
