import { defined } from '../../exact/defined.ts';
import type { Address, ZonedAddress } from '../address/address.ts';
import { holderOf } from '../gazetteer/areas.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Point } from '../geometry/distance.ts';
import { keyOf } from '../text/fold.ts';
import { timeZoneAt } from '../zone/time-zone.ts';
import { utcOffsetAt } from '../zone/utc-offset.ts';
import { formatAddress, formatAddressLine } from './format-address.ts';
import { type NamesIn, namesIn, translationIn } from './languages.ts';

export interface Completion {
  /** BCP 47 tag of the language of names. */
  readonly language: string | undefined;
  readonly atMs: number;
}

/** The areas that contain a point, as far as they are sure. */
export interface AreasAt {
  country(point: Point): number | undefined;
  /** A first-level division whose border is not near. */
  division(point: Point): number | undefined;
}

/** Completes a provider's address with parts that follow from it: codes, lines, and the time there. */
export function complete(
  gazetteer: Gazetteer,
  areasAt: AreasAt,
  address: Address,
  { language, atMs }: Completion,
): ZonedAddress {
  const names = namesIn(language);
  const { latitude, longitude } = address;
  const point = latitude === null || longitude === null ? undefined : { latitude, longitude };
  const country = point && areasAt.country(point);
  const division = point && areasAt.division(point);
  const countryCode = address.countryCode ?? (country === undefined ? null : gazetteer.areas.codes.at(country));
  const coded: Address = {
    ...address,
    countryCode,
    country: address.country ?? (countryCode === null ? null : names.country(countryCode)),
    adminDistrictCode: address.adminDistrictCode ?? codeOfDivision(gazetteer, address.adminDistrict, countryCode),
    ...(address.adminDistrict === null && division !== undefined && divisionOf(gazetteer, division, names)),
  };
  const timeZone = point === undefined ? null : timeZoneAt(point);
  return {
    ...coded,
    addressLine: coded.addressLine ?? formatAddressLine(coded),
    formattedAddress: coded.formattedAddress ?? formatAddress(coded, names.language),
    timeZone,
    utcOffset: timeZone === null ? null : utcOffsetAt(timeZone, atMs),
  };
}

function divisionOf({ areas, translations }: Gazetteer, division: number, names: NamesIn) {
  return {
    adminDistrict: translationIn(translations, names, division) ?? areas.names.at(division),
    adminDistrictCode: areas.codes.at(division) || null,
  };
}

/** The ISO 3166-2 code of the first-level division with this name in the country. Null if there is none. */
function codeOfDivision({ areas, names }: Gazetteer, name: string | null, countryCode: string | null): string | null {
  const posting = name === null || countryCode === null ? undefined : names.find(keyOf(name));
  if (posting === undefined) return null;
  for (let at = posting.start; at < posting.end; at++) {
    const area = defined(names.postings[at]) >>> 1;
    // Postings of areas come first.
    if (area >= areas.count) return null;
    const country = holderOf(areas, area, 0);
    if (areas.level[area] !== 1 || country === undefined || areas.codes.at(country) !== countryCode) continue;
    return areas.codes.at(area) || null;
  }
  return null;
}
