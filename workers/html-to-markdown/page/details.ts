import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import type { Survey } from './survey.ts';

/** Elements of an article that hold its text whatever their classes say. */
const TRUSTED = new Set(['P', 'ARTICLE', 'SECTION', 'A', 'PRE', 'TABLE']);
const MAX_ARTICLE_DETAIL = 1500;
const MAX_POST_DETAIL = 300;
/** An element with more of the text than this is not about the text. */
const MOST_OF_TEXT = 0.2;

/** Drops what is said about an article or about the posts of a thread: authors, votes, buttons, signatures. */
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
  const isNamed = (defined(survey.names[index]) & NAME.articleDetail) !== 0;
  return isNamed && defined(survey.text[index]) <= MAX_ARTICLE_DETAIL && !TRUSTED.has(survey.nameAt(index));
}

/** Posts are short, so only what has no prose and is not named as text is a detail. */
function isPostDetail({ names, text, prose }: Survey, index: number): boolean {
  const isNamed = (defined(names[index]) & (NAME.postDetail | NAME.postText)) === NAME.postDetail;
  return isNamed && defined(text[index]) <= MAX_POST_DETAIL && prose[index] === 0;
}
