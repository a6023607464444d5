import test from 'ava';
import { firstOf, readCandidates, widestOf } from '../../../../workers/html-to-markdown/parse/srcset.ts';

const addresses = (value: string) => readCandidates(value).map(({ address }) => address);

test('candidates are separated by commas after their descriptors or after white space', (t) => {
  t.deepEqual(addresses('a.png 1x, b.png 2x'), ['a.png', 'b.png']);
  t.deepEqual(addresses('a.png 1x,b.png 2x'), ['a.png', 'b.png']);
  t.deepEqual(addresses('a.png, b.png 2x'), ['a.png', 'b.png']);
  t.deepEqual(addresses('\n a.png 320w ,\n b.png 640w,'), ['a.png', 'b.png']);
  t.deepEqual(addresses('/w_300,c_fill/a.png 300w, /w_600,c_fill/a.png 600w'), [
    '/w_300,c_fill/a.png',
    '/w_600,c_fill/a.png',
  ]);
});

test('a value without descriptors is one address', (t) => {
  t.deepEqual(addresses(' my photo.jpg '), ['my photo.jpg']);
  t.deepEqual(addresses(''), []);
});

test('candidates that load nothing are left out', (t) => {
  t.deepEqual(addresses('data:image/gif;base64,AA== 1x, a.png 2x'), ['a.png']);
  t.deepEqual(addresses('320w'), []);
});

test('the first candidate is that of a full image if there is one', (t) => {
  t.is(firstOf(readCandidates('a.png 20w, b.png 640w, c.png 1280w')), 'b.png');
  t.is(firstOf(readCandidates('a.png 20w, b.png 40w')), 'a.png');
  t.is(firstOf([]), null);
});

test('the widest candidate is no preview and not wider than needed', (t) => {
  t.is(widestOf(readCandidates('a.png 1280w, b.png 640w, c.png 5000w')), 'a.png');
  t.is(widestOf(readCandidates('a.png 20w, b.png 5000w, c.png 3000w')), 'c.png');
  t.is(widestOf(readCandidates('a.png 20w, b.png 1600w')), 'b.png');
  t.is(widestOf(readCandidates('a.png 20w, b.png 2x')), null);
});

test('a long value is read in linear time', (t) => {
  for (const piece of [',', ', ', 'a ', 'a,', '1w ', ' 1w,'])
    t.notThrows(() => readCandidates(` ${piece.repeat(500_000)} 1w`));
});
