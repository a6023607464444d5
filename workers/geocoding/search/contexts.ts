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
  for (const { start, end, mask, isMisspelt } of hits) {
    let found = 0;
    for (let at = start; at < end; at++) {
      const entity = defined(names.postings[at]) >>> 1;
      // Postings of areas come first, then those of places, the most populous first.
      if (entity < areas.count) {
        const masks = contexts.get(entity);
        if (masks === undefined) contexts.set(entity, [mask]);
        else masks.push(mask);
      } else {
        const place = entity - areas.count;
        const isTown = place < places.count && defined(places.population[place]) >= TOWN_POPULATION;
        if (isMisspelt || found === MAX_TOWNS || !isTown) break;
        towns.push({ place, mask });
        found++;
      }
    }
  }
  return { areas: contexts, towns };
}

/** The tokens outside its own name that name an area around the entity, or the town that it belongs to. */
export function contextMask(gazetteer: Gazetteer, contexts: Contexts, entity: number, ownMask: number): number {
  return areaMask(gazetteer, contexts, entity, ownMask) | nearbyMask(gazetteer, contexts, entity, ownMask);
}

function areaMask(gazetteer: Gazetteer, contexts: Contexts, entity: number, ownMask: number): number {
  const { parent } = gazetteer.areas;
  let mask = 0;
  let area = areaOf(gazetteer, entity);
  while (area !== undefined) {
    if (area !== entity) mask |= outside(contexts.areas.get(area) ?? [], ownMask);
    const holder: number | undefined = parent[area];
    if (holder === area) break;
    area = holder;
  }
  return mask;
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
