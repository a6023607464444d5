import { BoundedMap } from '../zone/bounded-map.ts';

/** How names are written in a language. */
export interface NamesIn {
  /** Keys of the table of translations, the closest first. */
  readonly languages: readonly string[];
  readonly language: string;
  /** Name of a country by its ISO 3166-1 code. */
  country(code: string): string;
}

const DEFAULT = 'en';
/** Tags are the caller's: any number of them may come. */
const MAX_LANGUAGES = 64;
const TRADITIONAL = new Set(['TW', 'HK', 'MO']);

const known = new BoundedMap<string, NamesIn>(MAX_LANGUAGES);

/** For a BCP 47 tag; one that means nothing, or none, is English. */
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
  // Norwegian is filed under its common written form.
  if (language === 'no') return ['nb', 'nn'];
  const isTraditional = script === 'Hant' || (script === undefined && TRADITIONAL.has(region ?? ''));
  if (language === 'zh' && isTraditional) return ['zh-TW', 'zh-HK', 'zh'];
  return region === undefined ? [language] : [`${language}-${region}`, language];
}
