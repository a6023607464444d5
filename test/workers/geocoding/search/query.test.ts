import test from 'ava';
import { readQuery as read, type Token } from '../../../../workers/geocoding/search/query.ts';

const NAMES = new Set(['gardengrove', 'saintlouis']);
const readQuery = (query: string): readonly Token[] => read(query, (key) => NAMES.has(key));

const streets: Readonly<Record<string, string>> = {
  '1600 Pennsylvania Ave NW, Washington, DC 20500': '1600 pennsylvania ave nw',
  '1200 Washington Ave Houston TX': '1200 washington ave',
  '100 Main St St Louis MO': '100 main saint',
  '350 5th Ave Apt 4 New York, NY 10118': '350 5th ave apt 4',
  'Via Roma 5, Milano': 'via roma 5',
  '12 Rue de Rivoli 75001 Paris': '12 rue de rivoli',
  'Rue de Rivoli, Paris': 'rue de rivoli',
  'Hauptstraße 5, 80331 München': 'hauptstrasse 5',
  'Dam 1, 1012 JS Amsterdam': 'dam 1',
  'ul. Marszałkowska 10, Warszawa': 'ul marszalkowska 10',
  'Dresdner Straße 4, Leipzig': 'dresdner strasse 4',
  'Kurze Straße 9 Hannover': 'kurze strasse 9',
  'Am Damm 2, Kiel': 'am damm 2',
  'Kiel Lange Reihe Weg 3': 'reihe weg 3',
  'St Louis, MO': '',
  'Court Street': '',
  'San José, Costa Rica': '',
  'Silver Spring, MD': '',
  'Garden Grove, USA': '',
  '1 Garden Grove, London': '1 garden grove',
};

for (const [query, expected] of Object.entries(streets)) {
  test(`the street of ${query} is "${expected}"`, (t) => {
    const found = readQuery(query).filter(({ isStreet }) => isStreet);
    t.is(found.map(({ key }) => key).join(' '), expected);
  });
}

test('a particle at the end is a word: Wilmington, DE', (t) => {
  t.deepEqual(
    readQuery('Rio de Janeiro').map(({ isFiller }) => isFiller),
    [false, true, false],
  );
  t.deepEqual(
    readQuery('Wilmington, DE').map(({ isFiller }) => isFiller),
    [false, false],
  );
});

test('a letter of the compass before a name is the word that makes it a longer name', (t) => {
  const isName = (key: string) => ['eastsaintlouis', 'southernpines'].includes(key);
  for (const [query, word] of [
    ['E. St. Louis, IL', 'east'],
    ['s pines', 'southern'],
    ['W. St. Louis', 'w'],
    ['1 E St Louis Street', '1'],
  ] as const) {
    t.is(read(query, isName)[0]?.word, word, query);
  }
});

test('the beginning and the end of a long query are read', (t) => {
  const words = Array.from({ length: 100 }, (_, index) => `w${index}`);
  const tokens = readQuery(words.join(' '));
  t.is(tokens.length, 32);
  t.is(tokens[0]?.key, 'w0');
  t.is(tokens.at(-1)?.key, 'w99');
});

test('a postcode in two halves is two words, in one it is split', (t) => {
  const halves = [
    'SW1A 1AA',
    'sw1a1aa',
    'K1A 0B1',
    'K1A0B1',
    '1012 JS',
    '413 01',
    '31-042',
    '4000-322',
    '20040-020',
    'T12 X70A',
  ];
  for (const query of halves) {
    const tokens = readQuery(query);
    t.deepEqual(
      tokens.map(({ isNumber, isPostcodeEnd }) => [isNumber, isPostcodeEnd]),
      [
        [true, false],
        [true, true],
      ],
      query,
    );
  }
  for (const query of ['5th 2nd', 'M1', 'B52 A380', '1012 Amsterdam']) {
    t.false(
      readQuery(query).some(({ isPostcodeEnd }) => isPostcodeEnd),
      query,
    );
  }
});
