import { defined } from '../../exact/defined.ts';
import { ELEMENT, type TreeNode } from '../parse/tree.ts';
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

/**
 * What tells frame from content in a part of a page. `frame`: fields, controls, dates, classes of posts, authors and offers,
 * headings that are links to other pages. `content`: code and tables, whatever is beside them.
 */
export function signIn(survey: Survey, start: number, end: number): 'frame' | 'content' | null {
  const { elements, names } = survey;
  let sign: 'frame' | null = null;
  for (let index = start + 1; index < end; index += 1) {
    const node = defined(elements[index]);
    const { nodeName } = node;
    if (nodeName === 'PRE' || nodeName === 'TABLE') return 'content';
    if (SIGNS.has(nodeName) || isNamed(defined(names[index])) || (nodeName === 'A' && announces(survey, index)))
      sign = 'frame';
  }
  return sign;
}

function isNamed(names: number): boolean {
  return (names & SIGN_NAMES) !== 0 && (names & NAME.fromId) === 0;
}

/** Whether a link to another page is around a heading, or is most of one: it announces that page. */
function announces({ elements, parents, text, linked }: Survey, index: number): boolean {
  const link = defined(elements[index]);
  const href = link.getAttribute('href');
  if (href === null || href.includes('#')) return false;
  let up = defined(parents[index]);
  for (let level = 0; level < MAX_LEVELS && up > 0; level += 1, up = defined(parents[up])) {
    if (isHeading(defined(elements[up]).nodeName)) return defined(linked[up]) >= LEAST_ANNOUNCED * defined(text[up]);
  }
  return holdsHeading(link);
}

function holdsHeading(link: TreeNode): boolean {
  for (const { nodeType, nodeName } of link.descendants()) if (nodeType === ELEMENT && isHeading(nodeName)) return true;
  return false;
}
