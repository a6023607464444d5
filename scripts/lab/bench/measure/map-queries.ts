import type { ForwardQuery, ReverseQuery } from '../../../../workers/geocoding/geocoding.ts';
import { loadCases } from '../../quality/maps/cases.ts';
import { CATEGORIES } from '../../quality/maps/categories.ts';

/** The same number for every category, so that each kind of query has the same weight. */
const PER_CATEGORY = 20;
const RESULTS = 5;

export interface MapQueries {
  readonly forward: readonly ForwardQuery[];
  readonly reverse: readonly ReverseQuery[];
}

/** Loads some labeled cases of every category, always the same, in round-robin order of the categories. */
export function loadMapQueries(): MapQueries {
  const sets = CATEGORIES.map(loadCases);
  return {
    forward: roundRobin(sets.map(({ forward }) => forward)).map(({ query, language, bias }) => ({
      query,
      language,
      limit: RESULTS,
      bias: bias && { latitude: bias[0], longitude: bias[1] },
    })),
    reverse: roundRobin(sets.map(({ reverse }) => reverse)).map(({ point: [latitude, longitude], language }) => ({
      point: { latitude, longitude },
      language,
    })),
  };
}

function roundRobin<Case>(lists: readonly (readonly Case[])[]): readonly Case[] {
  return Array.from({ length: PER_CATEGORY }, (_, index) =>
    // A forward category has no reverse cases, and a reverse category no forward cases.
    lists.flatMap((list) => list.at(Math.floor((index * list.length) / PER_CATEGORY)) ?? []),
  ).flat();
}
