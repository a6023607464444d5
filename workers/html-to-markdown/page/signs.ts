import { defined } from '../../exact/defined.ts';
import { ELEMENT, type TreeNode } from '../parse/tree.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** Elements of forms and controls, and dates of posts. */
const SIGNS = new Set('INPUT TEXTAREA SELECT BUTTON TIME'.split(' '));
const SIGN_NAMES = NAME.comments | NAME.reviews | NAME.author | NAME.offer;
/** Most levels between a heading and its link. */
const MAX_LEVELS = 4;

/**
 * What tells frame from content in a part of a page. `frame`: fields, controls, dates, classes of posts, authors and offers,
 * headings that are links to other pages. `content`: code and tables, whatever is beside them.
 */
export function signIn({ elements, names }: Survey, start: number, end: number): 'frame' | 'content' | null {
  let sign: 'frame' | null = null;
  for (let index = start + 1; index < end; index += 1) {
    const node = defined(elements[index]);
    const { nodeName } = node;
    if (nodeName === 'PRE' || nodeName === 'TABLE') return 'content';
    if (SIGNS.has(nodeName) || isNamed(defined(names[index])) || (nodeName === 'A' && announces(node))) sign = 'frame';
  }
  return sign;
}

function isNamed(names: number): boolean {
  return (names & SIGN_NAMES) !== 0 && (names & NAME.fromId) === 0;
}

/** Whether a link leads to another page, and a heading is in or around it: it announces that page. */
function announces(link: TreeNode): boolean {
  const href = link.getAttribute('href');
  if (href === null || href.includes('#')) return false;
  let up = link.parentNode;
  for (let level = 0; level < MAX_LEVELS && up !== null; level += 1, up = up.parentNode)
    if (isHeading(up.nodeName)) return true;
  return holdsHeading(link);
}

function holdsHeading(link: TreeNode): boolean {
  for (const { nodeType, nodeName } of link.descendants()) if (nodeType === ELEMENT && isHeading(nodeName)) return true;
  return false;
}
