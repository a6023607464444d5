import type { ZonedAddress } from './address.ts';
import { describe } from './format/describe.ts';
import type { Gazetteer } from './gazetteer/gazetteer.ts';
import type { Point } from './geometry/distance.ts';
import { search } from './search/search.ts';

export interface ForwardQuery {
  readonly query: string;
  /** BCP 47 tag of the language of names; English by default. */
  readonly language?: string | undefined;
  /** Most results, 1 to 5. */
  readonly limit: number;
  /** What is near here is preferred. */
  readonly bias?: Point | undefined;
}

/** Finds places by their names, best first. `atMs`: the instant that UTC offsets apply at. */
export function geocode(gazetteer: Gazetteer, query: ForwardQuery, atMs: number): readonly ZonedAddress[] {
  const { language } = query;
  return search(gazetteer, { ...query, bias: query.bias }).map(({ entity, confidence, matchCodes }) =>
    describe(gazetteer, entity, { language, atMs, confidence, matchCodes }),
  );
}
