import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import type { Survey } from './survey.ts';

/** Characters of prose with which a page of a kind has content of its own, besides lists of other pages. */
const LEAST_PROSE: ReadonlyMap<PageKind, number> = new Map([
  ['article', 1000],
  ['product', 300],
]);
const LEAST_CARDS = 2;
const LEAST_CHARACTERS = 20;
/** A list has at least this share of its text in links, and at most this share of prose. */
const LEAST_LINKED = 0.4;
const MOST_PROSE = 0.5;
/** A list with more of the text than this is the content. */
const MOST_OF_TEXT = 0.6;
/** A card shows another page by its title, its picture or its date. A plain link in a list is a reference. */
const MARKS = new Set('IMG PICTURE TIME H1 H2 H3 H4 H5 H6'.split(' '));

/** Drops lists of other articles from an article, and lists of other products from a product page. */
export function dropCardLists(survey: Survey, root: number, kind: PageKind): void {
  const { ends, text, prose, linked, dropped } = survey;
  const least = LEAST_PROSE.get(kind);
  if (least === undefined || defined(prose[root]) < least) return;
  const most = defined(text[root]) * MOST_OF_TEXT;
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const own = defined(text[index]);
    const isList =
      dropped[index] !== 1 &&
      own > LEAST_CHARACTERS &&
      own <= most &&
      defined(linked[index]) >= own * LEAST_LINKED &&
      defined(prose[index]) <= own * MOST_PROSE &&
      holdsCards(survey, index);
    if (isList) survey.drop(index);
    index = dropped[index] === 1 ? defined(ends[index]) : index + 1;
  }
}

/** Whether several children of an element are cards with the same tag and first class. */
function holdsCards(survey: Survey, index: number): boolean {
  const { elements, ends, linked } = survey;
  const end = defined(ends[index]);
  const shapes = new Map<string, number>();
  for (let child = index + 1; child < end; child = defined(ends[child])) {
    if (linked[child] === 0 || survey.dropped[child] === 1 || !holdsMark(survey, child)) continue;
    const { nodeName, classes } = defined(elements[child]);
    const shape = `${nodeName} ${/\S+/.exec(classes)?.[0]}`;
    const seen = (shapes.get(shape) ?? 0) + 1;
    if (seen === LEAST_CARDS) return true;
    shapes.set(shape, seen);
  }
  return false;
}

function holdsMark(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) {
    if (survey.dropped[inside] !== 1 && MARKS.has(survey.nameAt(inside))) return true;
  }
  return false;
}
