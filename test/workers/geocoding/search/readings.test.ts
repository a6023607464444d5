import test from 'ava';
import type { ZonedAddress } from '../../../../workers/geocoding/address/address.ts';
import { createGeocoding } from '../../../../workers/geocoding/geocoding.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const geocoding = createGeocoding(await openOwnGazetteer());
const AT_MS = Date.UTC(2026, 6, 1);
const NEAR_KM = 25;

const answers = (query: string) => geocoding.geocode({ query, limit: 5 }, AT_MS);
const describe = (found: ZonedAddress | undefined) =>
  found === undefined ? 'nothing' : `${found.confidence} ${found.matchCodes.join()} ${found.formattedAddress}`;

function isNear(found: ZonedAddress | undefined, latitude: number, longitude: number): boolean {
  if (found === undefined || found.latitude === null || found.longitude === null) return false;
  const point = { latitude: found.latitude, longitude: found.longitude };
  return distanceKm(point, { latitude, longitude }) <= NEAR_KM;
}

type Case = readonly [query: string, latitude: number, longitude: number];

/** Each query names the place at its point. `isMeant` may say more about the answer. */
function answered(title: string, cases: readonly Case[], isMeant: (found: ZonedAddress) => boolean = () => true): void {
  for (const [query, latitude, longitude] of cases) {
    test(`${title}: ${query}`, (t) => {
      const [found] = answers(query);
      t.true(isNear(found, latitude, longitude) && found !== undefined && isMeant(found), describe(found));
    });
  }
}

/** Nothing of that name is known there, so no answer may be sure. */
function unsure(title: string, queries: readonly string[]): void {
  for (const query of queries) {
    test(`${title}: ${query}`, (t) => {
      const [found] = answers(query);
      t.true(found === undefined || found.confidence === 'Low', describe(found));
    });
  }
}

answered('a place in the division that is named comes before one near a town of that name', [
  ['Newark, NY', 43.047, -77.095],
  ['Newark, New York', 43.047, -77.095],
  ['Arlington, Washington', 48.199, -122.125],
  ['Clifton, New York', 40.62, -74.077],
  ['Arcadia, LA', 32.549, -92.92],
  ['Verona, NY', 43.138, -75.571],
  ['Toledo, Oregon', 44.622, -123.938],
  ['Kingston, Washington', 47.799, -122.498],
]);
unsure('a town near a division is not in it', [
  'Franklin, Washington',
  'Hoboken, New York',
  'Jersey City, NY',
  'Alexandria, Washington',
]);

answered('words before a division name a place in it, although they are also a name of its country', [
  ['Români, Vâlcea County', 44.973, 24.205],
  ['Česká, South Moravian', 49.28, 16.565],
  ['Indi, Karnataka', 17.177, 75.953],
]);
answered('the other way round, the division is meant', [
  ['Huila, Colombia', 1.996, -76.066],
  ['Canada, Ontario', 51.935, -88.493],
]);
answered('a letter of the compass is the first word of a name', [
  ['N. St. Paul, MN', 45.013, -92.992],
  ['W. St. Paul, MN', 44.916, -93.102],
  ['E. San Gabriel, CA', 34.092, -118.091],
]);
unsure('"of" makes another name', ['Orange of America', 'York of Canada', 'Lima of America']);
unsure('a ward is of many cities', ['Minato-ku', 'Asahi-ku', 'Naka-ku', 'Chuo-ku, Japan']);
unsure('a word that stands for no place', ['East', 'South', 'Example', 'Sam', 'Valley']);
answered('a word that stands for no place is the place in its country', [
  ['Nan, Thailand', 18.784, 100.779],
  ['None, Italy', 44.936, 7.54],
  ['West, Texas', 31.802, -97.092],
]);
unsure('three capital letters are rather a code that is not known', ['SPA', 'MOS', 'CIV']);
answered('towns have the names of codes too', [
  ['ULM', 48.398, 9.992],
  ['GAP', 44.559, 6.079],
  ['PAU', 43.311, -0.356],
]);

const isTown = ({ type }: ZonedAddress) => type === 'PopulatedPlace';
answered(
  'a town comes before its airport',
  [
    ['Faro, Portugal', 37.019, -7.932],
    ['Faro', 37.019, -7.932],
    ['Hollywood, FL', 26.011, -80.149],
    ['Tromsø, Norway', 69.649, 18.955],
    ['Bergamo, Italy', 45.696, 9.667],
    ['Mérignac, France', 44.84, -0.644],
    ['Sanford, Florida', 28.8, -81.273],
    ['Ruidoso, NM', 33.332, -105.673],
  ],
  isTown,
);
answered(
  'the capital of the Cayman Islands comes before its airport',
  [['George Town, Cayman Islands', 19.287, -81.374]],
  ({ type }) => type !== null,
);
answered(
  'an airport is found by its name and its code, and if nothing else has the name',
  [
    ['Faro Airport, Portugal', 37.014, -7.966],
    ['OPO', 41.248, -8.681],
    ['Heathrow', 51.47, -0.454],
    ['Schiphol, Netherlands', 52.309, 4.764],
  ],
  ({ type }) => type === null,
);

