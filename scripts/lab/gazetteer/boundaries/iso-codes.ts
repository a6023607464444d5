import { Type } from 'typebox';
import { defined } from '../../../../workers/exact/defined.ts';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import type { Areas } from '../sources/areas.ts';
import { readTextIn } from '../sources/sources.ts';
import { CORRECTIONS, EXCEPTIONS, WITHOUT_CODES } from './iso-corrections.ts';

const parseCountries = createJsonReader(
  Type.Record(
    Type.String(),
    Type.Object({ regions: Type.Array(Type.Object({ iso: Type.Optional(Type.String()), admin: Type.String() })) }),
  ),
  'iso3166-2.json of iso3166-2-db',
);

const CODE = /^[A-Z0-9]{1,3}$/;

/** ISO 3166-2 codes without country and hyphen, by first-level area. Unknown and doubtful codes are left out. */
export function isoCodesOf(areas: Areas): ReadonlyMap<number, string> {
  const text = readTextIn('iso3166-2-db', 'data/iso3166-2.json');
  const codes = new Map<string, string>();
  for (const [country, { regions }] of Object.entries(parseCountries(text))) {
    if (WITHOUT_CODES.has(country) || CORRECTIONS[country]?.startsWith('=')) continue;
    for (const { iso, admin } of regions)
      if (iso !== undefined && CODE.test(iso)) codes.set(`${country}.${admin}`, iso);
  }
  for (const [country, table] of Object.entries(CORRECTIONS)) {
    for (const entry of table.replace(/^=/, '').split(' ')) {
      const [admin, iso] = entry.split('=');
      codes.set(`${country}.${defined(admin)}`, defined(iso));
    }
  }
  for (const [key, iso] of Object.entries(EXCEPTIONS)) codes.set(key, iso);
  return byArea(withoutDuplicates(codes), areas);
}

/** Removes codes that two divisions of one country share, because at least one of the two is wrong. */
function withoutDuplicates(codes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const owners = new Map<string, number>();
  const full = (key: string, iso: string) => `${key.slice(0, 2)}-${iso}`;
  for (const [key, iso] of codes) owners.set(full(key, iso), (owners.get(full(key, iso)) ?? 0) + 1);
  return new Map([...codes].filter(([key, iso]) => owners.get(full(key, iso)) === 1));
}

function byArea(codes: ReadonlyMap<string, string>, areas: Areas): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [key, iso] of codes) {
    const area = areas.indexOf(key);
    if (area !== undefined) found.set(area, iso);
  }
  return found;
}
