import test from 'ava';
import { type Exonym, readExonyms, withExonyms } from '../../../../scripts/lab/gazetteer/sources/exonyms.ts';
import { FIRST_NEWER_ID } from '../../../../scripts/lab/gazetteer/sources/newer-places.ts';
import type { GeoNamesPlace } from '../../../../scripts/lab/gazetteer/sources/place.ts';
import { keyOf } from '../../../../workers/geocoding/text/fold.ts';

const KROSNO: GeoNamesPlace = {
  id: 3094625,
  name: 'Krosno Odrzańskie',
  alternates: ['Krosno Odrzanskie'],
  latitude: 52.05378,
  longitude: 15.09885,
  feature: 'PPLA2',
  countryCode: 'PL',
  admin1: '76',
  admin2: '0802',
  population: 12_500,
  timeZone: 'Europe/Warsaw',
};
const KROSSEN: Exonym = {
  countryCode: 'PL',
  place: 'Krosno Odrzańskie',
  id: 3094625,
  language: 'de',
  names: ['Krossen', 'Crossen'],
};

test('an exonym is another name of its place', (t) => {
  const [place] = withExonyms([KROSNO], [KROSSEN]);
  t.deepEqual(place, { ...KROSNO, alternates: ['Krosno Odrzanskie', 'Krossen', 'Crossen'] });
});

test('an exonym whose place has another id, name or country is refused', (t) => {
  for (const wrong of [{ id: 1 }, { place: 'Krosno' }, { countryCode: 'CZ' }]) {
    const error = t.throws(() => withExonyms([KROSNO], [{ ...KROSSEN, ...wrong }]));
    t.regex(String(error?.message), /is not a known place/);
  }
});

test('an exonym without an id is that of a newer place by its name', (t) => {
  const newer = { ...KROSNO, id: FIRST_NEWER_ID };
  t.true(withExonyms([newer], [{ ...KROSSEN, id: 0 }])[0]?.alternates.includes('Krossen'));
  t.throws(() => withExonyms([KROSNO], [{ ...KROSSEN, id: 0 }]), { message: /is not a known place/ });
});

test('every row of exonyms.tsv adds names to one place in one language', (t) => {
  const rows = readExonyms();
  t.is(new Set(rows.map(({ id, place, language }) => `${id} ${place} ${language}`)).size, rows.length);
  for (const { countryCode, place, id, language, names } of rows) {
    t.regex(countryCode, /^[A-Z]{2}$/, place);
    t.regex(language, /^[a-z]{2}$/, place);
    t.true(Number.isInteger(id) && id >= 0, place);
    const keys = names.map(keyOf);
    t.true(keys.length > 0 && keys.every((key) => key.length > 1 && key !== keyOf(place)), place);
    t.is(new Set(keys).size, keys.length, place);
  }
});
