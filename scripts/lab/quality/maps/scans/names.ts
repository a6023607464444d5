import { defined } from '../../../../../workers/exact/defined.ts';
import { namesIn } from '../../../../../workers/geocoding/format/languages.ts';
import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { areaOf, entityOf, placeEntity } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import type { Gazetteer } from '../../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { type Match, search } from '../../../../../workers/geocoding/search/search.ts';
import { keyOf } from '../../../../../workers/geocoding/text/fold.ts';
import { faultOf } from './named-in.ts';
import type { Finding, Scan } from './scan.ts';

const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt ' +
  'lv mk ml mn mr ms my nb ne nl pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-TW'
).split(' ');

const CITY_POPULATION = 100_000;

/** Whether a match has the same name in one of the languages, and so is meant as well. */
function isNamesake(gazetteer: Gazetteer, match: Match | undefined, query: string): boolean {
  if (match === undefined) return false;
  const { areas, features, places, translations } = gazetteer;
  const { kind, row } = entityOf(gazetteer, match.entity);
  if (kind === 'postcode') return false;
  if (kind === 'area' && areas.level[row] === 0) {
    return LANGUAGES.some((language) => keyOf(namesIn(language).country(areas.codes.at(row))) === keyOf(query));
  }
  const own = { area: areas, place: places, feature: features }[kind].names.at(row);
  const names = [own, ...LANGUAGES.map((language) => translations.find([language], match.entity))];
  return names.some((name) => name !== undefined && keyOf(name) === keyOf(query));
}

/** Every large city is found by its name in each language, or a larger one or one of the same name. */
export const cityNames: Scan = {
  name: 'city-names',
  accepted: {
    'Belaris (15.14, 76.92)': 'a mistaken name of Ballari; Babruysk has it too',
    'Logan (-27.64, 153.11)': 'the airport of Boston is meant as well',
    'Le Manas (48.00, 0.20)': 'a slip of the source for Le Mans',
    'Lása (29.65, 91.10)': 'another place has the name without its mark',
    'Kāna (49.19, -0.36)': 'another place has the name without its mark',
    'Sahar (24.35, 56.71)': 'the airport of Mumbai is meant as well',
    'Plaisance (45.05, 9.69)': 'the airport of Mauritius is meant as well',
  },
  run: ({ gazetteer }) => {
    const { areas, places, translations } = gazetteer;
    const findings: Finding[] = [];
    let checked = 0;
    // The most populous places come first.
    for (let row = 0; defined(places.population[row]) >= CITY_POPULATION; row++) {
      const country = defined(holderOf(areas, places.area[row], 0));
      const own = LANGUAGES.map((language) => translations.find([language], placeEntity(gazetteer, row)));
      for (const query of new Set(own.filter((name) => name !== undefined))) {
        checked++;
        const [match] = search(gazetteer, { query, limit: 1, bias: undefined });
        const first = match && entityOf(gazetteer, match.entity);
        const isLarger = first?.kind === 'place' && first.row < row;
        const found =
          isLarger || isNamesake(gazetteer, match, query)
            ? undefined
            : faultOf(gazetteer, { row, area: country, level: 0, query });
        if (found !== undefined) findings.push(found);
      }
    }
    return { checked, findings };
  },
};

/** Every country is found by its name in each language. */
export const countryNames: Scan = {
  name: 'country-names',
  accepted: {
    'グレナダ (GD)': 'a mistaken name of Granada in the source',
    '格林纳达 (GD)': 'a mistaken name of Granada in the source',
    '盧安達 (RW)': 'that of Luanda too',
    'Tai (TH)': 'a city in China has the name too',
  },
  run: ({ gazetteer }) => {
    const { areas } = gazetteer;
    const countries = Array.from({ length: areas.count }, (_, row) => row).filter((row) => areas.level[row] === 0);
    const findings: Finding[] = [];
    let checked = 0;
    for (const country of countries) {
      const code = areas.codes.at(country);
      for (const query of new Set(LANGUAGES.map((language) => namesIn(language).country(code)))) {
        checked++;
        const [match] = search(gazetteer, { query, limit: 1, bias: undefined });
        if (match === undefined || match.confidence === 'Low') continue;
        const held = holderOf(areas, areaOf(gazetteer, match.entity), 0);
        if (held === country || isNamesake(gazetteer, match, query)) continue;
        const fault = `${match.confidence} in ${held === undefined ? 'none' : areas.codes.at(held)}`;
        findings.push({ subject: `${query} (${code})`, fault });
      }
    }
    return { checked, findings };
  },
};

/** Every IATA code alone is that of its airport, or the name of a country or a town. */
export const airportCodes: Scan = {
  name: 'airport-codes',
  accepted: {},
  run: ({ gazetteer }) => {
    const { areas, features, places } = gazetteer;
    const codes = Array.from({ length: features.count }, (_, row) => features.codesOf(row)).flat();
    const iata = new Set(codes.filter((code) => code.length === 3).map((code) => code.toUpperCase()));
    const findings = [...iata].flatMap((query): readonly Finding[] => {
      const [match] = search(gazetteer, { query, limit: 1, bias: undefined });
      if (match === undefined || match.confidence === 'Low') return [];
      const { kind, row } = entityOf(gazetteer, match.entity);
      const isCode = kind === 'feature' && features.codesOf(row).includes(query.toLowerCase());
      const isCountry = kind === 'area' && areas.level[row] === 0;
      const isTown = kind === 'place' && keyOf(places.names.at(row)) === keyOf(query);
      return isCode || isCountry || isTown ? [] : [{ subject: query, fault: `${match.confidence} ${kind} ${row}` }];
    });
    return { checked: iata.size, findings };
  },
};
