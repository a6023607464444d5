import type { ForwardQuery, ReverseQuery } from '../../../../workers/geocoding/geocoding.ts';
import { loadCases } from '../../quality/maps/cases.ts';
import { CATEGORIES } from '../../quality/maps/categories.ts';

/** So that each kind of query weighs the same: names, addresses, misspelt ones, other scripts. */
const PER_CATEGORY = 20;
const RESULTS = 5;

export interface MapQueries {
  readonly forward: readonly ForwardQuery[];
  readonly reverse: readonly ReverseQuery[];
}

/** Some of the labeled cases of every category, the same ones each time, the categories in turn. */
export function loadMapQueries(): MapQueries {
  const sets = CATEGORIES.map(loadCases);
  return {
    forward: inTurn(sets.map(({ forward }) => forward)).map(({ query, language, bias }) => ({
      query,
      language,
      limit: RESULTS,
      bias: bias && { latitude: bias[0], longitude: bias[1] },
    })),
    reverse: inTurn(sets.map(({ reverse }) => reverse)).map(({ point: [latitude, longitude], language }) => ({
      point: { latitude, longitude },
      language,
    })),
  };
}

function inTurn<Case>(lists: readonly (readonly Case[])[]): readonly Case[] {
  return Array.from({ length: PER_CATEGORY }, (_, index) =>
    lists.flatMap((list) => list.at(Math.floor((index * list.length) / PER_CATEGORY)) ?? []),
  ).flat();
}
