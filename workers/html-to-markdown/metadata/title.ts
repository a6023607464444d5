import { defined } from '../../exact/defined.ts';
import { decodeReferences, keyOf, toPlainString } from './plain-string.ts';
import type { SiteNames } from './site-names.ts';

export interface TitleSources {
  readonly headings: readonly string[];
  /** The title for links to the page: og:title and the like. */
  readonly stated: string | null;
  /** Text of the title element. */
  readonly documentTitle: string | null;
  /** Headline of JSON-LD, whose strings are often escaped for HTML. */
  readonly headline: string | null;
  readonly site: SiteNames;
  /** Whether this is the first page of a site. Its title is the name of the site. */
  readonly isHome: boolean;
}

const MAX_CHARACTERS = 1000;
/** Colons and hyphens without spaces around them are part of titles. */
const SEPARATOR = /\s+(?:[|·•»«–—-]|::|\/\/)\s+|\s*[|»]\s+/u;
/** A quick test, since most headings have no separator. */
const SEPARATING = /[|·•»«–—]|\s-|::|\/\//;
/** Titles have dashes of their own, but hardly ever these. */
const SURE_SEPARATOR = /[|»]/;
const SUBTITLE = /:\s+/;
/** What follows a title that another part follows. */
const JOINED = /^\s*[|·•»«–—:/-]/u;
/** Titles of the first page of a site. */
const HOME = new Set(['home', 'homepage', 'home page', 'index', 'welcome', 'start', 'startseite', 'accueil', 'inicio']);
/** A heading with this share of its words in the title means the same. */
const LEAST_SHARE = 0.5;
/** A heading that is a smaller share of the title is about something else, such as the section of the page. */
const LEAST_OF_TITLE = 0.42;
const LEAST_WORDS = 7;
const AND = /\s(?:&|and|und|et|y|e|en|och|og|i|и|ve)\s/iu;

/** The heading that matches the title of the page, or else that title without the name of the site. */
export function chooseTitle(sources: TitleSources): string | null {
  const { site, isHome } = sources;
  const headings = sources.headings.flatMap((text) => cleanHeading(text) ?? []);
  const named = readNamed(sources, headings);
  const titles = named.map((text) => withoutSite(text, sources));
  const own = titles.filter((text) => !site.isName(text) && !HOME.has(keyOf(text)));
  const heading = chooseHeading({ headings: withoutSiteHeading(headings, named), named, titles: own, site });
  if (heading !== null) return heading;
  const isNamedBySite = own.length === 0 && !isHome;
  const fallback = titles.find((text) => !HOME.has(keyOf(text))) ?? titles[0] ?? headings[0] ?? null;
  return (isNamedBySite ? headings.find((text) => !site.isName(text)) : own[0]) ?? fallback;
}

/** The titles that a page states. */
function readNamed({ stated, documentTitle, headline }: TitleSources, headings: readonly string[]): readonly string[] {
  const texts = [stated, documentTitle].flatMap((text) => clean(text) ?? []);
  const known = [...headings, ...texts];
  const named = texts.map((text) => (isEscaped(text, known) ? decodeReferences(text) : text));
  const last = clean(headline);
  return last === null ? named : [...named, known.includes(last) ? last : decodeReferences(last)];
}

/** Whether a text was escaped once more than needed: the page also has it without. Others are about such references. */
function isEscaped(text: string, known: readonly string[]): boolean {
  const decoded = decodeReferences(text);
  return decoded !== text && known.some((other) => other === decoded);
}

/** The headings without that of the site, if the page has its own one after it. */
function withoutSiteHeading(headings: readonly string[], named: readonly string[]): readonly string[] {
  const [first = '', ...others] = headings.map(keyOf);
  const isSite = named.some((text) => {
    const parts = partsOfTitle(text).map(keyOf);
    const rest = parts.filter((part) => part !== first);
    if (rest.length === 0 || rest.length === parts.length) return false;
    if (parts.at(-1) === first) return others.some((key) => rest.some((part) => matches(key, part)));
    return parts[0] === first && others.some((key) => key === parts.at(-1));
  });
  return isSite ? headings.slice(1) : headings;
}

interface HeadingSources {
  readonly headings: readonly string[];
  /** Titles as the page states them. */
  readonly named: readonly string[];
  /** Titles without the name of the site. */
  readonly titles: readonly string[];
  readonly site: SiteNames;
}

