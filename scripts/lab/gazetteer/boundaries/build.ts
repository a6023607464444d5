import { defined } from '../../../../workers/exact/defined.ts';
import { type Arcs, encodeArcs } from '../../../../workers/geocoding/boundaries/arcs.ts';
import { openBoundaries } from '../../../../workers/geocoding/boundaries/boundaries.ts';
import { openLayer } from '../../../../workers/geocoding/boundaries/layer.ts';
import type { Columns } from '../../../../workers/geocoding/columns/columns.ts';
import type { Areas } from '../sources/areas.ts';
import type { GeoNamesPlace } from '../sources/place.ts';
import { assignAreas, countryAbove } from './assign.ts';
import { readCountries } from './country-coder.ts';
import { collectEdges } from './edges.ts';
import { isoCodesOf } from './iso-codes.ts';
import { readNaturalEarth } from './natural-earth.ts';
import { pointsOf } from './points.ts';
import type { Point } from './pole.ts';
import { traceArcs } from './trace.ts';

/** 111 m. The source was drawn for maps of 1 : 10,000,000, so its own errors are far larger. */
const TOLERANCE_UNITS = 10;

export interface BuiltBoundaries {
  readonly columns: Columns;
  /** A point well inside each country and first-level division. */
  readonly points: ReadonlyMap<number, Point>;
  /** ISO 3166-2 codes without country and hyphen, for the first-level divisions with a known code. */
  readonly isoCodes: ReadonlyMap<number, string>;
}

export function buildBoundaries(areas: Areas, places: readonly GeoNamesPlace[]): BuiltBoundaries {
  const divisions = readNaturalEarth();
  const edges = collectEdges(divisions);
  // In this layer, every division is its own area. It shows which places each division contains.
  const single = openLayer(traceArcs(edges, (label) => label, 0));
  const assigned = assignAreas(divisions, { areas, places, layer: single });
  const arcs = traceArcs(edges, (label) => (label === 0 ? 0 : defined(assigned[label - 1]) + 1), TOLERANCE_UNITS);
  const columns = {
    ...encodeArcs(countryArcs(areas), 'countries.'),
    ...encodeArcs(arcs, 'divisions.'),
    countryOf: Uint16Array.from(areas.list, (_, area) => countryAbove(areas, area)),
  };
  return {
    columns,
    points: pointsOf({ arcs, areas, places, boundaries: openBoundaries(columns) }),
    isoCodes: isoCodesOf(areas),
  };
}

function countryArcs(areas: Areas): Arcs {
  const countries = readCountries(areas);
  const area = (label: number) => (label === 0 ? 0 : (countries[label - 1]?.area ?? 0) + 1);
  return traceArcs(collectEdges(countries), area, 0);
}
