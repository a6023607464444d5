import test from 'ava';
import { fold, keyOf } from '../../../../workers/geocoding/text/fold.ts';
import { fc } from '../../../kit/fast-check.ts';

const SAME: readonly (readonly string[])[] = [
  ['Zürich', 'ZURICH', 'zürich'],
  ['Łódź', 'Lodz'],
  ['Ålesund', 'alesund'],
  ['Straße', 'STRASSE'],
  ["Xi'an", 'Xi’an', 'Xian'],
  ['New York', 'new-york', 'NewYork', 'New  York'],
  ['St. Pölten', 'Sankt Polten', 'Saint Pölten'],
  ['U.S.A.', 'USA'],
  ['ＴＯＫＹＯ', 'Tokyo'],
  ['Αθήνα', 'ΑΘΗΝΑ'],
  ['Орёл', 'Орел'],
  ['臺北', '台北'],
  ['القاهرة', 'القاهره'],
  ['Reykjavík', 'Reykjavik'],
];

for (const names of SAME) {
  test(`spellings of ${names[0]} have the same key`, (t) => {
    t.deepEqual(new Set(names.map(keyOf)).size, 1);
  });
}

test('keeps marks that make another letter: ガ is not カ', (t) => {
  t.not(keyOf('ガ'), keyOf('カ'));
});

test('a word with the name of an inherited property is an ordinary word', (t) => {
  t.is(keyOf('Constructor'), 'constructor');
});

test('folding folded text changes nothing', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      t.is(fold(fold(text)), fold(text));
    }),
  );
});
