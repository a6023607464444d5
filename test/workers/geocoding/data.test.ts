import test from 'ava';
import type { ZonedAddress } from '../../../workers/geocoding/address/address.ts';
import { createGeocoding } from '../../../workers/geocoding/geocoding.ts';
import { openOwnGazetteer } from './open-gazetteer.ts';

const AT_MS = Date.parse('2026-01-15T00:00:00Z');
const geocoding = createGeocoding(await openOwnGazetteer());

function first(query: string, language?: string): Partial<ZonedAddress> {
  return geocoding.geocode({ query, language, limit: 1 }, AT_MS)[0] ?? {};
}

function at(latitude: number, longitude: number, language?: string): Partial<ZonedAddress> {
  return geocoding.reverse({ point: { latitude, longitude }, language }, AT_MS)[0] ?? {};
}

test('a division has no name of a division that had its code before', (t) => {
  t.like(first('Hanoi'), { adminDistrict: 'Hanoi', adminDistrictCode: 'HN', confidence: 'High' });
  t.like(at(10.776, 106.701), { adminDistrict: 'Ho Chi Minh City', adminDistrictCode: 'SG' });
  t.like(at(10.776, 106.701, 'de'), { adminDistrict: 'Ho-Chi-Minh-Stadt' });
  t.like(at(16.463, 107.59), { adminDistrictCode: '26' });
  t.regex(String(at(16.463, 107.59).adminDistrict), /Hu[eế]/);
  t.regex(String(first('Lang Son, Vietnam').adminDistrict), /L[aạ]ng S[oơ]n/);
  t.regex(String(at(21.59, 105.84).adminDistrict), /Th[aá]i Nguy[eê]n/);
  const { latitude, confidence } = first('Ha Nam, Vietnam');
  t.true(latitude === undefined || latitude === null || latitude > 20 || confidence === 'Low');
});

test('a place has the time of its point', (t) => {
  const offsets: readonly (readonly [string, string, string])[] = [
    ['Vincennes, Indiana', 'America/Indiana/Vincennes', '-05:00'],
    ['Altai, Mongolia', 'Asia/Ulaanbaatar', '+08:00'],
    ['Uliastay, Mongolia', 'Asia/Ulaanbaatar', '+08:00'],
    ['Coyhaique, Chile', 'America/Coyhaique', '-03:00'],
    ['Puerto Aysén, Chile', 'America/Coyhaique', '-03:00'],
    ['West Wendover, Nevada', 'America/Denver', '-07:00'],
    ['Ust-Nera, Russia', 'Asia/Ust-Nera', '+10:00'],
    ['Rockwood, Tennessee', 'America/New_York', '-05:00'],
  ];
  for (const [query, timeZone, utcOffset] of offsets) t.like(first(query), { timeZone, utcOffset }, query);
  t.like(at(-3.84, -32.41), { timeZone: 'America/Noronha', utcOffset: '-02:00' });
});

test('a point beside a border of zones has its own time, and not that of its town', (t) => {
  const zones: readonly (readonly [number, number, string])[] = [
    // Starke County and Marshall County, Indiana. Culver, which is nearest to the first, is in Marshall County.
    [41.3, -86.48, 'America/Indiana/Knox'],
    [41.3, -86.44, 'America/Indiana/Indianapolis'],
    // Hart County, Kentucky, beside Upton, which is on the border.
    [37.436, -85.947, 'America/Chicago'],
    // Lincoln County and Keith County, Nebraska.
    [41.14, -101.2, 'America/Chicago'],
    [41.14, -101.3, 'America/Denver'],
    // Morgan County and Cumberland County, Tennessee.
    [36.09, -84.83, 'America/New_York'],
    [36, -84.9, 'America/Chicago'],
    // Broken Hill has the time of South Australia.
    [-31.95, 141.45, 'Australia/Broken_Hill'],
    [-32.39, 142.4, 'Australia/Sydney'],
    [-32.26, 125.6, 'Australia/Eucla'],
    // Liuli, whose harbor is in waters of Malawi.
    [-11.1, 34.66, 'Africa/Dar_es_Salaam'],
  ];
  for (const [latitude, longitude, timeZone] of zones) t.like(at(latitude, longitude), { timeZone }, timeZone);
});

