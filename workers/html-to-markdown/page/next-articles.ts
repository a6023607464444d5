import { defined } from '../../exact/defined.ts';
import { keyOf } from '../metadata/plain-string.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** An article has so many characters of prose. */
const LEAST_PROSE = 600;
const MAX_HEADLINE_CHARACTERS = 500;

/**
 * The articles that an endless page shows below its own: each has a headline of the same rank as the title of the page, a date
 * or an author, and long text. Sections of one article have no authors, and posts of a thread have no headlines.
 */
export const nextArticles: Rule = {
  name: 'next article',
  kinds: ['article'],
  begin({ survey, about: { metadata } }) {
    const { title } = metadata;
    const titleKey = title === null ? '' : keyOf(title);
    const headline = titleKey === '' ? null : findHeadline(survey, titleKey);
    const rank = headline === null ? '' : survey.nameAt(headline);
    const countIn = headline === null ? () => 0 : counterOf(survey, rank);
    const { proseBefore } = survey;
    return {
      find(index) {
        const mayBeNext = headline !== null && index > headline && survey.nameAt(index) === rank;
        if (!mayBeNext || keyIn(survey, index) === titleKey) return 'into';
        return new Part(survey, [articleOf(survey, index, countIn)]);
      },
      isFrame({ start }) {
        const isHeadline = rank === 'H1' || survey.nameAt(start) === 'ARTICLE';
        return isHeadline && isArticle(survey, start);
      },
      isContent: ({ start }) =>
        headline === null || defined(proseBefore[start]) - defined(proseBefore[headline]) < LEAST_PROSE,
    };
  },
};

/** The first heading with the title of the page. */
function findHeadline(survey: Survey, titleKey: string): number | null {
  const found = survey.elements.findIndex(
    ({ nodeName }, index) => isHeading(nodeName) && survey.dropped[index] !== 1 && keyIn(survey, index) === titleKey,
  );
  return found < 0 ? null : found;
}

/** '' for a heading that is too long for a headline. */
function keyIn({ elements, text }: Survey, index: number): string {
  return defined(text[index]) > MAX_HEADLINE_CHARACTERS ? '' : keyOf(defined(elements[index]).textContent);
}

/** Counts the headings of a rank in an element. */
function counterOf(survey: Survey, rank: string): (index: number) => number {
  const before: number[] = [0];
  let count = 0;
  for (let index = 0; index < survey.elements.length; index += 1) {
    if (survey.nameAt(index) === rank && survey.dropped[index] !== 1) count += 1;
    before.push(count);
  }
  return (index) => defined(before[defined(survey.ends[index])]) - defined(before[index]);
}

/** The largest element around a headline without another headline of its rank. So no two of them overlap. */
function articleOf({ parents }: Survey, headline: number, countIn: (index: number) => number): number {
  let at = headline;
  for (let up = defined(parents[at]); up > 0 && countIn(up) === 1; up = defined(parents[up])) at = up;
  return at;
}

/** Whether an element has long text, and a date or an author. */
function isArticle({ elements, ends, names, prose, dropped }: Survey, article: number): boolean {
  if (defined(prose[article]) < LEAST_PROSE) return false;
  const end = defined(ends[article]);
  for (let index = article + 1; index < end; index += 1) {
    const isCredit = (defined(names[index]) & NAME.author) !== 0 || defined(elements[index]).nodeName === 'TIME';
    if (isCredit && dropped[index] !== 1) return true;
  }
  return false;
}
