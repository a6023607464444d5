import test from 'ava';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import { reverseGeocode } from '../../../gateway/operations/reverse-geocode/operation.ts';
import { defined } from '../../../workers/exact/defined.ts';

const forward = (body: unknown) => geocode.validate(body);
const reverse = (body: unknown) => reverseGeocode.validate(body);
const LONGEST = `de${'-abcdefgh'.repeat(3)}-abcde`;

test('accepts every valid value, up to its bounds', (t) => {
  for (const body of [
    { query: 'a' },
    { query: ' 東京 ' },
    { query: '😀'.repeat(2048) },
    { query: 'Dam 1\r\n1012 JS\tAmsterdam\n' },
    { query: 'a', limit: 1 },
    { query: 'a', limit: 5 },
    { query: 'a', language: 'de' },
    { query: 'a', language: LONGEST },
    { query: 'a', biasLatitude: 90, biasLongitude: -180 },
    { query: 'a', biasLatitude: -0, biasLongitude: 0 },
  ]) {
    t.is(forward(body), undefined, JSON.stringify(body));
  }
  for (const point of [
    { latitude: 90, longitude: -180 },
    { latitude: -90, longitude: 180 },
    { latitude: -0, longitude: -0, language: 'zh-Hant-TW' },
  ]) {
    t.is(reverse(point), undefined, JSON.stringify(point));
  }
});

const bad: readonly (readonly [string, string | undefined, RegExp])[] = [
  ['no query', forward({ limit: 1 }), /^query is required/],
  ['an empty query', forward({ query: '' }), /^query must not be empty$/],
  ['a query of white space', forward({ query: ' \t\u00a0' }), /^query must contain a character/],
  ['a query that is a number', forward({ query: 1 }), /^query must be of type string/],
  ['a query of 2,049 characters', forward({ query: 'a'.repeat(2049) }), /^query must be at most 2048/],
  ['a query of 100 KB', forward({ query: 'e\u0301'.repeat(34_000) }), /^query must be at most 2048/],
  ...['\0', '\b', '\u001b', '\u007f', '\u0085'].map(
    (control) =>
      [`a query with ${JSON.stringify(control)}`, forward({ query: `a${control}b` }), /^query .* control/] as const,
  ),
  ['a language of one letter', forward({ query: 'a', language: 'd' }), /^language must be at least 2/],
  ['a language of 36 characters', forward({ query: 'a', language: `${LONGEST}f` }), /^language must be at most 35/],
  [
    'a language with an underscore',
    forward({ query: 'a', language: 'de_AT' }),
    /^language must be a language tag such as/,
  ],
  ['a limit of zero', forward({ query: 'a', limit: 0 }), /^limit must be at least 1/],
  ['a limit of six', forward({ query: 'a', limit: 6 }), /^limit must be at most 5/],
  ['a limit of one and a half', forward({ query: 'a', limit: 1.5 }), /^limit must be of type integer/],
  ['a limit in quotes', forward({ query: 'a', limit: '1' }), /^limit must be of type integer/],
  ['a bias without a longitude', forward({ query: 'a', biasLatitude: 1 }), /^biasLatitude requires biasLongitude/],
  ['a bias without a latitude', forward({ query: 'a', biasLongitude: 1 }), /^biasLongitude requires biasLatitude/],
  ['a bias that is null', forward({ query: 'a', biasLatitude: null, biasLongitude: 1 }), /^biasLatitude must be/],
  ['a bias beyond the pole', forward({ query: 'a', biasLatitude: 91, biasLongitude: 1 }), /^biasLatitude must be at/],
  ['an unknown property', forward({ query: 'a', country: 'AT' }), /^country is not a known property/],
  [
    'many unknown properties',
    forward(Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, n]))),
    /^k0 is not a known property/,
  ],
  ['no longitude', reverse({ latitude: 1 }), /^longitude is required/],
  ['a latitude of 90.0001', reverse({ latitude: 90.0001, longitude: 1 }), /^latitude must be at most 90/],
  ['a longitude of -180.1', reverse({ latitude: 1, longitude: -180.1 }), /^longitude must be at least -180/],
  ['a latitude in quotes', reverse({ latitude: '1', longitude: 1 }), /^latitude must be of type number/],
  ['an infinite latitude', reverse({ latitude: Infinity, longitude: 1 }), /^latitude must be/],
  [
    'a limit of a reverse geocoding',
    reverse({ latitude: 1, longitude: 1, limit: 1 }),
    /^limit is not a known property/,
  ],
];
for (const [title, fault, said] of bad) {
  test(`${title} is refused, naming field and rule`, (t) => t.regex(defined(fault), said));
}
