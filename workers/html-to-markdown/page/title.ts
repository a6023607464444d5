import { toPlainString } from './plain-string.ts';

export interface TitleSources {
  readonly headings: readonly string[];
  /** What the page is called where it is linked to: og:title and the like. */
  readonly stated: string | null;
  /** Of the title element. */
  readonly documentTitle: string | null;
  readonly headline: string | null;
  readonly siteNames: readonly string[];
}

const MAX_CHARACTERS = 1000;
const SEPARATOR = /\s+(?:[|·•»«–—-]|::|\/\/)\s+|\s*[|»]\s+/u;
/** A heading whose words are in the title to this share is the title, said in other words. */
const LEAST_SHARE = 0.5;

/**
 * The heading that the page's title speaks of, else the page's title without the name of the site.
 */
export function chooseTitle(sources: TitleSources): string | null {
  const siteKeys = new Set(sources.siteNames.map(keyOf).filter((key) => key !== ''));
  const named = [sources.stated, sources.documentTitle, sources.headline].flatMap((text) => clean(text) ?? []);
  const stripped = named.map((text) => withoutSite(text, siteKeys));
  const headings = sources.headings.flatMap((text) => cleanHeading(text) ?? []);
  return chooseHeading(headings, named, stripped, siteKeys) ?? stripped[0] ?? headings[0] ?? null;
}

function chooseHeading(
  headings: readonly string[],
  named: readonly string[],
  stripped: readonly string[],
  siteKeys: ReadonlySet<string>,
): string | null {
  const exact = new Set(stripped.map(keyOf));
  const keys = named.map(keyOf);
  let best: string | null = null;
  let bestRank = 0;
  for (const heading of headings) {
    const key = keyOf(heading);
    if (key === '') continue;
    const isSite = siteKeys.has(key);
    const rank = exact.has(key)
      ? 3000
      : isSite
        ? 0
        : keys.some((text) => ` ${text} `.includes(` ${key} `))
          ? 1000 + key.length
          : shareOf(key, keys);
    if (rank > bestRank) {
      best = heading;
      bestRank = rank;
    }
  }
  if (bestRank >= LEAST_SHARE) return best;
  return named.length === 0 ? best : null;
}

/** Of a heading's words the share that is in the title that has most of them. */
function shareOf(key: string, texts: readonly string[]): number {
  const words = key.split(' ');
  const shares = texts.map((text) => {
    const known = new Set(text.split(' '));
    return words.filter((word) => known.has(word)).length / words.length;
  });
  return Math.max(0, ...shares);
}

/** `Title | Site` is the title. */
export function withoutSite(text: string, siteKeys: ReadonlySet<string>): string {
  const parts = text.split(SEPARATOR);
  if (parts.length < 2) return text;
  const last = parts.at(-1) ?? '';
  const first = parts[0] ?? '';
  if (siteKeys.has(keyOf(last))) return text.slice(0, text.length - last.length).replace(/[\s|·•»«:–—/-]+$/u, '');
  if (siteKeys.has(keyOf(first))) return text.slice(first.length).replace(/^[\s|·•»«:–—/-]+/u, '');
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Letters and digits, in lower case, by words. */
export function keyOf(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

function clean(text: string | null): string | null {
  return toPlainString(text, MAX_CHARACTERS);
}

/** Without the mark that links to the heading itself. */
function cleanHeading(text: string): string | null {
  return clean(clean(text)?.replace(/^[#¶§]\s+|\s*[¶🔗]$|\s+#$/u, '') ?? null);
}
