import test from 'ava';
import { createZoneCountries } from '../../../../workers/geocoding/reverse/zone-countries.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const { places, areas } = await openOwnGazetteer();
const countryAt = createZoneCountries(places, areas);
const codeAt = (latitude: number, longitude: number) => {
  const country = countryAt({ latitude, longitude });
  return country === undefined ? undefined : areas.codes.at(country);
};

test('a zone of one country decides the country', (t) => {
  t.is(codeAt(47.56, 7.59), 'CH');
  t.is(codeAt(48.58, 7.75), 'FR');
  t.is(codeAt(-4.32, 15.31), 'CD');
  t.is(codeAt(-4.27, 15.28), 'CG');
});

test('a zone of several countries decides no country: Hanoi has the time of Bangkok', (t) => {
  t.is(codeAt(21.03, 105.85), undefined);
});

test('overlapping zones and the sea decide no country', (t) => {
  t.is(codeAt(43.8, 87.6), undefined);
  t.is(codeAt(0, -30), undefined);
});
