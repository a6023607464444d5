import test from 'ava';
import { deletionsOf, isOneErrorAway } from '../../../../workers/geocoding/addresses/spelling.ts';
import { readAscending, VarintReader, VarintWriter } from '../../../../workers/geocoding/addresses/varint.ts';
import { addressWords, readHouseNumber } from '../../../../workers/geocoding/addresses/words.ts';
import { fc } from '../../../kit/fast-check.ts';

const keys = (text: string) => addressWords(text).map(({ key }) => key);

test('spellings and abbreviations of one street have the same words', (t) => {
  const groups = [
    ['Avenue du Maréchal Foch', 'av. mal foch', 'AVE DU MARECHAL FOCH'],
    ['Rue Saint-Léon', 'rue st léon'],
    ['Hauptstraße', 'Hauptstr.', 'Hauptstrasse'],
    ["Rue de l'Étang", 'rue etang', 'Rue de l’Étang'],
    ['Main Street', 'main st'],
  ];
  for (const [first = '', ...others] of groups)
    for (const other of others) t.deepEqual(keys(other), keys(first), other);
});

test('house numbers have digits, and may have a suffix', (t) => {
  t.deepEqual(readHouseNumber('12'), { number: 12, suffix: '' });
  t.deepEqual(readHouseNumber('012 BIS'), { number: 12, suffix: 'bis' });
  t.deepEqual(readHouseNumber('4A'), { number: 4, suffix: 'a' });
  t.deepEqual(readHouseNumber('12-14'), { number: 12, suffix: '-14' });
  for (const text of ['', 'a', '12345678', 'twelve', '12 rue']) t.is(readHouseNumber(text), undefined, text);
});

test('two words within one error share a deletion', (t) => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (a, b) => {
      t.is(isOneErrorAway(a, b), isOneErrorAway(b, a));
      if (isOneErrorAway(a, b)) t.true([...deletionsOf(a)].some((deletion) => deletionsOf(b).has(deletion)));
    }),
  );
  for (const [a, b] of [
    ['foch', 'fcoh'],
    ['foch', 'fooch'],
    ['foch', 'fch'],
    ['foch', 'fach'],
  ] as const) {
    t.true(isOneErrorAway(a, b), b);
  }
  for (const [a, b] of [
    ['foch', 'foch'],
    ['foch', 'hcof'],
    ['foch', 'fo'],
    ['abcd', 'badc'],
  ] as const) {
    t.false(isOneErrorAway(a, b), b);
  }
});

test('what a writer wrote is read again', (t) => {
  const item = fc.tuple(fc.nat({ max: 2 ** 32 - 1 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.string());
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const writer = new VarintWriter();
      for (const [count, signed, text] of items) {
        writer.write(count);
        writer.writeSigned(signed);
        writer.writeText(text);
      }
      const reader = new VarintReader(writer.take());
      for (const [count, signed, text] of items) {
        t.is(reader.read(), count);
        t.is(reader.readSigned(), signed);
        t.is(reader.readText(), text.isWellFormed() ? text : text.toWellFormed());
      }
      t.true(reader.isAtEnd);
      t.is(writer.take().length, 0);
    }),
  );
});

test('ascending numbers are read from their differences, and a list that is cut is refused', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 2 ** 32 - 1 })), (numbers) => {
      const ascending = numbers.toSorted((a, b) => a - b);
      const writer = new VarintWriter();
      for (const [index, number] of ascending.entries()) writer.write(number - (ascending[index - 1] ?? 0));
      const bytes = writer.take();
      t.deepEqual([...readAscending(bytes, ascending.length)], ascending);
      t.throws(() => readAscending(bytes, ascending.length + 1), { instanceOf: RangeError });
    }),
  );
});