answered('a slash or a parenthesis joins the parts of a name', [
  ['Frankfurt/Main', 50.116, 8.684],
  ['60311 Frankfurt/Main', 50.116, 8.684],
  ['Frankfurt/Oder', 52.347, 14.55],
  ['Halle/Saale', 51.482, 11.97],
  ['Halle (Saale), Germany', 51.482, 11.97],
  ['Frankfurt (Oder)', 52.347, 14.55],
  ['Offenbach/Main', 50.106, 8.762],
  ['Freiburg/Breisgau', 47.996, 7.85],
  ['Rothenburg/Tauber', 49.377, 10.18],
  ['Limburg/Lahn', 50.384, 8.05],
  ['Weiden/Oberpfalz', 49.677, 12.156],
  ['Biel/Bienne', 47.137, 7.247],
  ['Bozen/Bolzano', 46.498, 11.355],
]);
unsure('a slip does not say where a place is', ['Frankfort, Mainn', 'Salem, Masss']);

const isWide = ({ type, confidence }: ZonedAddress) => type === 'CountryRegion' && confidence === 'Low';
for (const [query, countryCode] of [
  ['South of France', 'FR'],
  ['South of Spain', 'ES'],
  ['North of Italy', 'IT'],
  ['Southern Germany', 'DE'],
  ['East of Turkey', 'TR'],
  ['Norte de Portugal', 'PT'],
] as const) {
  test(`a point of the compass and a country are no more than the country: ${query}`, (t) => {
    const [found] = answers(query);
    t.true(found !== undefined && isWide(found) && found.countryCode === countryCode, describe(found));
  });
}
for (const [query, countryCode] of [
  ['South Africa', 'ZA'],
  ['North Macedonia', 'MK'],
  ['Western Australia', 'AU'],
  ['West Virginia', 'US'],
] as const) {
  test(`a name may begin with a point of the compass: ${query}`, (t) => {
    t.like(answers(query)[0], { countryCode, confidence: 'High' });
  });
}

test('a slip is not meant where the word is the name of a country or a city elsewhere', (t) => {
  for (const [query, countryCodes] of [
    ['Taiwan, China', ['TW', 'CN']],
    ['Cuba, Mexico', ['CU', 'MX']],
    ['Munich, France', ['DE', 'FR']],
    ['Osaka, Brazil', ['JP', 'BR']],
  ] as const) {
    const [found] = answers(query);
    const isHonest = found === undefined || found.confidence === 'Low';
    t.true(
      isHonest && [found?.countryCode ?? 'TW'].every((code) => countryCodes.some((other) => other === code)),
      `${query}: ${describe(found)}`,
    );
  }
});

answered(
  'a town comes before a river or an island that a part of its name names',
  [
    ['Vitry-sur-Seine, France', 48.787, 2.403],
    ['Ivry-sur-Seine, France', 48.816, 2.385],
    ['Châtillon-sur-Seine, France', 47.86, 4.573],
    ['Neuilly-sur-Marne, France', 48.854, 2.549],
    ['Épinay-sur-Seine', 48.955, 2.315],
  ],
  isTown,
);
answered(
  'a town comes before what its name is another name of',
  [
    ['Wisła, Poland', 49.655, 18.86],
    ['Harvard, Massachusetts', 42.5, -71.583],
    ['Fuji, Japan', 35.167, 138.683],
  ],
  isTown,
);
unsure('a town and a river with one name are both meant', ['Ob’, Russia']);
answered(
  'an island of which a part of a city has the name is meant, and not that',
  [['Ibiza, Spain', 38.95, 1.43]],
  ({ confidence }) => confidence === 'High',
);

test('two readings of one query that both fit are ambiguous, however large one of the places is', (t) => {
  for (const query of ['Salem, IN', 'Milan, MI', 'Windsor, CA', 'Georgetown, DE', 'Ontario, CA', 'Lincoln, AR']) {
    const [found, second] = answers(query);
    t.true(found !== undefined && found.confidence !== 'High', `${query}: ${describe(found)}`);
    t.deepEqual(found?.matchCodes, ['Ambiguous'], query);
    t.deepEqual(second?.matchCodes, ['Ambiguous'], query);
  }
});

test('a second place of a name is ambiguous beside the first, which is sure', (t) => {
  for (const query of ['London', 'Paris', 'Madrid', 'Birmingham, England', 'Sydney']) {
    const [found, ...others] = answers(query);
    t.like(found, { confidence: 'High', matchCodes: ['Good'] }, query);
    for (const other of others) {
      t.deepEqual(other.matchCodes, ['Ambiguous'], `${query}: ${describe(other)}`);
      t.not(other.confidence, 'High');
    }
  }
});
answered('of several places of one name, the one in the town or region that is named is meant', [
  ['Harlem, Manhattan', 40.81, -73.95],
  ['Lapa, Rio de Janeiro', -22.915, -43.18],
  ['Kensington, Liverpool', 53.413, -2.953],
  ['Distrito Federal, Brazil', -15.79, -47.88],
]);
