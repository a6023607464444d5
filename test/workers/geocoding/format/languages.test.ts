import test from 'ava';
import { namesIn } from '../../../../workers/geocoding/format/languages.ts';

test('a tag falls back from its region to its language', (t) => {
  t.deepEqual(namesIn('pt-BR').languages, ['pt-BR', 'pt']);
  t.deepEqual(namesIn('zh-Hant').languages, ['zh-TW', 'zh-HK', 'zh']);
  t.deepEqual(namesIn('no').languages, ['nb', 'nn']);
});

test('countries have their full name in the language', (t) => {
  t.is(namesIn('de').country('US'), 'Vereinigte Staaten');
  t.is(namesIn('ja').country('DE'), 'ドイツ');
  t.is(namesIn(undefined).country('XK'), 'Kosovo');
});

test('a country has its English name if it has none in the script of the tag', (t) => {
  t.is(namesIn('ja-Latn').country('JP'), 'Japan');
  t.is(namesIn('ru-Latn').country('DE'), 'Germany');
  t.is(namesIn('sr-Latn').country('DE'), 'Nemačka');
  t.is(namesIn('uz-Cyrl').country('JP'), 'Япония');
});

test('an invalid tag means English', (t) => {
  for (const tag of ['xx-bad-b', 'en-ab-cd-ef', 'zz']) t.is(namesIn(tag).country('FR'), 'France', tag);
});
