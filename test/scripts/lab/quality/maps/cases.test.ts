import test from 'ava';
import { loadCases, readCases } from '../../../../../scripts/lab/quality/maps/cases.ts';
import { CATEGORIES } from '../../../../../scripts/lab/quality/maps/categories.ts';
import { defined } from '../../../../../workers/exact/defined.ts';

const LEAST: Readonly<Record<string, number>> = {
  capitals: 195,
  cities: 150,
  exonyms: 80,
  'german-names': 40,
  'typing-errors': 100,
  languages: 40,
  biased: 40,
  prominent: 20,
  'us-addresses': 80,
  'world-addresses': 60,
  'us-postcodes': 30,
  postcodes: 70,
  divisions: 40,
  fresh: 350,
  traps: 300,
  'traps-unseen': 250,
  'fresh-traps': 140,
  'reverse-cities': 100,
  borders: 120,
  islands: 30,
  'open-sea': 30,
  edges: 12,
  contested: 12,
  'fresh-points': 70,
  offsets: 60,
};

const FORWARD = { name: 'capitals', kind: 'forward' } as const;
const REVERSE = { name: 'borders', kind: 'reverse' } as const;

for (const category of CATEGORIES) {
  test(`the category ${category.name} has enough valid cases`, (t) => {
    const { forward, traps, reverse } = loadCases(category);
    t.true(forward.length + traps.length + reverse.length >= defined(LEAST[category.name]));
  });
}

test('no two cases ask the same', (t) => {
  const questions = CATEGORIES.map(loadCases).flatMap(({ forward, traps, reverse }) => [
    ...forward.map(({ query, language, bias }) => JSON.stringify([query, language, bias])),
    ...traps.map(({ query, language }) => JSON.stringify([query, language])),
    ...reverse.map(({ point, language }) => JSON.stringify([point, language])),
  ]);
  t.deepEqual(
    questions.filter((question, index) => questions.indexOf(question) !== index),
    [],
  );
});

test('every reverse case expects a country or an empty answer', (t) => {
  const cases = CATEGORIES.map(loadCases).flatMap(({ reverse }) => reverse);
  const isBound = cases.map(({ expect: { count, countryCode } }) => (count === 0) !== (countryCode !== undefined));
  t.true(isBound.every(Boolean));
});

test('an invalid line is reported with its number', (t) => {
  const good = '{"query":"a","expect":{"near":[1,2],"withinKm":3}}';
  t.is(readCases(FORWARD, `${good}\n`).forward.length, 1);
  t.throws(() => readCases(FORWARD, `${good}\n{"query":"a","expect":{"near":[91,2],"withinKm":3}}\n`), {
    message: /^capitals\.jsonl:2: /,
  });
  t.throws(() => readCases(REVERSE, '{"point":[1,2],"expect":{"country":"DE"}}'), { message: /^borders\.jsonl:1: / });
});
