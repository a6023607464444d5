import { defined } from '../../exact/defined.ts';
import type { Boundaries } from '../boundaries/boundaries.ts';
import { type AreaTable, holderOf } from '../gazetteer/areas.ts';
import { FEATURES, type PlaceTable } from '../gazetteer/places.ts';
import { distanceKm, type Point } from '../geometry/distance.ts';
import { createNearest, type NearestPlaces, type NearPlace } from './nearest.ts';

export interface ReverseAnswer {
  /** The place that the point belongs to. Undefined if none is near. */
  readonly place: number | undefined;
  /** The first-level division that contains the point, or the country if no division is known. */
  readonly area: number;
  /** Distance to the place, or 0 without a place. */
  readonly distanceKm: number;
  /** The time zones of the place, first, and of the places nearest to the point in its country. Empty without a place. */
  readonly zones: readonly number[];
}

export interface ReverseOptions {
  readonly boundaries: Boundaries;
  readonly places: Pick<
    PlaceTable,
    'count' | 'latitudeE5' | 'longitudeE5' | 'population' | 'area' | 'feature' | 'zone'
  >;
  readonly areas: AreaTable;
  /** The country by whose time zone a point lives. See `createZoneCountries`. */
  readonly countryByZone: (point: Point) => number | undefined;
}

/** Nearest places that are considered. In a suburb, the city must be among them. */
const CANDIDATES = 30;
/** Nearest places that tell whether a border of time zones is near. With 30 of them, no more points have their own zone. */
const ZONE_CANDIDATES = 8;
/** Within PLACE_KM, a place can be the answer. Within DIVISION_KM, it only tells the division. */
const PLACE_KM = 30;
const DIVISION_KM = 60;
/** A point this far off the stored coast still belongs to the land: piers, harbors, and errors of the coast. */
const COAST_KM = 3;
/** Islands that the boundaries lack are found by their places, within this distance. */
const ISLAND_KM = 10;
/** Within this distance of a place, the country of the place counts, and not the stored border. */
const ENCLAVE_KM = 0.3;
/** Largest error of the stored country borders. Within this distance of one, the time zone tells the country. */
const BORDER_KM = 2;
const REACH = 0.15;
const SMALLEST = 300;

/** How far a place reaches beside others: one of a million people three times as far as one of a thousand. */
export function reachOf(population: number): number {
  return Math.max(population, SMALLEST) ** REACH;
}

const SECTION = FEATURES.indexOf('PPLX');
/** How far the sections of a city are from its point: 7 km for Kiel, 15 km for Paris. */
const cityReachKm = (population: number) => 3 + Math.sqrt(population) / 120;
/** Least population of a city whose sections tell how far it reaches. */
const CITY_POPULATION = 50_000;
/** A city is at least this many times as populous as a suburb. Manhattan is no suburb. */
const SUBURBS = 10;
/** A section farther away tells nothing. */
const SECTION_KM = 3;

/** No area was looked up for a place yet. */
const UNKNOWN = -2;
const AT_SEA = -1;

/** Finds the place of a point: first the area that contains the point, then the best place in that area. */
export function createReverse(options: ReverseOptions) {
  const reverse = new Reverse(options);
  return (latitude: number, longitude: number): ReverseAnswer | undefined => reverse.find({ latitude, longitude });
}

class Reverse {
  readonly #boundaries: Boundaries;
  readonly #places: ReverseOptions['places'];
  readonly #areas: AreaTable;
  readonly #countryByZone: ReverseOptions['countryByZone'];
  readonly #nearest: NearestPlaces;
  readonly #sections: NearestPlaces;
  /** For each place, its first-level division or its country. */
  readonly #division: Uint16Array;
  /** For each place, its country. */
  readonly #country: Uint16Array;
  /** For each place, the area that the boundaries put it in, if it was looked up. It may differ from the place's own area. */
  readonly #drawn: Int32Array;

