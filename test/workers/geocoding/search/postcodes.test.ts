import test from 'ava';
import { createGeocoding } from '../../../../workers/geocoding/geocoding.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const geocoding = createGeocoding(await openOwnGazetteer());
const AT_MS = Date.UTC(2025, 6, 1);
const find = (query: string, language?: string) => geocoding.geocode({ query, language, limit: 5 }, AT_MS);

const codes: readonly (readonly [query: string, countryCode: string, postalCode: string, locality: string])[] = [
  ['10115 Berlin', 'DE', '10115', 'Berlin'],
  ['Berlin D-10115', 'DE', '10115', 'Berlin'],
  ['CH-8001 Zürich', 'CH', '8001', 'Zürich'],
  ['A-1010 Wien', 'AT', '1010', 'Vienna'],
  ['75005 Paris, France', 'FR', '75005', 'Paris'],
  ['97400 Saint-Denis', 'RE', '97400', 'Saint-Denis'],
  ['28013 Madrid', 'ES', '28013', 'Madrid'],
  ['0150 Oslo', 'NO', '0150', 'Oslo'],
  ['100-0001 Tokyo', 'JP', '100-0001', 'Tokyo'],
  ['New Delhi 110 001', 'IN', '110001', 'New Delhi'],
  ['50100 Kuala Lumpur', 'MY', '50100', 'Kuala Lumpur'],
  ['90210 Beverly Hills', 'US', '90210', 'Beverly Hills'],
  ['12482 South Cairo', 'US', '12482', 'South Cairo'],
];
for (const [query, countryCode, postalCode, locality] of codes) {
  test(`${query} is a postcode of ${locality}`, (t) => {
    const [first] = find(query);
    t.like(first, { type: 'Postcode1', countryCode, postalCode, locality, confidence: 'High', matchCodes: ['Good'] });
  });
}

test('the town of a postcode has its name in the language of the query', (t) => {
  t.like(find('1010 Wien', 'de')[0], { locality: 'Wien', postalCode: '1010', country: 'Österreich' });
});

test('a code that several countries have is answered with all of them, and Low', (t) => {
  const answers = find('10115');
  t.deepEqual(
    answers.map(({ countryCode, confidence }) => [countryCode, confidence]),
    [
      ['US', 'Low'],
      ['DE', 'Low'],
    ],
  );
  t.deepEqual(answers[0]?.matchCodes, ['Ambiguous']);
});

test('of a code whose first half is known, the half is the answer', (t) => {
  for (const query of ['K1A 0B1', 'k1a0b1', 'Ottawa K1A 0B1']) {
    t.like(find(query)[0], {
      postalCode: 'K1A',
      locality: 'Ottawa',
      confidence: 'Medium',
      matchCodes: ['UpHierarchy'],
    });
  }
});

test('a number beside other words is not their postcode', (t) => {
  for (const query of ['Studio 1250', 'Windows 2000', 'Flight 1549', 'Chevrolet 3100'])
    t.deepEqual(find(query), [], query);
  t.like(find('Tokyo 2020')[0], { postalCode: null, locality: 'Tokyo', matchCodes: ['UpHierarchy'] });
});
