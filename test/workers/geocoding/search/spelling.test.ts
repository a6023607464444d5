import test from 'ava';
import { misspellingsOf } from '../../../../workers/geocoding/search/spelling.ts';

const meant = (word: string) => new Set(misspellingsOf(word));

test('misspellings have another letter, one letter more or less, or two exchanged letters', (t) => {
  const words = meant('pariz');
  for (const word of ['paris', 'parizs', 'pari', 'paiz', 'praiz', 'xpariz']) t.true(words.has(word), word);
  t.false(words.has('pairsz'));
});

test('up to two doubled letters of a word with a doubled letter may be others', (t) => {
  for (const [written, word] of [
    ['phillipines', 'philippines'],
    ['cincinatti', 'cincinnati'],
    ['massachussets', 'massachusetts'],
    ['missisippi', 'mississippi'],
  ] as const) {
    t.true(meant(written).has(word), word);
  }
  t.false(meant('paris').has('ppariss'));
});

test('only letters of the word’s script are tried', (t) => {
  t.true(meant('москво').has('москва'));
  t.true(meant('αθηνο').has('αθηνα'));
  t.is(meant('東京').size, 0);
  t.is(meant('mосква').size, 0);
});