test('a place whose point is in water has the time of its land', (t) => {
  // Lake Malawi is in the zone of Malawi up to the shore of Tanzania.
  for (const query of ['Liuli, Tanzania', 'Mbamba Bay, Tanzania', 'Manda, Tanzania']) {
    t.like(first(query), { countryCode: 'TZ', timeZone: 'Africa/Dar_es_Salaam' }, query);
  }
});

test('a place far from its own zone has the zone of its point', (t) => {
  t.like(at(34.6, 32.96), { timeZone: 'Asia/Nicosia', utcOffset: '+02:00' });
  t.like(at(34.98, 33.73), { timeZone: 'Asia/Nicosia', utcOffset: '+02:00' });
});

test('a place has its current name in English', (t) => {
  const names = ['Astana', 'Konayev', 'Xiamen', 'Chattogram', 'Odesa', 'Khrustalnyi', 'Thiruvananthapuram', 'Cologne'];
  for (const name of names) t.is(first(name).locality, name);
  t.is(first('Astana').adminDistrict, 'Astana');
  t.is(at(40.856, 26.63).locality, 'Keşan');
  t.is(first('Nur-Sultan').locality, 'Astana');
  t.is(first('Kapshagay').locality, 'Konayev');
  t.is(first('Shevchenko, Kazakhstan').locality, 'Aktau');
  t.is(first('Paris').adminDistrict, 'Île-de-France');
});

test('the cities and counties of Taiwan are its first-level divisions', (t) => {
  t.like(at(25.03, 121.56), { locality: 'Taipei', adminDistrict: 'Taipei', adminDistrictCode: 'TPE' });
  t.like(at(25.01, 121.46), { adminDistrict: 'New Taipei', adminDistrictCode: 'NWT' });
  t.like(at(24.8, 120.97), { adminDistrict: 'Hsinchu', adminDistrictCode: 'HSZ' });
  t.like(at(24.84, 121.01), { locality: 'Zhubei', adminDistrict: 'Hsinchu County', adminDistrictCode: 'HSQ' });
  t.like(at(23.48, 120.45), { adminDistrict: 'Chiayi', adminDistrictCode: 'CYI' });
  t.like(first('Kaohsiung'), { adminDistrictCode: 'KHH' });
  t.like(first('Taichung'), { adminDistrictCode: 'TXG' });
  t.like(first('Hualien, Taiwan'), { adminDistrictCode: 'HUA' });
  t.like(first('Tainan, Taiwan'), { adminDistrictCode: 'TNN' });
});

test('a place whose point is in another country is left out', (t) => {
  const { latitude, longitude } = first('Sarupathar');
  t.true(Math.abs((latitude ?? 0) - 26.2) < 0.1 && Math.abs((longitude ?? 0) - 93.9) < 0.1);
  t.is(first('Sarupathar, Assam').confidence, 'High');
});

test('a script of the language is the only one', (t) => {
  for (const query of ['Fernando de Noronha', 'Beograd', 'Novi Sad', 'Niš', 'Recife', 'Moskva']) {
    t.notRegex(JSON.stringify(first(query, 'sr-Latn')), /\p{Script=Cyrillic}/u, query);
  }
  t.regex(String(first('Recife', 'sr-Cyrl').adminDistrict), /^\p{Script=Cyrillic}+$/u);
});

test('an island far at sea is in its own division', (t) => {
  t.like(first('Fernando de Noronha'), { adminDistrict: 'Pernambuco', adminDistrictCode: 'PE' });
  t.like(at(-3.85, -32.42), { adminDistrictCode: 'PE' });
});