  constructor({ boundaries, places, areas, countryByZone }: ReverseOptions) {
    this.#boundaries = boundaries;
    this.#places = places;
    this.#areas = areas;
    this.#countryByZone = countryByZone;
    const rows = Uint32Array.from({ length: places.count }, (_, row) => row);
    this.#nearest = createNearest(
      places,
      rows.filter((row) => places.feature[row] !== SECTION),
    );
    this.#sections = createNearest(
      places,
      rows.filter((row) => places.feature[row] === SECTION),
    );
    // Above the wanted level, an area is its own division and country.
    this.#division = Uint16Array.from(places.area, (area) => holderOf(areas, area, 1) ?? area);
    this.#country = Uint16Array.from(places.area, (area) => holderOf(areas, area, 0) ?? area);
    this.#drawn = new Int32Array(places.count).fill(UNKNOWN);
  }

  find(point: Point): ReverseAnswer | undefined {
    const { latitude, longitude } = point;
    const near = this.#nearest.find(latitude, longitude, CANDIDATES, DIVISION_KM);
    const area = this.#boundaries.areaAt(latitude, longitude) ?? this.#areaOffCoast(point, near);
    return area === undefined ? undefined : this.#answerIn(area, near, point);
  }

  #answerIn(held: number, near: readonly NearPlace[], point: Point): ReverseAnswer {
    const [first] = near;
    const close = first !== undefined && first.distanceKm <= ENCLAVE_KM ? first.place : undefined;
    const owner = close === undefined ? this.#ownerOf(held, point) : defined(this.#country[close]);
    const isOwn = owner === this.#countryOf(held);
    // Without a known division of the owner, every place of the country is eligible.
    const isWhole = this.#areas.level[held] === 0 || !isOwn;
    const eligible = near.filter(({ place }) => {
      if (this.#country[place] !== owner) return false;
      return isWhole || this.#division[place] === held || place === close || this.#drawnArea(place) === held;
    });
    const best = this.#cityAround(eligible, bestOf(eligible, this.#places), point);
    if (best === undefined) return { place: undefined, area: isOwn ? held : owner, distanceKm: 0, zones: [] };
    const area = defined(this.#division[best.place]);
    if (best.distanceKm > PLACE_KM) return { place: undefined, area: isWhole ? area : held, distanceKm: 0, zones: [] };
    return { ...best, area, zones: this.#zonesAround(best.place, near) };
  }

  #zonesAround(place: number, near: readonly NearPlace[]): readonly number[] {
    const { zone } = this.#places;
    const zones = [defined(zone[place])];
    for (const { place: other } of near.slice(0, ZONE_CANDIDATES)) {
      const own = defined(zone[other]);
      if (!zones.includes(own) && this.#country[other] === this.#country[place]) zones.push(own);
    }
    return zones;
  }

  /** The country that a point belongs to. Near a border, its time zone tells it. */
  #ownerOf(held: number, point: Point): number {
    const isNear = this.#boundaries.isNearBorder(point.latitude, point.longitude, BORDER_KM);
    return (isNear ? this.#countryByZone(point) : undefined) ?? this.#countryOf(held);
  }

  #countryOf(area: number): number {
    return defined(holderOf(this.#areas, area, 0));
  }

  /** The area that the boundaries put a place in. */
  #drawnArea(place: number): number {
    const known = defined(this.#drawn[place]);
    if (known !== UNKNOWN) return known;
    const { latitudeE5, longitudeE5 } = this.#places;
    const area = this.#boundaries.areaAt(defined(latitudeE5[place]) / 1e5, defined(longitudeE5[place]) / 1e5) ?? AT_SEA;
    this.#drawn[place] = area;
    return area;
  }

  /** The land that a point off the coast belongs to. Undefined if there is none. */
  #areaOffCoast({ latitude, longitude }: Point, near: readonly NearPlace[]): number | undefined {
    const waters = this.#boundaries.countryAt(latitude, longitude);
    const fits = (owner: number) => waters === undefined || owner === waters;
    const coast = this.#boundaries
      .areasNear(latitude, longitude, COAST_KM)
      .find(({ area }) => fits(this.#countryOf(area)));
    const place = near.find(({ place: row, distanceKm }) => {
      const withinKm = this.#drawnArea(row) === AT_SEA ? ISLAND_KM : COAST_KM;
      return distanceKm <= withinKm && fits(defined(this.#country[row]));
    });
    // The nearer one counts. The place tells its own division.
    if (coast !== undefined && (place === undefined || coast.distanceKm < place.distanceKm)) return coast.area;
    return place === undefined ? undefined : defined(this.#division[place.place]);
  }

  /** The city in whose section a point is, if that is nearer than the town beside the city. Else the town. */
  #cityAround(near: readonly NearPlace[], town: NearPlace | undefined, { latitude, longitude }: Point) {
    const { population } = this.#places;
    if (town === undefined) return undefined;
    const least = Math.max(CITY_POPULATION, SUBURBS * defined(population[town.place]));
    const isAround = ({ place, distanceKm: km }: NearPlace) => {
      const people = defined(population[place]);
      return people > least && km < cityReachKm(people) + SECTION_KM;
    };
    if (!near.some(isAround)) return town;
    const [section] = this.#sections.find(latitude, longitude, 1, Math.min(SECTION_KM, town.distanceKm));
    if (section === undefined) return town;
    const city = near.find((other) => isAround(other) && this.#isSectionOf(section.place, other.place));
    return city === undefined ? town : { place: city.place, distanceKm: section.distanceKm };
  }

  /** Whether a section is within the reach of a city, and in its second-level division as far as both are known. */
  #isSectionOf(section: number, city: number): boolean {
    const { area, latitudeE5, longitudeE5, population } = this.#places;
    const pointOf = (place: number) => ({
      latitude: defined(latitudeE5[place]) / 1e5,
      longitude: defined(longitudeE5[place]) / 1e5,
    });
    const [own, other] = [area[section], area[city]].map((known) => holderOf(this.#areas, known, 2));
    if (own !== other && own !== undefined && other !== undefined) return false;
    return distanceKm(pointOf(section), pointOf(city)) < cityReachKm(defined(population[city]));
  }
}

/** The place with the least distance in relation to its size. */
function bestOf(near: readonly NearPlace[], { population }: Pick<PlaceTable, 'population'>): NearPlace | undefined {
  let best: NearPlace | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const candidate of near) {
    const score = candidate.distanceKm / reachOf(defined(population[candidate.place]));
    if (score < bestScore) [best, bestScore] = [candidate, score];
  }
  return best;
}
