import type { TreeNode } from '../parse/tree.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

const TAGS = new Set(['NAV', 'ASIDE', 'FOOTER']);
const ROLES = new Set('navigation banner contentinfo search complementary dialog alertdialog menu menubar'.split(' '));
/** These hold content even where their names do not say so. */
const TRUSTED = new Set('BODY MAIN ARTICLE HTML H1 P PRE CODE TABLE TBODY TR TD TH'.split(' '));
/** Something that holds more of the page's content than this is not its frame, whatever it is called. */
const MOST_OF_PAGE = 0.4;
/** A navigation or footer element may hold more: shops put whole directories there. */
const NEARLY_ALL_OF_PAGE = 0.9;
/** Comments that hold more of the page than this are what the page is about. */
const MOST_OF_DISCUSSION = 0.4;
/** An element of which this share is prose is a column of the layout, not a menu. */
const LEAST_PROSE = 0.5;

/** Drops the frame of a page: navigation, side bars, footers, banners, and what its names say is such. */
export function dropBoilerplate(survey: Survey): void {
  const { elements, ends, names, content } = survey;
  const ofPage = content[0] ?? 0;
  const believed = NAME.frame | (holdsDiscussion(survey) ? 0 : NAME.comments);
  for (let index = 1; index < elements.length; ) {
    const node = elements[index] as TreeNode;
    const own = content[index] ?? 0;
    const isFrame =
      !TRUSTED.has(node.nodeName) &&
      (((names[index] ?? 0) & believed) !== 0 || isLayout(survey, index) || isCalledFrame(node));
    const most = node.nodeName === 'NAV' || node.nodeName === 'FOOTER' ? NEARLY_ALL_OF_PAGE : MOST_OF_PAGE;
    if (isFrame && own <= ofPage * most) {
      survey.drop(index);
      index = ends[index] ?? index + 1;
    } else index += 1;
  }
}

function isLayout({ names, prose, text }: Survey, index: number): boolean {
  return ((names[index] ?? 0) & NAME.weakFrame) !== 0 && (prose[index] ?? 0) < LEAST_PROSE * (text[index] ?? 0);
}

function isCalledFrame(node: TreeNode): boolean {
  if (TAGS.has(node.nodeName)) return true;
  if (node.nodeName === 'HEADER') return !isWithinContent(node);
  const role = node.attributes.length === 0 ? null : node.getAttribute('role');
  return role !== null && ROLES.has(role);
}

function isWithinContent(node: TreeNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) {
    if (at.nodeName === 'ARTICLE' || at.nodeName === 'MAIN' || at.getAttribute('role') === 'main') return true;
  }
  return false;
}

function holdsDiscussion({ elements, ends, names, content }: Survey): boolean {
  let comments = 0;
  for (let index = 1; index < elements.length; ) {
    const isComments = ((names[index] ?? 0) & NAME.comments) !== 0 && !TRUSTED.has(elements[index]?.nodeName ?? '');
    if (isComments) comments += content[index] ?? 0;
    index = isComments ? (ends[index] ?? index + 1) : index + 1;
  }
  return comments > (content[0] ?? 0) * MOST_OF_DISCUSSION;
}