test('an abbreviation of a country in another language is not its name', (t) => {
  t.like(first('KY, USA'), { adminDistrictCode: 'KY' });
  t.notDeepEqual(first('KY').countryCode, 'GB');
  for (const query of ['London, KY', 'London, Kentucky, KY']) {
    const { countryCode, confidence } = first(query);
    t.true(countryCode === 'US' || confidence === 'Low', query);
  }
  for (const [query, wrong] of ABBREVIATIONS) {
    const { type, countryCode } = first(query);
    t.false(type === 'CountryRegion' && countryCode === wrong, query);
  }
  t.like(first('Jordan, MN'), { countryCode: 'US', adminDistrictCode: 'MN' });
  for (const query of ['USA', 'UK', 'UAE', 'EUA', 'ABD', 'DRC', 'PRC', 'ROK', 'Çin', 'Đức', 'Omã', 'Nga', 'Irã'])
    t.is(first(query).type, 'CountryRegion', query);
});

test('a short name of a town in another script is not its name', (t) => {
  const queries = ['AB', 'EA', 'EJ', 'TE', 'TA', 'WU', 'UF', 'FU'];
  for (const query of queries)
    t.notRegex(`${first(query).confidence} ${first(query).type}`, /(High|Medium) Pop/, query);
  for (const query of ['NY', 'SF']) t.is(first(query).type, 'PopulatedPlace', query);
});

const ABBREVIATIONS = [
  ['KY', 'GB'],
  ['MB', 'GB'],
  ['RA', 'GB'],
  ['VK', 'GB'],
  ['SU', 'US'],
  ['VS', 'US'],
  ['AS', 'US'],
  ['UC', 'AU'],
  ['AO', 'AT'],
  ['BI', 'BE'],
  ['SA', 'US'],
  ['SAD', 'US'],
  ['SAM', 'US'],
  ['VSA', 'US'],
  ['SUA', 'US'],
  ['WDM', 'US'],
  ['END', 'IN'],
  ['MAN', 'IM'],
  ['SIN', 'CN'],
  ['TAI', 'TH'],
] as const;

/** A query, with its language after "@", and the locality, the name of the answer, or the beginning of its address. */
const NAMED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'cities in other scripts and abbreviations': [
    ['旧金山', 'San Francisco'],
    ['성남', 'Seongnam-si'],
    ['မန္တလေး', 'Mandalay'],
    ['TP. Đà Nẵng', 'Da Nang'],
    ['경기도', 'Gyeonggi-do'],
  ],
  'new names': [
    ['Prayagraj', 'Prayagraj'],
    ['Mysuru', 'Mysuru'],
    ['Kalaburagi', 'Kalaburagi'],
    ['Mysore', 'Mysuru'],
    ['Sambhajinagar', 'Aurangabad'],
    ['Tschernobyl', 'Chornobyl'],
    ['Cincinatti', 'Cincinnati'],
    ['Missisippi', 'Mississippi'],
  ],
  islands: [
    ['Langkawi', 'Langkawi, Kedah'],
    ['Yakushima', 'Yakushima, Kagoshima'],
    ['Chiloé', 'Chiloé, Los Lagos'],
    ['Greenland', 'Greenland'],
    ['Bali', 'Bali, Indonesia'],
  ],
  'airports as people say them': [
    ["O'Hare", "Chicago O'Hare"],
    ['Schiphol', 'Amsterdam Airport Schiphol'],
    ['LaGuardia', 'La Guardia Airport'],
    ['Istanbul Airport', 'İstanbul Airport'],
  ],
  'towns with their traditional county or island': [
    ['Bangor, County Down', 'Bangor, Northern Ireland'],
    ['Uxbridge, Middlesex', 'Uxbridge, England'],
    ['Ciutadella, Menorca', 'Ciutadella, Balearic Islands'],
    ['Oban, Argyll', 'Oban, Scotland'],
  ],
  'names in the language and its script': [
    ['Berlin@de-AT', 'Berlin, Deutschland'],
    ['Bengaluru@hi', 'बेंगलुरु'],
    ['Prayagraj@hi', 'प्रयागराज'],
    ['13345, Ukraine', '[^\\p{Script=Cyrillic}]+$'],
  ],
};

for (const [kind, rows] of Object.entries(NAMED)) {
  test(`found are ${kind}`, (t) => {
    for (const [text, name] of rows) {
      const [query = '', language] = text.split('@');
      const { formattedAddress } = first(query, language);
      t.regex(String(formattedAddress), new RegExp(`^${name}`, 'u'), text);
    }
  });
}