function chooseHeading({ headings, named, titles, site }: HeadingSources): string | null {
  const titleKeys = titles.map(keyOf);
  const parts = named.flatMap(partsOfTitle);
  const texts = new Set([...named, ...parts, ...parts.flatMap((part) => part.split(SUBTITLE))]);
  const partKeys = [...texts].map(keyOf);
  const halves = new Set([...texts].flatMap(halvesOf).map(keyOf));
  let best: string | null = null;
  let bestRank = 0;
  for (const heading of headings) {
    const key = keyOf(heading);
    if (key === '' || site.isName(heading)) continue;
    const isWhole = named.some((text) => isWholeTitle(heading, text, site));
    // "Salt" is not the title of "Salt & Pepper".
    if (halves.has(key) && !partKeys.includes(key)) continue;
    const rank = isWhole ? WHOLE : rankHeading(key, titleKeys, partKeys);
    if (rank <= bestRank) continue;
    best = heading;
    bestRank = rank;
  }
  if (best === null) return null;
  if (bestRank >= EXACT) return named.find((text) => isPathOf(text, best)) ?? best;
  const bestKey = keyOf(best);
  // Of several headings, one that only shares words with the title is that of a section.
  if (bestRank < 1 && headings.length > 1 && !titleKeys.some((key) => holdsWords(bestKey, key))) return null;
  // A heading with more words than the title has labels or numbers besides the title.
  return [...titles, ...named].find((title) => isMostOf(keyOf(title), bestKey)) ?? best;
}

/** Whether a title is a name of several parts, such as `a.b.c`, whose signs a heading draws instead of writing them. */
function isPathOf(title: string, heading: string): boolean {
  return !/\s/.test(title) && /\s/.test(heading) && keyOf(title) === keyOf(heading);
}

/** The two sides of an "and" that joins nothing else. */
function halvesOf(text: string): readonly string[] {
  const halves = text.split(AND);
  return halves.length === 2 ? halves : [];
}

/** Whether a heading repeats a title with its separators. Then they are its own, not those before the name of a site. */
function isWholeTitle(heading: string, title: string, site: SiteNames): boolean {
  return heading.toLowerCase() === title.toLowerCase() && !partsOfTitle(heading).some((part) => site.isName(part));
}

const WHOLE = 2e6;
const EXACT = 1e6;
const MOST = 0.7;

/** How well a heading matches the title. 0 if it does not. `partKeys` are the titles and all parts of them. */
function rankHeading(key: string, titleKeys: readonly string[], partKeys: readonly string[]): number {
  if (titleKeys.includes(key)) return EXACT;
  const holders = partKeys.filter((part) => holdsWords(part, key));
  if (holders.length > 0) return holders.some((part) => part === key || isEnough(key, part)) ? 1 + key.length : 0;
  const share = Math.max(0, ...partKeys.map((part) => shareOf(key, part)));
  return share >= LEAST_SHARE ? share : 0;
}

function isMostOf(key: string, heading: string): boolean {
  return key.length < heading.length && key.length >= MOST * heading.length && holdsWords(heading, key);
}

function holdsWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

/** Whether a heading within a part of a title says enough of it. */
function isEnough(key: string, part: string): boolean {
  return key.length >= LEAST_OF_TITLE * part.length;
}

function matches(key: string, part: string): boolean {
  return key !== '' && (holdsWords(part, key) || shareOf(key, part) >= LEAST_SHARE);
}

/** The share of a heading's words that are in a title. */
function shareOf(key: string, text: string): number {
  const known = new Set(text.split(' '));
  const words = key.split(' ');
  return words.filter((word) => known.has(word)).length / words.length;
}

/** The title in `Title | Site`. By custom, the site comes last. So it does if no part is known to be its name. */
function withoutSite(text: string, { site, isHome, documentTitle }: TitleSources): string {
  const parts = partsOfTitle(text);
  const first = defined(parts[0]);
  if (parts.length < 2 || (isHome && site.isName(first))) return text;
  const own = parts.filter((part) => part !== '' && !site.isName(part) && !HOME.has(keyOf(part)));
  // A title for links that has less than the title of the document lacks the site already. Its dashes are its own.
  const isOwn = isBeginning(text, documentTitle) || (own.length === parts.length && isSentence(parts));
  if (!SURE_SEPARATOR.test(text) && isOwn) return text;
  return own[0] ?? longest(parts.filter((part) => !HOME.has(keyOf(part)))) ?? text;
}

export function partsOfTitle(text: string): readonly string[] {
  return SEPARATING.test(text) ? text.split(SEPARATOR) : [text];
}

/** Whether the last part of a title is too long for the name of a site. */
function isSentence(parts: readonly string[]): boolean {
  return defined(parts.at(-1)).split(' ').length >= LEAST_WORDS;
}

function isBeginning(text: string, documentTitle: string | null): boolean {
  const whole = clean(documentTitle) ?? '';
  return whole.startsWith(text) && JOINED.test(whole.slice(text.length));
}

function longest(parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.reduce((best, part) => (part.length > best.length ? part : best));
}

function clean(text: string | null): string | null {
  return toPlainString(text, MAX_CHARACTERS);
}

/** The text of a heading without the mark of a link to the heading itself. */
function cleanHeading(text: string): string | null {
  return clean(clean(text)?.replace(/^[#¶§]\s+|\s*[¶🔗]$|\s+#$/u, '') ?? null);
}
