import addressFormatter from '@fragaria/address-formatter';
import { defined } from '../../exact/defined.ts';
import type { Address } from '../address/address.ts';

type Parts = Pick<
  Address,
  | 'streetName'
  | 'streetNumber'
  | 'locality'
  | 'postalCode'
  | 'adminDistrict'
  | 'adminDistrictCode'
  | 'adminDistrict2'
  | 'country'
  | 'countryCode'
>;

/** The mark of each part in a template. No rule of the library changes these words. */
const MARKS = {
  houseNumber: 'Xhousex',
  road: 'Xroadx',
  city: 'Xcityx',
  county: 'Xcountyx',
  stateCode: 'Xcodex',
  state: 'Xstatex',
  postcode: 'Xpostcodex',
  country: 'Xcountryx',
} as const;
type Slot = keyof typeof MARKS;
type Slots = Readonly<Partial<Record<Slot, string>>>;

const SLOTS = ['houseNumber', 'road', 'city', 'county', 'stateCode', 'state', 'postcode', 'country'] as const;
const MARK = new RegExp(Object.values(MARKS).join('|'), 'g');
const SLOT_OF: ReadonlyMap<string, Slot> = new Map(SLOTS.map((slot) => [MARKS[slot], slot]));

/** Templates by country and filled slots: at most 250 times the few combinations that occur. */
const templates = new Map<string, readonly string[]>();

/** Countries that write the largest part first in their own languages. */
const LARGE_TO_SMALL = new Set(['CN', 'JP', 'KR', 'TW']);
const LARGE_TO_SMALL_LANGUAGES = new Set(['zh', 'ja', 'ko']);

/**
 * An address on one line, in the form of the country's post (the templates of OpenCage's address-formatting), with the
 * country's full name. Null if no part is known. Addresses in China, Japan and Korea begin with the country if they are
 * written in one of their languages.
 */
export function formatAddress(parts: Parts, language: string): string | null {
  const slots = slotsOf(parts);
  const { countryCode } = parts;
  if (countryCode !== null && LARGE_TO_SMALL.has(countryCode)) {
    const isNative = LARGE_TO_SMALL_LANGUAGES.has(language);
    return isNative ? largeToSmall(slots, language) : plain(slots);
  }
  const head = headOf(slots);
  const line = fill(templateOf(countryCode, slots), slots);
  // A template that leaves out the smallest part or the country cannot be used.
  const isWhole = [head, slots.country].every((part) => part === undefined || line.includes(part));
  return isWhole && line !== '' ? line : plain(slots);
}

/** Street and number in the order that the country uses. Null without a street. */
export function formatAddressLine({ streetName, streetNumber, countryCode }: Parts): string | null {
  if (streetName === null) return null;
  if (streetNumber === null) return streetName;
  const slots: Slots = { road: streetName, houseNumber: streetNumber };
  const line = templateOf(countryCode, slots).find((text) => text.includes(MARKS.road));
  return line === undefined ? `${streetName} ${streetNumber}` : fill([line], slots);
}

function slotsOf(parts: Parts): Slots {
  const { streetName, streetNumber, locality, postalCode, adminDistrict, adminDistrictCode, adminDistrict2 } = parts;
  const country = parts.country ?? undefined;
  // Singapore, Singapore and Moscow, Moscow are written once.
  const city = locality === country ? undefined : (locality ?? undefined);
  const state = adminDistrict === city || adminDistrict === country ? undefined : (adminDistrict ?? undefined);
  const slots: Partial<Record<Slot, string | undefined>> = {
    road: streetName ?? undefined,
    houseNumber: streetName === null ? undefined : (streetNumber ?? undefined),
    city,
    // The second-level division is left out if there is a town.
    county: locality === null ? (adminDistrict2 ?? undefined) : undefined,
    state,
    stateCode: state === undefined ? undefined : (adminDistrictCode ?? undefined),
    postcode: postalCode ?? undefined,
    country,
  };
  return Object.fromEntries(Object.entries(slots).filter(([, value]) => value !== undefined));
}

function headOf({ road, city, county, state }: Slots): string | undefined {
  return road ?? city ?? county ?? state;
}

/** A template's lines. Without a country, the library's default template is used. */
function templateOf(country: string | null, slots: Slots): readonly string[] {
  const countryCode = country ?? '';
  const names = SLOTS.filter((slot) => slots[slot] !== undefined);
  const key = `${countryCode} ${names.join(' ')}`;
  const known = templates.get(key);
  if (known !== undefined) return known;
  const marks = Object.fromEntries(names.map((name) => [name, MARKS[name]]));
  const lines = addressFormatter.format(marks, { countryCode, output: 'array' });
  const made = lines.filter((line) => line.search(MARK) !== -1);
  templates.set(key, made);
  return made;
}

function fill(lines: readonly string[], slots: Slots): string {
  return lines.join(', ').replace(MARK, (mark) => defined(slots[defined(SLOT_OF.get(mark))]));
}

function plain({ houseNumber, road, city, county, state, postcode, country }: Slots): string | null {
  const street = [houseNumber, road].filter((part) => part !== undefined).join(' ');
  const region = [state, postcode].filter((part) => part !== undefined).join(' ');
  const parts = [street, city, county, region, country].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

function largeToSmall(
  { houseNumber, road, city, county, state, postcode, country }: Slots,
  language: string,
): string | null {
  const parts = [country, postcode, state, county, city, road, houseNumber].filter((part) => part !== undefined);
  // Words are written without spaces, except Latin ones.
  const separator = language === 'ko' || parts.some((part) => /\p{Script=Latin}/u.test(part)) ? ' ' : '';
  return parts.length === 0 ? null : parts.join(separator);
}
