import { defined } from '../../exact/defined.ts';
import { entityOf, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { FEATURES } from '../gazetteer/places.ts';
import { distanceKm, type Point } from '../geometry/distance.ts';

const CAPITAL = FEATURES.indexOf('PPLC');
const SECTION = FEATURES.indexOf('PPLX');
const CAPITAL_POINTS = 0.6;
const SECTION_POINTS = -0.5;
/** Points of countries, first-level and second-level divisions. A city is more likely meant than a division named after it. */
const LEVEL_POINTS = [1.5, -1.3, -2.5] as const;
const POSTCODE_POINTS = 8;
const BIAS_POINTS = 5;
const BIAS_REACH_KM = 300;

/** How likely an entity is meant if only its name is known, in powers of ten of population. */
export function prominenceOf(gazetteer: Gazetteer, entity: number): number {
  const { areas, places, features } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'postcode') return POSTCODE_POINTS;
  if (kind === 'feature') return features.prominenceOf(row);
  if (kind === 'area') {
    const people = Math.log10(defined(areas.population[row]) + 100) + defined(LEVEL_POINTS[defined(areas.level[row])]);
    return Math.max(people, defined(areas.fame[row]) / 10);
  }
  const feature = places.feature[row];
  const standing = feature === CAPITAL ? CAPITAL_POINTS : feature === SECTION ? SECTION_POINTS : 0;
  return Math.log10(defined(places.population[row]) + 100) + standing;
}

/** Whether an entity is a part of a town. */
export function isSection(gazetteer: Gazetteer, entity: number): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  return kind === 'place' && gazetteer.places.feature[row] === SECTION;
}

/** Points for nearness to the point that the caller prefers. */
export function nearnessOf(gazetteer: Gazetteer, entity: number, bias: Point | undefined): number {
  if (bias === undefined) return 0;
  return BIAS_POINTS * Math.exp(-distanceKm(pointOf(gazetteer, entity), bias) / BIAS_REACH_KM);
}

/** Least population of a city that people name to say where something is. */
export const CITY_POPULATION = 100_000;

/** Whether an entity is a country, a first-level division, or as well known as a place with that population. */
export function isProminent(gazetteer: Gazetteer, entity: number, population: number): boolean {
  const { areas, places, features } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'postcode') return true;
  if (kind === 'feature') return features.prominenceOf(row) >= Math.log10(population);
  return kind === 'area' ? defined(areas.level[row]) < 2 : defined(places.population[row]) >= population;
}
