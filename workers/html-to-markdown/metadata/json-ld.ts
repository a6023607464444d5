import { parseLenientJson } from './lenient-json.ts';

export interface StatedAuthor {
  readonly name: string;
  readonly kind: 'person' | 'organisation' | 'unknown';
}

/** What a page states about itself in JSON-LD, unchanged. */
export interface LinkedData {
  /** The number of threads with different titles. */
  readonly threads: number;
  readonly hasProduct: boolean;
  /** Whether the page says that it is a list of other pages. */
  readonly isList: boolean;
  /** Different titles of the articles on the page. One is '' if some article has no title. */
  readonly articleTitles: readonly string[];
  readonly headline: string | null;
  readonly authors: readonly StatedAuthor[];
  /** Names of the site and of its publisher. */
  readonly siteNames: readonly string[];
}

type Thing = Readonly<Record<string, unknown>>;

const MAX_SCRIPT_CHARACTERS = 256 * 1024;
const MAX_TOTAL_CHARACTERS = 512 * 1024;
const MAX_THINGS = 1000;
const MAX_AUTHORS = 20;

const ARTICLE = /(?:Article|BlogPosting|Report|Recipe)$/;
const THREAD = /^(?:Question|DiscussionForumPosting|SocialMediaPosting)$/;
const PRODUCT = /^(?:Product|ProductGroup|IndividualProduct|ProductModel)$/;
const LIST = /^(?:CollectionPage|SearchResultsPage)$/;
const PAGE = /(?:Page|HowTo|VideoObject|CreativeWork|Course|Review)$/;
const SITE = /^(?:WebSite|Organization|NewsMediaOrganization|Corporation|LocalBusiness|OnlineStore)$/;
/** A page of questions that no user asked. */
const QUESTIONS = /^FAQPage$/;
const PERSON = /^Person$/;
const ORGANISATION = /(?:Organization|Corporation|Business|Brand|WebSite|Store)$/;
/** Properties in which a thing that describes the page may be nested. */
const WRAPPERS = ['@graph', 'mainEntity', 'mainEntityOfPage', 'publisher', 'isPartOf'];

/**
 * Reads what the JSON-LD scripts of a page say about the page. They are untrusted: scripts that are too long or broken, and
 * those after too many, are ignored.
 */
export function readLinkedData(scripts: readonly string[]): LinkedData {
  const things = listThings(scripts);
  const byId = new Map<string, Thing>();
  for (const thing of things) {
    const id = thing['@id'];
    if (typeof id === 'string' && !byId.has(id) && thing['name'] !== undefined) byId.set(id, thing);
  }
  const articles = things.filter((thing) => isOf(thing, ARTICLE));
  const threads = things.filter((thing) => isOf(thing, THREAD));
  const product = things.find((thing) => isOf(thing, PRODUCT));
  // A product page also has reviews, whose authors are not those of the page.
  const pages = product === undefined ? things.filter((thing) => isOf(thing, PAGE)) : [];
  const authored = [...threads, ...articles, ...pages].find((thing) => authorOf(thing) !== undefined);
  const titled = threads[0] ?? articles[0];
  return {
    threads: new Set(threads.map(titleOf)).size,
    hasProduct: product !== undefined,
    isList: things.some((thing) => isOf(thing, LIST)),
    articleTitles: [...new Set(articles.map(titleOf))],
    headline: stringOf(titled?.['headline']) ?? stringOf(titled?.['name']) ?? stringOf(product?.['name']),
    authors: authored === undefined ? [] : readAuthors(authorOf(authored), byId),
    siteNames: things
      .filter((thing) => isOf(thing, SITE) && !isOf(thing, PERSON))
      .flatMap((thing) => stringOf(thing['name']) ?? []),
  };
}

/** The things at the top of the scripts and those nested in wrappers, in the order of the page. */
function listThings(scripts: readonly string[]): readonly Thing[] {
  const things: Thing[] = [];
  let characters = 0;
  for (const script of scripts) {
    characters += script.length;
    if (characters > MAX_TOTAL_CHARACTERS) break;
    if (script.length > MAX_SCRIPT_CHARACTERS) continue;
    const waiting: unknown[] = [...parseLenientJson(script)].reverse();
    while (waiting.length > 0 && things.length < MAX_THINGS) {
      const value = waiting.pop();
      if (Array.isArray(value)) pushReversed(waiting, value);
      else if (isThing(value)) {
        things.push(value);
        if (isOf(value, QUESTIONS)) continue;
        pushReversed(
          waiting,
          WRAPPERS.map((name) => value[name]),
        );
      }
    }
  }
  return things;
}

function pushReversed(waiting: unknown[], values: readonly unknown[]): void {
  for (let index = Math.min(values.length, MAX_THINGS) - 1; index >= 0; index -= 1) waiting.push(values[index]);
}

/** Reads authors, each a string, a thing with a `name`, or the `@id` of a thing with a name. */
function readAuthors(value: unknown, byId: ReadonlyMap<string, Thing>): readonly StatedAuthor[] {
  const authors: StatedAuthor[] = [];
  for (const author of (Array.isArray(value) ? value : [value]).slice(0, MAX_AUTHORS)) {
    if (typeof author === 'string') authors.push({ name: author, kind: 'unknown' });
    if (!isThing(author)) continue;
    const id = author['@id'];
    const thing = author['name'] === undefined && typeof id === 'string' ? byId.get(id) : author;
    const named = thing?.['name'];
    for (const name of Array.isArray(named) ? named.slice(0, MAX_AUTHORS) : [named]) {
      if (typeof name === 'string') authors.push({ name, kind: thing === undefined ? 'unknown' : kindOf(thing) });
    }
  }
  return authors;
}

/** '' if the thing has no title. */
function titleOf(thing: Thing): string {
  return stringOf(thing['headline']) ?? stringOf(thing['name']) ?? '';
}

function authorOf(thing: Thing): unknown {
  return thing['author'] ?? thing['creator'];
}

function kindOf(thing: Thing): StatedAuthor['kind'] {
  if (isOf(thing, PERSON)) return 'person';
  return isOf(thing, ORGANISATION) ? 'organisation' : 'unknown';
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Types are names or URLs that end in one. */
function isOf(thing: Thing, type: RegExp): boolean {
  const stated = thing['@type'];
  const types = Array.isArray(stated) ? stated.slice(0, MAX_AUTHORS) : [stated];
  return types.some((name) => typeof name === 'string' && type.test(name.slice(name.lastIndexOf('/') + 1)));
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
