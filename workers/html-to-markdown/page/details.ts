import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { isBlock, isHeading } from './elements.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** Elements of an article that hold its text whatever their classes say. */
const TRUSTED = new Set(['P', 'ARTICLE', 'SECTION', 'A', 'PRE', 'TABLE']);
const ABOUT_ARTICLE = NAME.articleDetail | NAME.author;
const MAX_ARTICLE_DETAIL = 1500;
const MAX_OFFER = 500;
/** A longer paragraph that is a link is a reference. */
const MAX_LINK_LABEL = 20;
/** A line with at least this share of its text in links is a link. */
const LEAST_LINKED = 0.85;
const MAX_POST_DETAIL = 300;
/** An element with more of the text than this is not about the text. */
const MOST_OF_TEXT = 0.2;

/** Drops what is said about an article or about the posts of a thread: authors, votes, buttons, offers, signatures. */
export function dropDetails(survey: Survey, root: number, kind: PageKind): void {
  if (kind !== 'article' && kind !== 'thread') return;
  const { ends, text, dropped } = survey;
  const isDetail = kind === 'article' ? isArticleDetail : isPostDetail;
  const most = defined(text[root]) * MOST_OF_TEXT;
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const own = defined(text[index]);
    const mayBeDetail = dropped[index] !== 1 && own > 0 && own <= most && !isHeading(survey.nameAt(index));
    if (mayBeDetail && isDetail(survey, index)) survey.drop(index);
    index = dropped[index] === 1 ? defined(ends[index]) : index + 1;
  }
}

function isArticleDetail(survey: Survey, index: number): boolean {
  const name = survey.nameAt(index);
  const names = defined(survey.names[index]);
  const characters = defined(survey.text[index]);
  if (characters > MAX_ARTICLE_DETAIL) return false;
  if (name === 'SECTION') return (names & NAME.author) !== 0;
  if ((name === 'DIV' || (name === 'P' && characters <= MAX_LINK_LABEL)) && isOnlyLink(survey, index)) return true;
  if (TRUSTED.has(name)) return false;
  return (names & ABOUT_ARTICLE) !== 0 || ((names & NAME.offer) !== 0 && characters <= MAX_OFFER);
}

/** Whether an element is a line that is a link as a whole: a card or a button. */
function isOnlyLink(survey: Survey, index: number): boolean {
  const { ends, text, linked } = survey;
  if (defined(linked[index]) < defined(text[index]) * LEAST_LINKED) return false;
  const end = defined(ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) {
    const name = survey.nameAt(inside);
    if (isBlock(name) || name === 'IMG') return false;
  }
  return true;
}

/** Posts are short, so only what has no prose and is not named as text is a detail. */
function isPostDetail({ names, text, prose }: Survey, index: number): boolean {
  const isNamed = (defined(names[index]) & (NAME.postDetail | NAME.postText)) === NAME.postDetail;
  return isNamed && defined(text[index]) <= MAX_POST_DETAIL && prose[index] === 0;
}
