import test from 'ava';
import { formatAddress, formatAddressLine } from '../../../../workers/geocoding/format/format-address.ts';

const NOTHING = {
  streetName: null,
  streetNumber: null,
  locality: null,
  postalCode: null,
  adminDistrict: null,
  adminDistrictCode: null,
  adminDistrict2: null,
  country: null,
  countryCode: null,
};

const US = { country: 'United States', countryCode: 'US', adminDistrict: 'Washington', adminDistrictCode: 'WA' };

const LINES: readonly (readonly [string, Partial<typeof NOTHING> | object, string, string | null])[] = [
  ['a town of the United States', { ...US, locality: 'Seattle' }, 'en', 'Seattle, Washington, United States'],
  [
    'a town with its ZIP code',
    { ...US, locality: 'Seattle', postalCode: '98101' },
    'en',
    'Seattle, WA 98101, United States',
  ],
  ['a county', { ...US, adminDistrict2: 'King County' }, 'en', 'King County, Washington, United States'],
  ['a state', US, 'en', 'Washington, United States'],
  [
    'street, number and postcode in the order of the country',
    {
      streetName: 'Marienplatz',
      streetNumber: '8',
      postalCode: '80331',
      locality: 'München',
      country: 'Deutschland',
      countryCode: 'DE',
    },
    'de',
    'Marienplatz 8, 80331 München, Deutschland',
  ],
  ['a city state is named once', { locality: 'Singapore', country: 'Singapore', countryCode: 'SG' }, 'en', 'Singapore'],
  [
    'Japanese in Japan from large to small',
    { locality: '横浜市', adminDistrict: '神奈川県', country: '日本', countryCode: 'JP' },
    'ja',
    '日本神奈川県横浜市',
  ],
  [
    'English in Japan from small to large',
    { locality: 'Yokohama', adminDistrict: 'Kanagawa', country: 'Japan', countryCode: 'JP' },
    'en',
    'Yokohama, Kanagawa, Japan',
  ],
  [
    'Korean words apart',
    { locality: '수원', adminDistrict: '경기도', country: '대한민국', countryCode: 'KR' },
    'ko',
    '대한민국 경기도 수원',
  ],
  ['nothing', {}, 'en', null],
];

for (const [what, parts, language, expected] of LINES) {
  test(`an address on one line: ${what}`, (t) => t.is(formatAddress({ ...NOTHING, ...parts }, language), expected));
}

test('a value is not changed by the rules of a country', (t) => {
  const parts = { ...NOTHING, locality: 'Xcityx $& London', country: 'United Kingdom', countryCode: 'GB' };
  t.is(formatAddress(parts, 'en'), 'Xcityx $& London, United Kingdom');
});

test('street and number are on one line, in the order that the country uses', (t) => {
  const street = { ...NOTHING, streetName: 'High Street', streetNumber: '5' };
  t.is(formatAddressLine({ ...street, countryCode: 'GB' }), '5 High Street');
  t.is(formatAddressLine({ ...street, countryCode: 'AT' }), 'High Street 5');
  t.is(formatAddressLine({ ...street, streetNumber: null }), 'High Street');
  t.is(formatAddressLine({ ...street, streetName: null }), null);
});
