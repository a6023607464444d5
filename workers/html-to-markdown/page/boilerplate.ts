import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

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
  const { elements, ends, content, names } = survey;
  const ofPage = content[0] ?? 0;
  const believed = NAME.frame | (holdsDiscussion(survey) ? 0 : NAME.comments);
  for (let index = 1; index < elements.length; ) {
    const name = elements[index]?.nodeName ?? '';
    const bits = names[index] ?? 0;
    const isFrame = (bits & believed) !== 0 || (bits !== 0 && (isMenu(survey, index) || isPageHeader(survey, index)));
    const most = name === 'NAV' || name === 'FOOTER' ? NEARLY_ALL_OF_PAGE : MOST_OF_PAGE;
    if (isFrame && !TRUSTED.has(name) && (content[index] ?? 0) <= ofPage * most) {
      survey.drop(index);
      index = ends[index] ?? index + 1;
    } else index += 1;
  }
}

function isMenu({ names, prose, text }: Survey, index: number): boolean {
  return ((names[index] ?? 0) & NAME.weakFrame) !== 0 && (prose[index] ?? 0) < LEAST_PROSE * (text[index] ?? 0);
}

function isPageHeader({ names, parents }: Survey, index: number): boolean {
  if (((names[index] ?? 0) & NAME.header) === 0) return false;
  for (let up = parents[index] ?? -1; up >= 0; up = parents[up] ?? -1)
    if (((names[up] ?? 0) & NAME.main) !== 0) return false;
  return true;
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
