import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import { isBlock, isHeading } from './elements.ts';
import { NAME } from './names.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import { isSource } from './sources.ts';
import type { Survey } from './survey.ts';

/** Elements of an article that hold its text whatever their classes say. */
const TRUSTED = new Set(['P', 'ARTICLE', 'SECTION', 'A', 'PRE', 'TABLE']);
const ABOUT_ARTICLE = NAME.articleDetail | NAME.author;
const MAX_ARTICLE_DETAIL = 1500;
const MAX_OFFER = 500;
/** A longer paragraph that is a link is a reference, and a longer link to another site may be a source. */
const MAX_LINK_LABEL = 20;
/** A line with at least this share of its text in links is a link. */
const LEAST_LINKED = 0.85;
const MAX_POST_DETAIL = 300;
/** An element with more of the text than this is not about the text. */
const MOST_OF_TEXT = 0.2;

/** What is said about an article or about the posts of a thread: authors, votes, buttons, offers, signatures. */
export const details: Rule = {
  name: 'detail',
  kinds: ['article', 'thread'],
  begin({ survey, about: { kind, host }, root }) {
    const { text } = survey;
    const most = defined(text[root]) * MOST_OF_TEXT;
    const isDetail = kind === 'article' ? isArticleDetail : isPostDetail;
    return {
      find(index) {
        const own = defined(text[index]);
        const mayBeDetail = own > 0 && own <= most && !isHeading(survey.nameAt(index));
        return mayBeDetail && isDetail(survey, index, host) ? new Part(survey, [index]) : 'into';
      },
      isFrame: () => true,
      isContent: () => false,
    };
  },
};

function isArticleDetail(survey: Survey, index: number, host: string | null): boolean {
  const name = survey.nameAt(index);
  const names = defined(survey.names[index]);
  const characters = defined(survey.text[index]);
  if (characters > MAX_ARTICLE_DETAIL) return false;
  if (name === 'SECTION') return (names & NAME.author) !== 0;
  if ((name === 'DIV' || (name === 'P' && characters <= MAX_LINK_LABEL)) && isOnlyLink(survey, index, host))
    return true;
  if (TRUSTED.has(name)) return false;
  return (names & ABOUT_ARTICLE) !== 0 || ((names & NAME.offer) !== 0 && characters <= MAX_OFFER);
}

/** Whether an element is a line that is a link as a whole: a card or a button. A link to a file or to another site is a source. */
function isOnlyLink(survey: Survey, index: number, host: string | null): boolean {
  const { ends, text, linked } = survey;
  if (defined(linked[index]) < defined(text[index]) * LEAST_LINKED) return false;
  const around = linkAround(survey, index);
  if (around !== null && isSource(around, host)) return false;
  const end = defined(ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) {
    const name = survey.nameAt(inside);
    if (isBlock(name) || name === 'IMG') return false;
    const isLabel = defined(text[inside]) <= MAX_LINK_LABEL;
    if (name === 'A' && isSource(defined(survey.elements[inside]), isLabel ? null : host)) return false;
  }
  return true;
}

function linkAround({ elements, parents }: Survey, index: number): TreeNode | null {
  let up = defined(parents[index]);
  while (up > 0 && defined(elements[up]).nodeName !== 'A') up = defined(parents[up]);
  return up > 0 ? defined(elements[up]) : null;
}

/** Posts are short, so only what has no prose and is not named as text is a detail. */
function isPostDetail({ names, text, prose }: Survey, index: number): boolean {
  const isNamed = (defined(names[index]) & (NAME.postDetail | NAME.postText)) === NAME.postDetail;
  return isNamed && defined(text[index]) <= MAX_POST_DETAIL && prose[index] === 0;
}
