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
  /** The tokens that name countries and first-level divisions, and those of them that are no codes or other names. */
  readonly divisions: number;
  readonly ownDivisions: number;
  readonly towns: readonly Town[];
  readonly lands: readonly Land[];
}

interface Town {
  /** Row of the table of places. */
  readonly place: number;
  readonly mask: number;
}

/** An island or a region that is no division. */
interface Land {
  /** Row of the table of features. */
  readonly feature: number;
  readonly mask: number;
}

/** Least population of a town that says where another place is. */
const TOWN_POPULATION = 20_000;
const MAX_TOWNS = 6;
/** A place belongs to a town within this distance: 55 km for London, 16 km for San Francisco. */
const reachKm = (population: number) => 5 + Math.sqrt(population) / 60;

export function contextsOf(gazetteer: Gazetteer, hits: readonly Hit[]): Contexts {
  const { areas, names, places, features } = gazetteer;
  const contexts = new Map<number, number[]>();
  const towns: Town[] = [];
  const lands: Land[] = [];
  let divisions = 0;
  let ownDivisions = 0;
  for (const { start, end, mask, written, isMisspelt } of hits) {
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
        if (defined(areas.level[entity]) === 2) continue;
        divisions |= mask;
        const isOwn = (defined(names.postings[at]) & 1) === 1 && areas.codes.at(entity).toLowerCase() !== written;
        if (isOwn) ownDivisions |= mask;
      } else {
        const place = entity - areas.count;
        const isTown = place < places.count && defined(places.population[place]) >= TOWN_POPULATION;
        if (found === MAX_TOWNS || !isTown) break;
        towns.push({ place, mask });
        found++;
      }
    }
    // Postings of features come last.
    for (let at = end - 1; at >= start; at--) {
      const feature = (defined(names.postings[at]) >>> 1) - areas.count - places.count;
      if (feature < 0) break;
      if (defined(features.reachKm[feature]) > 0) lands.push({ feature, mask });
    }
  }
  return { areas: contexts, divisions, ownDivisions, towns, lands };
}

/** What the words of a query say about where an entity is. All masks are of tokens outside its own name. */
export interface Surroundings {
  /** The words that name an area around it. */
  readonly inside: number;
  /** The largest of these areas. */
  readonly within: number | undefined;
  /** The other words that name a larger town near it, or land that it is on. */
  readonly nearby: number;
  /** Whether some of these words name less than a country. */
  readonly isNarrow: boolean;
  /** Whether words that only name a second-level division around it, or a town near it, also name a larger area. */
  readonly isElsewhere: boolean;
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
  let inDivision = 0;
  let isNarrow = false;
  let area = areaOf(gazetteer, entity);
  while (area !== undefined) {
    const named = area === entity ? 0 : outside(contexts.areas.get(area) ?? [], ownMask);
    if (named !== 0) {
      inside |= named;
      within = area;
      isNarrow ||= level[area] !== 0;
      if (defined(level[area]) < 2) inDivision |= named;
    }
    const holder: number | undefined = parent[area];
    if (holder === area) break;
    area = holder;
  }
  const nearby = nearbyMask(gazetteer, contexts, entity, ownMask) & ~inside;
  const isElsewhere = ((nearby & contexts.divisions) | (inside & ~inDivision & contexts.ownDivisions)) !== 0;
  return { inside, within, nearby, isNarrow: isNarrow || nearby !== 0, isElsewhere };
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

function nearbyMask(gazetteer: Gazetteer, { towns, lands }: Contexts, entity: number, ownMask: number): number {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'place' && kind !== 'feature') return 0;
  let mask = 0;
  for (const { place, mask: context } of towns) {
    // Places are ordered by population, so a larger town has a smaller row.
    if ((kind === 'place' && place >= row) || (context & ownMask) !== 0) continue;
    const km = distanceKm(pointOf(gazetteer, entity), pointOf(gazetteer, placeEntity(gazetteer, place)));
    // A town on an island says nothing about it: Harlem, Manhattan.
    const isOnIt = kind === 'feature' && km <= defined(gazetteer.features.reachKm[row]);
    if (!isOnIt && km <= reachKm(defined(gazetteer.places.population[place]))) mask |= context;
  }
  if (kind !== 'place') return mask;
  for (const { feature, mask: context } of lands) {
    if ((context & ownMask) !== 0) continue;
    const land = gazetteer.areas.count + gazetteer.places.count + feature;
    const km = distanceKm(pointOf(gazetteer, entity), pointOf(gazetteer, land));
    if (km <= defined(gazetteer.features.reachKm[feature])) mask |= context;
  }
  return mask;
}
