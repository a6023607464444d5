import { defined } from '../../exact/defined.ts';
import type { Address, AddressType, Confidence, MatchCode, ZonedAddress } from '../address/address.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, placeEntity, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { FEATURES } from '../gazetteer/places.ts';
import type { Point } from '../geometry/distance.ts';
import { timeZoneAt } from '../zone/time-zone.ts';
import { utcOffsetAt } from '../zone/utc-offset.ts';
import { formatAddress } from './format-address.ts';
import { type NamesIn, namesIn, translationIn } from './languages.ts';

export interface Description {
  /** BCP 47 tag of the language of names. */
  readonly language: string | undefined;
  readonly atMs: number;
  readonly confidence: Confidence;
  readonly matchCodes: readonly MatchCode[];
  /** By default, that of the entity itself. */
  readonly timeZone?: string | null | undefined;
}

const SECTION = FEATURES.indexOf('PPLX');
const AREA_TYPES: readonly AddressType[] = ['CountryRegion', 'AdminDivision1', 'AdminDivision2'];

/** The address of an entity. Names are in the language as far as they are known in it. */
export function describe(gazetteer: Gazetteer, entity: number, description: Description): ZonedAddress {
  const names = namesIn(description.language);
  const point = knownPoint(gazetteer, entity);
  const parts = partsOf(gazetteer, entity, names);
  const { timeZone = timeZoneOf(gazetteer, entity, point) } = description;
  return {
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    ...parts,
    formattedAddress: formatEntity(gazetteer, entity, parts, names.language),
    type: typeOf(gazetteer, entity),
    confidence: description.confidence,
    matchCodes: description.matchCodes,
    timeZone,
    utcOffset: timeZone === null ? null : utcOffsetAt(timeZone, description.atMs),
  };
}

/** A feature has no field of its own in an address, so its name stands before the address. */
function formatEntity(gazetteer: Gazetteer, entity: number, parts: Parts, language: string): string | null {
  const address = formatAddress(parts, language);
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'feature') return address;
  const name = gazetteer.features.names.at(row);
  return address === null ? name : `${name}, ${address}`;
}

type Parts = Omit<Address, 'latitude' | 'longitude' | 'formattedAddress' | 'type' | 'confidence' | 'matchCodes'>;

function partsOf(gazetteer: Gazetteer, entity: number, names: NamesIn): Parts {
  const { areas } = gazetteer;
  const area = areaOf(gazetteer, entity);
  const [country, first, second] = ([0, 1, 2] as const).map((level) => holderOf(areas, area, level));
  const nameOf = (division: number | undefined) => (division === undefined ? null : nameIn(gazetteer, names, division));
  const countryCode = country === undefined ? null : areas.codes.at(country);
  const code = first === undefined ? '' : areas.codes.at(first);
  const { kind, row } = entityOf(gazetteer, entity);
  return {
    addressLine: null,
    streetNumber: null,
    streetName: null,
    locality: localityOf(gazetteer, names, entity),
    postalCode: kind === 'postcode' ? writtenCode(gazetteer.postcodes.codeAt(row), countryCode) : null,
    adminDistrict: nameOf(first),
    adminDistrictCode: code === '' ? null : code,
    adminDistrict2: nameOf(second),
    country: countryCode === null ? null : names.country(countryCode),
    countryCode,
  };
}

/** The town that an entity is or belongs to. Null for an area, and if the town is not known. */
function localityOf(gazetteer: Gazetteer, names: NamesIn, entity: number): string | null {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return null;
  return kind === 'feature' ? gazetteer.features.towns.at(row) || null : nameIn(gazetteer, names, entity);
}

/** The name of an area or a place, or of the town of a postcode. */
function nameIn(gazetteer: Gazetteer, names: NamesIn, entity: number): string {
  const { areas, places, postcodes, translations } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'postcode') {
    const place = postcodes.placeOf(row);
    return place === undefined ? postcodes.townOf(row) : nameIn(gazetteer, names, placeEntity(gazetteer, place));
  }
  const own = kind === 'area' ? areas.names.at(row) : places.names.at(row);
  return translationIn(translations, names, entity) ?? own;
}

/** A postcode as its post office writes it. */
function writtenCode(code: string, countryCode: string | null): string {
  return countryCode === 'JP' ? `${code.slice(0, 3)}-${code.slice(3)}` : code;
}

/** Null for features, because the types are those of addresses. */
function typeOf(gazetteer: Gazetteer, entity: number): AddressType | null {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'feature') return null;
  if (kind === 'postcode') return 'Postcode1';
  if (kind === 'place') return gazetteer.places.feature[row] === SECTION ? 'Neighborhood' : 'PopulatedPlace';
  return defined(AREA_TYPES[defined(gazetteer.areas.level[row])]);
}

/** The point of an entity. Undefined for areas without a place in them. */
function knownPoint(gazetteer: Gazetteer, entity: number): Point | undefined {
  const point = pointOf(gazetteer, entity);
  return point.latitude === 0 && point.longitude === 0 ? undefined : point;
}

/** The zone of a place is that of its point, or of its land if the point is in water. */
function timeZoneOf(gazetteer: Gazetteer, entity: number, point: Point | undefined): string | null {
  const { places, postcodes } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  const zoneOf = (place: number) => places.zones.at(defined(places.zone[place]));
  if (kind === 'place') return zoneOf(row);
  const zone = point === undefined ? null : timeZoneAt(point);
  const town = kind === 'postcode' && zone?.startsWith('Etc/') ? postcodes.placeOf(row) : undefined;
  return town === undefined ? zone : zoneOf(town);
}
