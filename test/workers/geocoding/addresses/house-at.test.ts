import test from 'ava';
import { houseAt } from '../../../../workers/geocoding/addresses/house-at.ts';

const house = (number: number, suffix = '') => ({
  number,
  suffix,
  latitudeE6: number * 10,
  longitudeE6: -number * 100,
});
const HOUSES = [house(1), house(2), house(8), house(8, 'bis'), house(11), house(200)];

test('a house with the number is found, with its suffix if it has one', (t) => {
  t.deepEqual(houseAt(HOUSES, { number: 8, suffix: 'bis' }), { house: house(8, 'bis'), isInterpolated: false });
  t.deepEqual(houseAt(HOUSES, { number: 8, suffix: '' }), { house: house(8), isInterpolated: false });
});

test('a number between two others of its side is placed between them', (t) => {
  t.deepEqual(houseAt(HOUSES, { number: 4, suffix: '' }), {
    house: { number: 4, suffix: '', latitudeE6: 40, longitudeE6: -400 },
    isInterpolated: true,
  });
  t.deepEqual(houseAt(HOUSES, { number: 7, suffix: '' })?.house.latitudeE6, 70);
});

test('an unknown suffix is at the house without it', (t) => {
  t.deepEqual(houseAt(HOUSES, { number: 2, suffix: 'b' }), {
    house: { ...house(2), suffix: 'b' },
    isInterpolated: true,
  });
});

test('a number outside the known ones, or far from them, has no place', (t) => {
  for (const number of [0, 13, 100, 201, 999]) t.is(houseAt(HOUSES, { number, suffix: '' }), undefined, `${number}`);
  t.is(houseAt([], { number: 1, suffix: '' }), undefined);
});
