import { defined } from '../../exact/defined.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** Elements that hold content whatever their classes say. */
const TRUSTED = new Set('BODY MAIN ARTICLE HTML H1 P PRE CODE TABLE TBODY TR TD TH'.split(' '));
/** An element with more of the page's content than this is not part of the frame, whatever its name. */
const MOST_OF_PAGE = 0.4;
/** A navigation or footer element may have more: shops put whole directories there. */
const NEARLY_ALL_OF_PAGE = 0.9;
/** Comments with more of the page's content than this are the subject of the page. */
const MOST_OF_DISCUSSION = 0.4;
/** An element with this share of prose is a column of the layout, not a menu. */
const LEAST_PROSE = 0.5;

/** Drops the frame of a page: navigation, sidebars, footers, banners and other elements with such names. */
export function dropBoilerplate(survey: Survey): void {
  const { elements, ends, content, names } = survey;
  const ofPage = defined(content[0]);
  const believed = NAME.frame | (holdsDiscussion(survey) ? 0 : NAME.comments);
  for (let index = 1; index < elements.length; ) {
    const name = survey.nameAt(index);
    const bits = defined(names[index]);
    const isFrame = (bits & believed) !== 0 || (bits !== 0 && (isMenu(survey, index) || isPageHeader(survey, index)));
    const most = name === 'NAV' || name === 'FOOTER' ? NEARLY_ALL_OF_PAGE : MOST_OF_PAGE;
    if (isFrame && !TRUSTED.has(name) && defined(content[index]) <= ofPage * most) {
      survey.drop(index);
      index = defined(ends[index]);
    } else index += 1;
  }
}

function isMenu({ names, prose, text }: Survey, index: number): boolean {
  const isWeakFrame = (defined(names[index]) & NAME.weakFrame) !== 0;
  return isWeakFrame && defined(prose[index]) < LEAST_PROSE * defined(text[index]);
}

function isPageHeader({ names, parents }: Survey, index: number): boolean {
  if ((defined(names[index]) & NAME.header) === 0) return false;
  for (let up = defined(parents[index]); up >= 0; up = defined(parents[up]))
    if ((defined(names[up]) & NAME.main) !== 0) return false;
  return true;
}

function holdsDiscussion(survey: Survey): boolean {
  const { elements, ends, names, content } = survey;
  let comments = 0;
  for (let index = 1; index < elements.length; ) {
    const isComments = (defined(names[index]) & NAME.comments) !== 0 && !TRUSTED.has(survey.nameAt(index));
    if (isComments) comments += defined(content[index]);
    index = isComments ? defined(ends[index]) : index + 1;
  }
  return comments > defined(content[0]) * MOST_OF_DISCUSSION;
}
