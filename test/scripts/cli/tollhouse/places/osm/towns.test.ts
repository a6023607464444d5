import test from 'ava';
import { Towns } from '../../../../../../scripts/cli/tollhouse/places/osm/towns.ts';

const town = (name: string, kind: string, population?: number) => ({ name, kind, population });

test('a point is in the town that is nearest in relation to its size', (t) => {
  const towns = new Towns();
  towns.add(town('City', 'city', 600_000), { latitude: 50, longitude: 8 });
  towns.add(town('Village', 'village'), { latitude: 50.09, longitude: 8 });
  towns.add(town('Hamlet', 'hamlet'), { latitude: 50, longitude: 8.2 });
  // 5.6 km from the middle of the city, and 4.4 km from that of the village.
  t.is(towns.at({ latitude: 50.05, longitude: 8 }), 'City');
  t.is(towns.at({ latitude: 50.085, longitude: 8 }), 'Village');
  t.is(towns.at({ latitude: 50.001, longitude: 8.2 }), 'Hamlet');
  t.is(towns.at({ latitude: 51, longitude: 8 }), '');
});

test('towns beside a border of their grid are found, at the date line and in the far north too', (t) => {
  const towns = new Towns();
  towns.add(town('East', 'village'), { latitude: -17, longitude: 179.99 });
  towns.add(town('North', 'town'), { latitude: 78.22, longitude: 15.6 });
  t.is(towns.at({ latitude: -17, longitude: -179.99 }), 'East');
  t.is(towns.at({ latitude: 78.22, longitude: 15.2 }), 'North');
  for (const latitude of [-90, 90]) t.is(towns.at({ latitude, longitude: 180 }), '');
});

test('a population says how large a town is, within limits', (t) => {
  const towns = new Towns();
  towns.add(town('Huge', 'city', 999_999_999), { latitude: 50, longitude: 8 });
  towns.add(town('Empty', 'city', 0), { latitude: 10, longitude: 8 });
  t.is(towns.at({ latitude: 50.5, longitude: 8 }), 'Huge');
  t.is(towns.at({ latitude: 50.6, longitude: 8 }), '');
  t.is(towns.at({ latitude: 10.25, longitude: 8 }), 'Empty');
});
