import type { Confidence, ZonedAddress } from '../../../../workers/geocoding/address/address.ts';
import type { ForwardCase, ReverseCase, TrapCase } from './cases.ts';
import { describe, distanceKm, fold } from './compare.ts';
import type { PlaceFinder } from './finder.ts';

/** The score of one case. The case passed if there are no faults. */
export interface Score {
  readonly asked: string;
  readonly faults: readonly string[];
  /** The first result, or `nothing`. */
  readonly found: string;
  /** How sure the geocoder is of it, and whether it is right. Undefined if nothing was found, and for points. */
  readonly claim?: { readonly confidence: Confidence; readonly isRight: boolean } | undefined;
}

/** The instants of the labeled offsets. */
export const JANUARY_MS = Date.UTC(2025, 0, 15, 12);
export const JULY_MS = Date.UTC(2025, 6, 15, 12);
const LIMIT = 5;

type Point = readonly [latitude: number, longitude: number];
const toPoint = ([latitude, longitude]: Point) => ({ latitude, longitude });

/** Compares the first result with all expectations. Other results do not count. */
export function scoreForward({ query, language, bias, expect }: ForwardCase, finder: PlaceFinder): Score {
  const request = { query, language, limit: LIMIT, bias: bias && toPoint(bias) };
  const [found] = finder.geocode(request, JANUARY_MS);
  const faults = found === undefined ? ['nothing was found'] : forwardFaults(expect, found);
  const asked = bias === undefined ? query : `${query} (near ${bias.join(', ')})`;
  return { asked, faults, found: describe(found), claim: claimOf(found, isMeant(expect, found)) };
}

/** A wrong first result is a fault unless its confidence is low. A place with exactly the name is right. */
export function scoreTrap({ query, language, near, withinKm = 0 }: TrapCase, finder: PlaceFinder): Score {
  const [found] = finder.geocode({ query, language, limit: LIMIT, bias: undefined }, JANUARY_MS);
  if (found === undefined) return { asked: query, faults: [], found: describe(found) };
  const isMeant = near !== undefined && distanceFaults({ near, withinKm }, found).length === 0;
  const isNamed = near === undefined && fold(found.locality ?? '') === fold(query);
  const isRight = isMeant || isNamed;
  const faults = isRight || found.confidence === 'Low' ? [] : [`wrong, with confidence ${found.confidence}`];
  return { asked: query, faults, found: describe(found), claim: claimOf(found, isRight) };
}

/** An answer within this distance is the place that was meant, however it is spelled. */
const MEANT_KM = 25;

function isMeant(expect: ForwardCase['expect'], found: ZonedAddress | undefined): boolean {
  if (found === undefined) return false;
  const { near, withinKm, countryCode, adminDistrictCode } = expect;
  const faults = [
    ...distanceFaults({ near, withinKm: Math.max(withinKm, MEANT_KM) }, found),
    ...differs('countryCode', countryCode, found.countryCode),
    ...differs('adminDistrictCode', adminDistrictCode, found.adminDistrictCode),
  ];
  return faults.length === 0;
}

function claimOf(found: ZonedAddress | undefined, isRight: boolean): Score['claim'] {
  const confidence = found?.confidence ?? undefined;
  return confidence === undefined ? undefined : { confidence, isRight };
}

export function scoreReverse({ point, language, expect, note }: ReverseCase, finder: PlaceFinder): Score {
  const request = { point: toPoint(point), language };
  const results = finder.reverse(request, JANUARY_MS);
  const july = expect.offsetJuly === undefined ? undefined : finder.reverse(request, JULY_MS)[0];
  const faults = reverseFaults(expect, results[0], july);
  const asked = note === undefined ? point.join(', ') : `${point.join(', ')} (${note})`;
  return { asked, faults, found: describe(results[0]) };
}

function forwardFaults(expect: ForwardCase['expect'], found: ZonedAddress): readonly string[] {
  const missing = (expect.matchCodes ?? []).filter((code) => !found.matchCodes.some((other) => other === code));
  return [
    ...distanceFaults(expect, found),
    ...placeFaults(expect, found),
    ...differs('type', expect.type, found.type),
    ...missing.map((code) => `matchCodes lack ${code}`),
  ];
}

function reverseFaults(
  expect: ReverseCase['expect'],
  january: ZonedAddress | undefined,
  july: ZonedAddress | undefined,
): readonly string[] {
  if (expect.count === 0) return january === undefined ? [] : ['something was found'];
  if (january === undefined) return expect.mayBeEmpty ? [] : ['nothing was found'];
  return [
    ...placeFaults(expect, january),
    ...differs('offset in January', expect.offsetJanuary, january.utcOffset),
    ...differs('offset in July', expect.offsetJuly, july?.utcOffset),
  ];
}

function distanceFaults(
  { near, withinKm }: Pick<ForwardCase['expect'], 'near' | 'withinKm'>,
  found: ZonedAddress,
): readonly string[] {
  if (found.latitude === null || found.longitude === null) return ['no coordinates'];
  const km = distanceKm(near, [found.latitude, found.longitude]);
  return km <= withinKm ? [] : [`${Math.round(km)} km away`];
}

function placeFaults(expect: ForwardCase['expect'] | ReverseCase['expect'], found: ZonedAddress): readonly string[] {
  return [
    ...differs('countryCode', expect.countryCode, found.countryCode),
    ...differs('adminDistrictCode', expect.adminDistrictCode, found.adminDistrictCode),
    ...differs('locality', expect.locality, found.locality, fold),
    ...differs('timeZone', expect.timeZone, found.timeZone),
  ];
}

function differs(
  field: string,
  wanted: string | readonly string[] | undefined,
  found: string | null | undefined,
  normalize = (text: string) => text,
): readonly string[] {
  if (wanted === undefined) return [];
  const choices = [wanted].flat();
  const isMet = typeof found === 'string' && choices.some((choice) => normalize(choice) === normalize(found));
  return isMet ? [] : [`${field} ${found ?? 'null'}, not ${choices.join(' or ')}`];
}
