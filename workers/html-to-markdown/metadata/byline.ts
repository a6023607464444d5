import type { TreeNode } from '../parse/tree.ts';
import type { AuthorMarks } from './author-marks.ts';
import { cleanName, findName, findUserName } from './byline-text.ts';
import { creditAt, isOtherWork, nameOfItem, nameOfUser, readMark } from './credits.ts';
import type { LinkedData, StatedAuthor } from './json-ld.ts';
import type { PageKind } from './page-kind.ts';
import type { PageSignals } from './page-signals.ts';
import { keyOf, toPlainString } from './plain-string.ts';
import { SiteNames } from './site-names.ts';
import { partsOfTitle } from './title.ts';

const MAX_CHARACTERS = 1000;
const META_NAMES = [
  'author',
  'article:author',
  'parsely-author',
  'dc.creator',
  'dcterms.creator',
  'sailthru.author',
  'citation_author',
  'byl',
];
/** Where programs name the account that made a page, if it is no article. */
const ACCOUNT_NAMES = ['dc.creator', 'dcterms.creator'];
/** Elements that name at least this many authors are parts of a list. */
const LEAST_LISTED = 4;

export interface BylineSources {
  readonly signals: PageSignals;
  readonly linked: LinkedData;
  readonly kind: PageKind;
  readonly siteNames: readonly string[];
}

/**
 * The authors of a page, their names joined with commas. Data for machines takes precedence over text for readers, which is
 * only believed on kinds of pages that have an author.
 */
export function chooseByline({ signals, linked, kind, siteNames }: BylineSources): string | null {
  if (kind === 'home' || kind === 'list') return null;
  let known: SiteNames | undefined;
  const site = () => {
    known ??= siteOf(signals, siteNames, kind);
    return known;
  };
  const isOther = ({ name }: Pick<StatedAuthor, 'name'>) => !site().has(cleanName(name) ?? name);
  const people = linked.authors.filter(
    // A person may have the name of the own site, but no account of the site is a person.
    (author) =>
      author.kind === 'person' ? !site().hasAccount(author.name) : author.kind === 'unknown' && isOther(author),
  );
  const stated = joinNames(people) ?? joinNames(metaAuthors(signals, kind === 'article').filter(isOther));
  if (stated !== null || kind === 'product') return stated;
  const marked =
    kind === 'thread'
      ? firstPoster(signals.authors, isOther)
      : findMarked(signals.authors, kind === 'article', isOther);
  if (marked !== null || kind !== 'article') return marked;
  return joinNames(linked.authors.filter(isOther));
}

/** Only asked for when a name was found. */
function siteOf(signals: PageSignals, siteNames: readonly string[], kind: PageKind): SiteNames {
  const titles = kind === 'other' ? [signals.title, ...signals.firstMeta('og:title')] : [];
  const names = [...siteNames, ...titles.flatMap(partsOfTitle), ...signals.metaOf('generator')];
  return new SiteNames(names, [signals.canonical ?? '', ...signals.firstMeta('og:url')], signals.themeSheets);
}

/** Whether a name is not of the site itself. */
type IsOther = (author: Pick<StatedAuthor, 'name'>) => boolean;

function joinNames(authors: readonly Pick<StatedAuthor, 'name'>[]): string | null {
  const names = new Map<string, string>();
  for (const author of authors) {
    const name = cleanName(author.name);
    if (name === null) continue;
    const key = keyOf(name);
    if (!names.has(key)) names.set(key, name);
  }
  return toPlainString([...names.values()].join(', '), MAX_CHARACTERS);
}

function metaAuthors(signals: PageSignals, isArticle: boolean): readonly StatedAuthor[] {
  const isAuthors = signals.firstMeta('twitter:label1').some((label) => /^\s*(?:written by|author)/i.test(label));
  const labelled = isAuthors ? signals.metaOf('twitter:data1') : [];
  const valuesOf = (name: string) =>
    signals.metaOf(name).filter((value) => isArticle || !ACCOUNT_NAMES.includes(name) || findName(value) !== null);
  for (const values of [...META_NAMES.map(valuesOf), labelled]) {
    const names = values.filter((value) => cleanName(value) !== null);
    if (names.length > 0) return names.map((name) => ({ name, kind: 'unknown' }));
  }
  return [];
}

const withoutOtherWork = (credits: readonly TreeNode[]) => credits.filter((credit) => !isOtherWork(credit));

/** The author of a thread, whose post is the first one. */
function firstPoster({ items, users, usersBefore, classes, credits }: AuthorMarks, isOther: IsOther): string | null {
  const [item] = items;
  const stated = item === undefined ? null : cleanName(nameOfItem(item));
  if (stated !== null && isOther({ name: stated })) return stated;
  const texts = [
    ...users.slice(usersBefore).map(nameOfUser),
    ...withoutOtherWork(credits).map(creditAt),
    ...classes.map(nameOfItem),
  ];
  for (const text of texts) {
    const name = findUserName(text);
    if (name !== null && isOther({ name })) return name;
  }
  return null;
}

/** The one name in the elements and texts that are marked as an author's. Null if they have several names. */
function findMarked(
  { relations, items, classes, credits, near }: AuthorMarks,
  isArticle: boolean,
  isOther: IsOther,
): string | null {
  const written = withoutOtherWork(credits);
  const found = [
    ...named(written, creditAt),
    ...named(relations, readMark),
    ...named(items, nameOfItem),
    ...named(classes, readMark),
  ].filter(isOther);
  const names = new Set(found.map(({ name }) => keyOf(name)));
  // All names tell whether the page is a list, but the author's is near the title, or in a mark that says "by".
  const isBelieved = ({ node, isLabelled }: (typeof found)[number]) =>
    near.has(node) || items.includes(node) || (isLabelled && !written.includes(node));
  const believed = found.filter(isBelieved);
  const best = believed.find(({ isLabelled }) => isLabelled) ?? believed[0];
  if (best === undefined) return null;
  if (!isArticle) return names.size === 1 && best.isLabelled ? best.name : null;
  return names.size < LEAST_LISTED || best.isLabelled ? best.name : null;
}

const named = (nodes: readonly TreeNode[], read: (node: TreeNode) => string) =>
  nodes.flatMap((node) => {
    const credit = findName(read(node));
    return credit === null ? [] : { ...credit, node };
  });
