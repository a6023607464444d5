import type { TranslationTable } from '../gazetteer/translations.ts';
import { BoundedMap } from '../zone/bounded-map.ts';

/** Names in a language. */
export interface NamesIn {
  /** Keys of the translation table, the closest language first. */
  readonly languages: readonly string[];
  readonly language: string;
  /** Whether a name is in the script that the tag asks for. Without one, every name is. */
  readonly isInScript: (name: string) => boolean;
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

/** The name of an entity in the language and its script. */
export function translationIn(
  translations: TranslationTable,
  { languages, isInScript }: NamesIn,
  entity: number,
): string | undefined {
  const name = translations.find(languages, entity);
  return name !== undefined && isInScript(name) ? name : undefined;
}

function readLocale(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag);
  } catch {
    return new Intl.Locale(DEFAULT);
  }
}

const english = new Intl.DisplayNames(DEFAULT, { type: 'region' });

function makeNames(locale: Intl.Locale): NamesIn {
  const names = new Intl.DisplayNames([locale.toString(), DEFAULT], { type: 'region' });
  const isInScript = scriptTest(locale);
  return {
    languages: languagesOf(locale),
    language: locale.language,
    isInScript,
    country: (code) => {
      const name = names.of(code) ?? code;
      return isInScript(name) ? name : (english.of(code) ?? code);
    },
  };
}

/** Unicode's names of the scripts that one language is written in. Hans and Hant are languages of their own in the table. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Arab: /\p{Script=Arabic}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Latn: /\p{Script=Latin}/u,
};

function scriptTest({ script }: Intl.Locale): (name: string) => boolean {
  const letters = script === undefined ? undefined : SCRIPTS[script];
  return (name) => letters === undefined || (name.match(/\p{L}/gu) ?? []).every((letter) => letters.test(letter));
}

function languagesOf({ language, region, script }: Intl.Locale): readonly string[] {
  // Norwegian names are stored under the common written form.
  if (language === 'no') return ['nb', 'nn'];
  const isTraditionalRegion = region !== undefined && TRADITIONAL.has(region);
  const isTraditional = script === 'Hant' || (script === undefined && isTraditionalRegion);
  if (language === 'zh' && isTraditional) return ['zh-TW', 'zh-HK', 'zh'];
  return region === undefined ? [language] : [`${language}-${region}`, language];
}
