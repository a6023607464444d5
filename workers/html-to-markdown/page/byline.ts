import type { StatedAuthor } from './json-ld.ts';
import { toPlainString } from './plain-string.ts';
import { keyOf } from './title.ts';

export interface BylineSources {
  readonly linked: readonly StatedAuthor[];
  readonly meta: readonly string[];
  readonly rel: readonly string[];
  readonly marked: readonly string[];
  readonly siteNames: readonly string[];
}

const MAX_CHARACTERS = 100;
const PREFIX =
  /^(?:(?:(?:article|story|words|text|post|written|posted|published|reviewed|edited|created|submitted|contributed|authored)\s+)*by\b|(?:author|written|von|autor|auteur|par|por|di|door)s?\s*:)[:\s]*/i;
const NOT_A_NAME =
  /^(?:https?:|www\.|@)|[\w.-]+@[\w-]+\.|^(?:admin|administrator|guest|unknown|anonymous|null|undefined|author|staff)$|^[\W\d_]*$/i;

/** Who wrote the page: the names of the first source that has some, joined with commas. */
export function chooseByline(sources: BylineSources): string | null {
  const siteKeys = new Set(sources.siteNames.map(keyOf));
  const people = sources.linked.filter(({ isOrganisation }) => !isOrganisation).map(({ name }) => name);
  for (const names of [people, sources.meta, sources.rel, sources.marked]) {
    const byline = joinNames(names, siteKeys);
    if (byline !== null) return byline;
  }
  return null;
}

function joinNames(texts: readonly string[], siteKeys: ReadonlySet<string>): string | null {
  const names = new Map<string, string>();
  for (const text of texts) {
    const name = cleanName(text);
    if (name === null) continue;
    const key = keyOf(name);
    if (!siteKeys.has(key) && !names.has(key)) names.set(key, name);
  }
  return names.size === 0 ? null : toPlainString([...names.values()].join(', '), 1000);
}

function cleanName(text: string): string | null {
  const name = toPlainString(text, 1000)?.replace(PREFIX, '').trim() ?? '';
  return name === '' || name.length > MAX_CHARACTERS || NOT_A_NAME.test(name) ? null : name;
}
