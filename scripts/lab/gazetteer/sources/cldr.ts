import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { debianPath } from './sources.ts';

/** Names in a language of the Common Locale Data Repository of Unicode (https://cldr.unicode.org). */
export interface CldrNames {
  /** A locale such as zh_Hant. */
  readonly language: string;
  /** Names of divisions by ISO 3166-2 code: DE-BE. */
  readonly divisions: ReadonlyMap<string, string>;
  /** The cities after which IANA time zones are named. */
  readonly zoneCities: ReadonlyMap<string, string>;
}

const DIVISION = /<subdivision type="([a-z]{2})([a-z\d]{1,3})"[^>]*>([^<]+)</g;
const ZONE_CITY = /<zone type="([^"]+)">\s*<exemplarCity>([^<]+)</g;
/** A language, without the variants of countries. */
const LANGUAGE = /^[a-z]{2,3}(?:_Hant)?$/;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' };

export function readCldr(): readonly CldrNames[] {
  const files = readdirSync(debianPath('unicode-cldr-core', 'main')).map((file) => basename(file, '.xml'));
  return files
    .filter((language) => LANGUAGE.test(language))
    .toSorted()
    .map((language) => ({
      language,
      divisions: new Map(
        matchesIn('subdivisions', language, DIVISION).map(([country = '', code = '', name = '']) => {
          return [`${country}-${code}`.toUpperCase(), name];
        }),
      ),
      zoneCities: new Map(matchesIn('main', language, ZONE_CITY).map(([zone = '', name = '']) => [zone, name])),
    }));
}

/** The groups of each match in a file. None if the language lacks the file. */
function matchesIn(folder: string, language: string, pattern: RegExp): readonly (readonly string[])[] {
  const path = debianPath('unicode-cldr-core', `${folder}/${language}.xml`);
  if (!existsSync(path)) return [];
  const matches = readFileSync(path, 'utf8').matchAll(pattern);
  return [...matches].map(([, ...groups]) =>
    groups.map((text) => text.replace(/&\w+;/g, (name) => ENTITIES[name] ?? name)),
  );
}
