import type { Layer } from '../../../../workers/geocoding/boundaries/layer.ts';
import type { Areas } from '../sources/areas.ts';
import type { GeoNamesPlace } from '../sources/place.ts';
import type { Division } from './natural-earth.ts';

/** The country to which ISO 3166 and GeoNames assign a Natural Earth territory that has no ISO code of its own. */
const COUNTRY_OF_TERRITORY: Readonly<Record<string, string>> = {
  CYN: 'CY',
  ESB: 'CY',
  WSB: 'CY',
  SOL: 'SO',
  KAB: 'KZ',
  KAS: 'IN',
  USG: 'CU',
  CSI: 'AU',
  ATC: 'AU',
  SAH: 'EH',
  PGA: 'VN',
  CLP: 'FR',
};

/** The GeoNames area of divisions that Natural Earth assigns to the governing country, by Natural Earth's code. */
const OWN_AREAS: Readonly<Record<string, string>> = {
  'NO-21': 'SJ.21',
  'NO-X01~': 'BV',
  '-99-X14~': 'CX',
  '-99-X15~': 'CC',
};

/**
 * Share of the votes that a division needs to win. With a smaller share, the polygon covers several current
 * divisions, so it is assigned only to the country.
 */
const MAJORITY = 0.85;
/** Number of votes for other divisions that are ignored, because borders are imprecise. */
const STRAYS = 2;
/** Share of the votes that a division needs to win if Natural Earth names the same division. */
const CONFIRMED = 0.6;
/**
 * Share of Natural Earth's codes in a territory that must agree with the votes. Above it, the codes are also used for
 * the divisions of that territory without votes.
 */
const TRUST = 0.9;

/** Finds the GeoNames area of each division: each place inside the division votes for its own area. */
export function assignAreas(
  divisions: readonly Division[],
  { areas, places, layer }: { areas: Areas; places: readonly GeoNamesPlace[]; layer: Layer },
): readonly number[] {
  const votes = divisions.map(() => new Map<number, number>());
  for (const place of places) {
    const division = layer.areaAt(place.latitude, place.longitude);
    const ballot = division === undefined ? undefined : votes[division];
    const area = firstLevel(areas, areas.of(place));
    ballot?.set(area, (ballot.get(area) ?? 0) + 1);
  }
  const ballots = addVotes(divisions, votes);
  const elected = divisions.map(({ number, geoNamesKey }) =>
    elect(areas, ballots.get(number) ?? new Map(), areas.indexOf(geoNamesKey)),
  );
  const trusted = trustedTerritories(divisions, areas, elected);
  return divisions.map((division, index) => {
    const area = areas.indexOf(OWN_AREAS[division.isoCode] ?? '') ?? ownAreaOf(areas, votes[index], elected[index]);
    if (area !== undefined) return area;
    const byCode = trusted.has(division.territory) ? areas.indexOf(division.geoNamesKey) : undefined;
    return byCode ?? countryOf(division, areas);
  });
}

/** The votes of all polygons of each division. */
function addVotes(
  divisions: readonly Division[],
  votes: readonly ReadonlyMap<number, number>[],
): ReadonlyMap<number, ReadonlyMap<number, number>> {
  const sums = new Map<number, Map<number, number>>();
  for (const [index, { number }] of divisions.entries()) {
    const sum = sums.get(number) ?? new Map<number, number>();
    for (const [area, count] of votes[index] ?? []) sum.set(area, (sum.get(area) ?? 0) + count);
    sums.set(number, sum);
  }
  return sums;
}

/** The division of an island that Natural Earth draws with another one: all of its places are in that division. */
function ownAreaOf(
  areas: Areas,
  votes: ReadonlyMap<number, number> | undefined,
  elected: number | undefined,
): number | undefined {
  const [own, other] = [...(votes?.keys() ?? [])];
  if (own === undefined || other !== undefined || elected === undefined) return elected;
  return countryAbove(areas, own) === countryAbove(areas, elected) ? own : elected;
}

function firstLevel(areas: Areas, area: number): number {
  const { level, parent } = areas.list[area] ?? { level: 0, parent: area };
  return level === 2 ? parent : area;
}

function elect(areas: Areas, ballot: ReadonlyMap<number, number>, named: number | undefined): number | undefined {
  const country = most(sumBy(ballot, (area) => countryAbove(areas, area)))?.key;
  if (country === undefined) return undefined;
  const own = new Map([...ballot].filter(([area]) => countryAbove(areas, area) === country && area !== country));
  const winner = most(own);
  const total = [...own.values()].reduce((sum, count) => sum + count, 0);
  if (winner === undefined) return country;
  const share = winner.key === named ? CONFIRMED : MAJORITY;
  return winner.count >= total * share || total - winner.count <= STRAYS ? winner.key : country;
}

export function countryAbove(areas: Areas, area: number): number {
  const { level, parent } = areas.list[area] ?? { level: 0, parent: area };
  return level === 0 ? area : countryAbove(areas, parent);
}

function sumBy(counts: ReadonlyMap<number, number>, group: (key: number) => number): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const [key, count] of counts) sums.set(group(key), (sums.get(group(key)) ?? 0) + count);
  return sums;
}

function most(counts: ReadonlyMap<number, number>): { key: number; count: number } | undefined {
  const [first] = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  return first === undefined ? undefined : { key: first[0], count: first[1] };
}

/** Territories whose Natural Earth codes are reliable. GeoNames renumbers divisions, and Natural Earth keeps the old codes. */
function trustedTerritories(
  divisions: readonly Division[],
  areas: Areas,
  elected: readonly (number | undefined)[],
): ReadonlySet<string> {
  const tallies = new Map<string, { right: number; all: number }>();
  for (const [index, { territory, geoNamesKey }] of divisions.entries()) {
    const area = elected[index];
    if (area === undefined) continue;
    const tally = tallies.get(territory) ?? { right: 0, all: 0 };
    tally.all++;
    if (areas.indexOf(geoNamesKey) === area) tally.right++;
    tallies.set(territory, tally);
  }
  return new Set([...tallies].filter(([, { right, all }]) => right >= all * TRUST).map(([territory]) => territory));
}

function countryOf({ territory, countryCode, name }: Division, areas: Areas): number {
  const area = areas.indexOf(COUNTRY_OF_TERRITORY[territory] ?? countryCode);
  if (area === undefined) throw new Error(`no country for ${name} (${territory})`);
  return area;
}
