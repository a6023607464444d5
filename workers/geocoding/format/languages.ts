import { BoundedMap } from '../zone/bounded-map.ts';

/** Names in a language. */
export interface NamesIn {
  /** Keys of the translation table, the closest language first. */
  readonly languages: readonly string[];
  readonly language: string;
  /** Name of a country by its ISO 3166-1 code. */
  country(code: string): string;
}

const DEFAULT = 'en';
/** Most tags that are cached. Callers choose them, so there may be any number. */
const MAX_LANGUAGES = 64;
const TRADITIONAL = new Set(['TW', 'HK', 'MO']);

const known = new BoundedMap<string, NamesIn>(MAX_LANGUAGES);

/** Names in the language of a BCP 47 tag. Without a tag, or with an invalid one, they are in English. */
export function namesIn(tag: string | undefined): NamesIn {
  return known.getOrMake(tag ?? DEFAULT, () => makeNames(readLocale(tag ?? DEFAULT)));
}

function readLocale(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag);
  } catch {
    return new Intl.Locale(DEFAULT);
  }
}

function makeNames(locale: Intl.Locale): NamesIn {
  const names = new Intl.DisplayNames([locale.toString(), DEFAULT], { type: 'region' });
  return {
    languages: languagesOf(locale),
    language: locale.language,
    country: (code) => names.of(code) ?? code,
  };
}

function languagesOf({ language, region, script }: Intl.Locale): readonly string[] {
  // Norwegian names are stored under the common written form.
  if (language === 'no') return ['nb', 'nn'];
  const isTraditionalRegion = region !== undefined && TRADITIONAL.has(region);
  const isTraditional = script === 'Hant' || (script === undefined && isTraditionalRegion);
  if (language === 'zh' && isTraditional) return ['zh-TW', 'zh-HK', 'zh'];
  return region === undefined ? [language] : [`${language}-${region}`, language];
}
