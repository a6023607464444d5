import test from 'ava';
import { codesIn, readGbDistricts } from '../../../../scripts/lab/gazetteer/sources/gb-postcodes.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';

const DISTRICTS = readGbDistricts();

test('a list of districts names each of them', (t) => {
  t.deepEqual(codesIn('AB10-12,21'), ['AB10', 'AB11', 'AB12', 'AB21']);
  t.deepEqual(codesIn('SW1A'), ['SW1A']);
  t.deepEqual(codesIn('E1W'), ['E1W']);
});

test('a list of districts in another form is refused', (t) => {
  for (const text of ['', 'AB', '10', 'AB10-', 'AB12-10', 'AB10-10', 'ab10', 'AB10,,12', 'AB10 11', 'ABC1']) {
    t.throws(() => codesIn(text), undefined, text);
  }
});

test('the table has every postcode area once, sorted', (t) => {
  const codes = DISTRICTS.map(({ code }) => code);
  t.deepEqual(codes, [...new Set(codes)].sort());
  t.is(new Set(codes.map((code) => code.replace(/\d.*/, ''))).size, 124);
});

test('a district is where its town is', (t) => {
  const [bow, westminster, lerwick] = ['E3', 'SW1A', 'ZE1'].map((code) => DISTRICTS.find((one) => one.code === code));
  t.like(bow, { town: 'London' });
  t.like(lerwick, { town: 'Lerwick' });
  t.true(westminster !== undefined && distanceKm(westminster, { latitude: 51.5014, longitude: -0.1419 }) < 1);
});

/** Areas whose districts are far apart: the Highlands and islands, and those of wide country. */
const WIDE = new Set('BT DG HS IV KW LD LL PA PH SA SY TR ZE'.split(' '));

test('a district lies near another district of its area', (t) => {
  for (const [area, districts] of Map.groupBy(DISTRICTS, ({ code }) => code.replace(/\d.*/, ''))) {
    const limitKm = WIDE.has(area) ? 80 : 40;
    for (const district of districts) {
      const others = districts.filter(({ latitude, longitude }) => {
        return latitude !== district.latitude || longitude !== district.longitude;
      });
      const nearestKm = Math.min(...others.map((other) => distanceKm(district, other)));
      t.true(nearestKm < limitKm, `${district.code} is ${Math.round(nearestKm)} km from its area`);
    }
  }
});
