import { defined } from '../../exact/defined.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, placeEntity, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm } from '../geometry/distance.ts';
import type { Hit } from './hits.ts';
import { sovereignOf } from './sovereigns.ts';

/** What the spans of a query can say about where a place is. */
export interface Contexts {
  /** Area → masks of the spans that name it. */
  readonly areas: ReadonlyMap<number, readonly number[]>;
  /** The tokens that name countries and first-level divisions. */
  readonly divisions: number;
  readonly towns: readonly Town[];
}

interface Town {
  /** Row of the table of places. */
  readonly place: number;
  readonly mask: number;
}

/** Least population of a town that says where another place is. */
const TOWN_POPULATION = 20_000;
const MAX_TOWNS = 6;
/** A place belongs to a town within this distance: 55 km for London, 16 km for San Francisco. */
const reachKm = (population: number) => 5 + Math.sqrt(population) / 60;

export function contextsOf(gazetteer: Gazetteer, hits: readonly Hit[]): Contexts {
  const { areas, names, places } = gazetteer;
  const contexts = new Map<number, number[]>();
  const towns: Town[] = [];
  let divisions = 0;
  for (const { start, end, mask, isMisspelt } of hits) {
    // A slip does not say where a place is.
    if (isMisspelt) continue;
    let found = 0;
    for (let at = start; at < end; at++) {
      const entity = defined(names.postings[at]) >>> 1;
      // Postings of areas come first, then those of places, the most populous first.
      if (entity < areas.count) {
        const masks = contexts.get(entity);
        if (masks === undefined) contexts.set(entity, [mask]);
        else masks.push(mask);
        if (defined(areas.level[entity]) < 2) divisions |= mask;
      } else {
        const place = entity - areas.count;
        const isTown = place < places.count && defined(places.population[place]) >= TOWN_POPULATION;
        if (found === MAX_TOWNS || !isTown) break;
        towns.push({ place, mask });
        found++;
      }
    }
  }
  return { areas: contexts, divisions, towns };
}

/** What the words of a query say about where an entity is. All are masks of tokens outside its own name. */
export interface Surroundings {
  /** The words that name a country or a first-level division around it. */
  readonly inside: number;
  /** The largest area that they name. */
  readonly within: number | undefined;
  /** The words that name a smaller division around it, or the town that it belongs to. */
  readonly near: number;
  /** The words of `near` that also name a country or a first-level division, in which it is not. */
  readonly elsewhere: number;
}

export function surroundingsOf(
  gazetteer: Gazetteer,
  contexts: Contexts,
  entity: number,
  ownMask: number,
): Surroundings {
  const { level, parent } = gazetteer.areas;
  let inside = 0;
  let within: number | undefined;
  let near = nearbyMask(gazetteer, contexts, entity, ownMask);
  let area = areaOf(gazetteer, entity);
  while (area !== undefined) {
    const named = area === entity ? 0 : outside(contexts.areas.get(area) ?? [], ownMask);
    if (defined(level[area]) >= 2) near |= named;
    else if (named !== 0) {
      inside |= named;
      within = area;
    }
    const holder: number | undefined = parent[area];
    if (holder === area) break;
    area = holder;
  }
  near &= ~inside;
  return { inside, within, near, elsewhere: near & contexts.divisions };
}

function outside(masks: readonly number[], ownMask: number): number {
  return masks.reduce((sum, mask) => ((mask & ownMask) === 0 ? sum | mask : sum), 0);
}

/** The tokens that name the state that the entity's territory belongs to: Hong Kong, China. */
export function sovereignMask(gazetteer: Gazetteer, contexts: Contexts, entity: number, ownMask: number): number {
  const { areas } = gazetteer;
  const country = holderOf(areas, areaOf(gazetteer, entity), 0);
  const sovereign = country === undefined ? undefined : sovereignOf(areas.codes.at(country));
  if (sovereign === undefined) return 0;
  let mask = 0;
  for (const [area, masks] of contexts.areas) {
    if (areas.level[area] === 0 && areas.codes.at(area) === sovereign) mask |= outside(masks, ownMask);
  }
  return mask;
}

function nearbyMask(gazetteer: Gazetteer, { towns }: Contexts, entity: number, ownMask: number): number {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'place' && kind !== 'feature') return 0;
  let mask = 0;
  for (const { place, mask: context } of towns) {
    // Places are ordered by population, so a larger town has a smaller row.
    if ((kind === 'place' && place >= row) || (context & ownMask) !== 0) continue;
    const km = distanceKm(pointOf(gazetteer, entity), pointOf(gazetteer, placeEntity(gazetteer, place)));
    if (km <= reachKm(defined(gazetteer.places.population[place]))) mask |= context;
  }
  return mask;
}
