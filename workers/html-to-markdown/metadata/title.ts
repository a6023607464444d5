import { defined } from '../../exact/defined.ts';
import { keyOf, toPlainString } from './plain-string.ts';

export interface TitleSources {
  readonly headings: readonly string[];
  /** The title for links to the page: og:title and the like. */
  readonly stated: string | null;
  /** Text of the title element. */
  readonly documentTitle: string | null;
  /** Headline of JSON-LD. */
  readonly headline: string | null;
  readonly siteNames: readonly string[];
  /** Whether this is the first page of a site. Its title is the name of the site. */
  readonly isHome: boolean;
}

const MAX_CHARACTERS = 1000;
/** Colons and hyphens without spaces around them are part of titles. */
const SEPARATOR = /\s+(?:[|·•»«–—-]|::|\/\/)\s+|\s*[|»]\s+/u;
const LEADING_SIGNS = /^[\s|·•»«:–—/-]+/u;
const TRAILING_SIGNS = /[\s|·•»«:–—/-]+$/u;
/** Titles of the first page of a site. */
const HOME = new Set(['home', 'homepage', 'home page', 'index', 'welcome', 'start', 'startseite', 'accueil', 'inicio']);
/** A heading with this share of its words in the title means the same. */
const LEAST_SHARE = 0.5;

/** The heading that matches the title of the page, or else that title without the name of the site. */
export function chooseTitle(sources: TitleSources): string | null {
  const siteKeys = new Set(sources.siteNames.map(keyOf).filter((key) => key !== ''));
  const named = [sources.stated, sources.documentTitle, sources.headline].flatMap((text) => clean(text) ?? []);
  const titles = named.map((text) => withoutSite(text, siteKeys, sources.isHome));
  const own = titles.filter((text) => !siteKeys.has(keyOf(text)) && !HOME.has(keyOf(text)));
  const headings = sources.headings.flatMap((text) => cleanHeading(text) ?? []);
  const heading = chooseHeading({ headings, named, titles: own, siteKeys });
  if (heading !== null) return heading;
  const isNamedBySite = own.length === 0 && !sources.isHome;
  const fallback = titles.find((text) => !HOME.has(keyOf(text))) ?? titles[0] ?? headings[0] ?? null;
  return (isNamedBySite ? headings.find((text) => !siteKeys.has(keyOf(text))) : own[0]) ?? fallback;
}

interface HeadingSources {
  readonly headings: readonly string[];
  /** Titles as the page states them. */
  readonly named: readonly string[];
  /** Titles without the name of the site. */
  readonly titles: readonly string[];
  readonly siteKeys: ReadonlySet<string>;
}

function chooseHeading({ headings, named, titles, siteKeys }: HeadingSources): string | null {
  const titleKeys = titles.map(keyOf);
  const namedKeys = named.map(keyOf);
  let best: string | null = null;
  let bestRank = 0;
  for (const heading of headings) {
    const key = keyOf(heading);
    if (key === '' || siteKeys.has(key)) continue;
    const rank = rankHeading(key, titleKeys, namedKeys);
    if (rank <= bestRank) continue;
    best = heading;
    bestRank = rank;
  }
  if (best === null || bestRank >= EXACT) return best;
  // A heading with more words than the title has labels or numbers besides the title.
  const bestKey = keyOf(best);
  return titles.find((title) => isMostOf(keyOf(title), bestKey)) ?? best;
}

const EXACT = 1e6;
const MOST = 0.7;

/** How well a heading matches the title. 0 if it does not. */
function rankHeading(key: string, titleKeys: readonly string[], namedKeys: readonly string[]): number {
  if (titleKeys.includes(key)) return EXACT;
  if (namedKeys.some((text) => holdsWords(text, key))) return 1 + key.length;
  const share = Math.max(0, ...namedKeys.map((text) => shareOf(key, text)));
  return share >= LEAST_SHARE ? share : 0;
}

function isMostOf(key: string, heading: string): boolean {
  return key.length < heading.length && key.length >= MOST * heading.length && holdsWords(heading, key);
}

function holdsWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

/** The share of a heading's words that are in a title. */
function shareOf(key: string, text: string): number {
  const known = new Set(text.split(' '));
  const words = key.split(' ');
  return words.filter((word) => known.has(word)).length / words.length;
}

/** The title in `Title | Site`. If no part is known to be the site, the longest part. */
function withoutSite(text: string, siteKeys: ReadonlySet<string>, isHome: boolean): string {
  const parts = text.split(SEPARATOR);
  const first = defined(parts[0]);
  const last = defined(parts.at(-1));
  if (parts.length < 2) return text;
  if (siteKeys.has(keyOf(last)) && !HOME.has(keyOf(first)))
    return longest(text.slice(0, -last.length).replace(TRAILING_SIGNS, ''));
  if (siteKeys.has(keyOf(first)) && !HOME.has(keyOf(last)))
    return isHome ? text : longest(text.slice(first.length).replace(LEADING_SIGNS, ''));
  return longest(text);
}

export function partsOfTitle(text: string): readonly string[] {
  return text.split(SEPARATOR);
}

function longest(text: string): string {
  const parts = text.split(SEPARATOR).filter((part) => !HOME.has(keyOf(part)));
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '') || text;
}

function clean(text: string | null): string | null {
  return toPlainString(text, MAX_CHARACTERS);
}

/** The text of a heading without the mark of a link to the heading itself. */
function cleanHeading(text: string): string | null {
  return clean(clean(text)?.replace(/^[#¶§]\s+|\s*[¶🔗]$|\s+#$/u, '') ?? null);
}
