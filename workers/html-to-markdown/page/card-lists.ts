import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import { isSource } from './sources.ts';
import type { Survey } from './survey.ts';

/** Characters of prose with which a page of a kind has content of its own, besides lists of other pages. */
const LEAST_PROSE: ReadonlyMap<PageKind, number> = new Map([
  ['article', 1000],
  ['product', 300],
]);
const LISTS = new Set(['UL', 'OL']);
const LEAST_CARDS = 2;
const LEAST_CHARACTERS = 20;
/** A list has at least this share of its text in links, and at most this share of prose. */
const LEAST_LINKED = 0.4;
const MOST_PROSE = 0.5;
/** A list with more of the text than this is the content. */
const MOST_OF_TEXT = 0.6;
/** The share of the text of a part that is named as frame. */
const LEAST_OF_CARDS = 0.6;
/** A card shows another page by its title, its picture or its date. A plain link in a list is a reference. */
const MARKS = new Set('IMG PICTURE TIME H1 H2 H3 H4 H5 H6'.split(' '));

/** Teasers are at least so many, each of at most so many characters. */
const LEAST_TEASERS = 3;
const MAX_TEASER = 300;
/** The share of the text of a part that they have. */
const LEAST_OF_TEASERS = 0.5;

/** Lists of other articles in an article, and lists of other products on a product page. */
export const cardLists: Rule = {
  name: 'list of other pages',
  kinds: [...LEAST_PROSE.keys()],
  begin({ survey, about: { kind, host }, root }) {
    const { text } = survey;
    const least = LEAST_PROSE.get(kind) ?? 0;
    const hasOwn = defined(survey.prose[root]) >= least;
    const most = defined(text[root]) * MOST_OF_TEXT;
    return {
      find(index) {
        const own = defined(text[index]);
        const mayBeList = hasOwn && own > LEAST_CHARACTERS && own <= most;
        return mayBeList && defined(survey.linked[index]) >= own * LEAST_LINKED ? new Part(survey, [index]) : 'into';
      },
      isFrame: ({ start }) => holdsCards(survey, start, host),
      isContent: (part) => part.prose > part.text * MOST_PROSE,
    };
  },
};

/** Whether most of an element is cards of one shape. */
export function isOfCards(survey: Survey, index: number, host: string | null): boolean {
  const least = defined(survey.text[index]) * LEAST_OF_CARDS;
  let list = index;
  for (let at: number | undefined = index; at !== undefined; ) {
    list = at;
    at = survey.childrenOf(list).find((child) => defined(survey.text[child]) >= least);
  }
  return holdsCards(survey, list, host, least);
}

/** Whether several children of an element are cards with the same tag and first class, and together at least so much text. */
function holdsCards(survey: Survey, index: number, host: string | null, least = 0): boolean {
  const { elements, ends, linked } = survey;
  const end = defined(ends[index]);
  const shapes = new Map<string, { seen: number; text: number }>();
  for (let child = index + 1; child < end; child = defined(ends[child])) {
    if (linked[child] === 0 || survey.dropped[child] === 1 || !isCard(survey, child, host)) continue;
    const { nodeName, classes } = defined(elements[child]);
    const shape = `${nodeName} ${/\S+/.exec(classes)?.[0]}`;
    const { seen, text } = shapes.get(shape) ?? { seen: 0, text: 0 };
    const cards = { seen: seen + 1, text: text + defined(survey.text[child]) };
    if (cards.seen >= LEAST_CARDS && cards.text >= least) return true;
    shapes.set(shape, cards);
  }
  return false;
}

/** Whether an element has a sign of a card, and a link to a page of the same site. */
function isCard(survey: Survey, index: number, host: string | null): boolean {
  let hasMark = false;
  let leadsAway = false;
  for (let at = index; at < defined(survey.ends[index]) && !(hasMark && leadsAway); at += 1) {
    if (survey.dropped[at] === 1) continue;
    const node = defined(survey.elements[at]);
    hasMark ||= MARKS.has(node.nodeName);
    leadsAway ||= node.nodeName === 'A' && !isSource(node, host);
  }
  return hasMark && leadsAway;
}

/** Whether most of a part is teasers: items of a list that begin with a link to another page of the site. */
export function holdsTeasers(survey: Survey, { start, end, text }: Part, host: string | null): boolean {
  const { elements, parents, dropped } = survey;
  const found = new Map<number, Set<number>>();
  for (let link = start + 1; link < end; link += 1) {
    const node = defined(elements[link]);
    if (node.nodeName !== 'A' || dropped[link] === 1 || survey.text[link] === 0 || isSource(node, host)) continue;
    const item = itemAround(survey, link, start);
    const list = defined(parents[item]);
    if (item === link || list < start || defined(survey.text[item]) > MAX_TEASER) continue;
    const items = found.get(list);
    if (items === undefined) found.set(list, new Set([item]));
    else items.add(item);
  }
  const sum = (items: Set<number>) => [...items].reduce((total, item) => total + defined(survey.text[item]), 0);
  return [...found.values()].some((items) => items.size >= LEAST_TEASERS && sum(items) >= text * LEAST_OF_TEASERS);
}

/** The largest element below `root` that begins with a link. */
function itemAround(survey: Survey, link: number, root: number): number {
  const { before, parents } = survey;
  let item = link;
  for (let up = defined(parents[item]); up > root && before[up] === before[link]; up = defined(parents[up])) {
    if (LISTS.has(survey.nameAt(up))) break;
    item = up;
  }
  return item;
}
