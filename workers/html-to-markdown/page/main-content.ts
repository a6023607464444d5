import { defined } from '../../exact/defined.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** An element that is named as main content is believed if it has this share of the page's content and of its prose. */
const LEAST_OF_PAGE = 0.35;
/** Articles outside an article with more than this share of its content make it one of several. */
const MOST_OF_OTHERS = 0.5;
/** Characters of the content of a page with little text. */
const LITTLE = 500;
/** The core has this share of the prose, or of the content if there is little prose, and this share of the text. */
const LEAST_OF_CORE = 0.7;
const LEAST_TEXT = 0.5;
/** Characters of prose that tell where the text is. */
const LEAST_PROSE = 200;
const CONTAINERS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN']);

/**
 * Index of the element with the content of a page whose frame was dropped: the one with the most content of those that are
 * named as main content. 0, the whole page, if there is none.
 */
export function findMainContent(survey: Survey): number {
  const { elements, names, content, prose, dropped } = survey;
  const least = defined(content[0]) * LEAST_OF_PAGE;
  const leastProse = defined(prose[0]) * LEAST_OF_PAGE;
  const hasLittle = prose[0] === 0 && defined(content[0]) < LITTLE;
  const inArticles = countInArticles(survey);
  let best = 0;
  for (let index = 1; index < elements.length; index += 1) {
    if ((defined(names[index]) & NAME.main) === 0 || dropped[index] === 1) continue;
    const own = defined(content[index]);
    // A page with little text may be an album.
    const isAlbum = hasLittle && survey.nameAt(index) === 'MAIN' && titleIn(survey, index) > 0;
    if ((own < least || defined(prose[index]) < leastProse) && !isAlbum) continue;
    // One article of a list or of a thread.
    if (survey.nameAt(index) === 'ARTICLE' && inArticles - own > own * MOST_OF_OTHERS) continue;
    if (best === 0 || own > defined(content[best])) best = index;
  }
  return withTitle(survey, best);
}

/** The element itself if it has a first-level heading, or else the innermost one that also has the one heading before it. */
function withTitle(survey: Survey, root: number): number {
  const title = titleIn(survey, 0);
  const isOnly = title > 0 && title < root && titleIn(survey, title, root) < 0 && titleIn(survey, root) < 0;
  let around = root;
  while (isOnly && around > title) around = defined(survey.parents[around]);
  // A heading beside all of the content is that of the site.
  return around > 0 ? around : root;
}

/** Index of the first first-level heading in an element, up to an index. -1 if it has none. */
function titleIn({ elements, ends, text, dropped }: Survey, root: number, end = defined(ends[root])): number {
  for (let index = root + 1; index < end; index += 1) {
    if (defined(elements[index]).nodeName === 'H1' && dropped[index] !== 1 && text[index] !== 0) return index;
  }
  return -1;
}

/** Content of the outermost articles. */
function countInArticles(survey: Survey): number {
  const { elements, ends, content, dropped } = survey;
  let sum = 0;
  for (let index = 1; index < elements.length; ) {
    const isArticle = dropped[index] !== 1 && survey.nameAt(index) === 'ARTICLE';
    if (isArticle) sum += defined(content[index]);
    index = isArticle ? defined(ends[index]) : index + 1;
  }
  return sum;
}

/** Index of the innermost container with most of what is to be read in `root`. */
export function findCore(survey: Survey, root: number): number {
  const { ends, dropped, content, prose, text } = survey;
  const counts = defined(prose[root]) >= LEAST_PROSE ? prose : content;
  const least = Math.max(1, defined(counts[root]) * LEAST_OF_CORE);
  const leastText = defined(text[root]) * LEAST_TEXT;
  let core = root;
  for (let index = root + 1; index < defined(ends[core]); ) {
    const isMost = defined(counts[index]) >= least && defined(text[index]) >= leastText;
    const isBetter = isMost && dropped[index] !== 1 && CONTAINERS.has(survey.nameAt(index));
    if (isBetter) core = index;
    index = isBetter ? index + 1 : defined(ends[index]);
  }
  return core;
}
