import { article, type Case, prose, testCases } from './kinds.ts';

const BYLINES: readonly (readonly [text: string, name: string, lang?: string])[] = [
  ['Von Greta Sommer', 'Greta Sommer', 'de'],
  ['Von: Jan Peters', 'Jan Peters', 'de'],
  ['Par Hélène Marin', 'Hélène Marin', 'fr'],
  ['par Luc Besnard', 'Luc Besnard', 'fr'],
  ['Автор: Анна Петрова', 'Анна Петрова', 'ru'],
  ['Por María Solís', 'María Solís', 'es'],
  ['Di Marco Bellini', 'Marco Bellini', 'it'],
  ['Door Sanne Visser', 'Sanne Visser', 'nl'],
  ['Av Ingrid Lund', 'Ingrid Lund', 'no'],
  ['By Ruth Calder, Reuters', 'Ruth Calder'],
  ['By PETER HOLM, Associated Press', 'PETER HOLM'],
  ['Tom Ashby | Reuters', 'Tom Ashby'],
  ['By Samuel L. Dorn', 'Samuel L. Dorn'],
  ['By J. R. Okafor', 'J. R. Okafor'],
  ['Written by Mary K. Wells', 'Mary K. Wells'],
  ['Dieter von Halem', 'Dieter von Halem', 'de'],
  ['Ludwig van Dyke', 'Ludwig van Dyke', 'nl'],
  ['Byron Vonnegut', 'Byron Vonnegut'],
  ['Vonda Parker', 'Vonda Parker'],
];

testCases(
  BYLINES.map(
    ([text, name, lang = 'en']): Case => [
      `the byline "${text}" is "${name}"`,
      article(`<div class="author">${text}</div>${prose(3)}`, { lang }),
      { byline: name },
    ],
  ),
);

testCases([
  [
    'the byline of a meta element is the name alone',
    article(prose(3, 0, 'de'), { lang: 'de', head: '<meta name="author" content="Von Greta Sommer">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no mail address',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer (greta@kelm.example)">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no mail address in angle brackets',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer &lt;greta@kelm.example&gt;">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no address of a page',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer, https://kelm.example/greta">' }),
    { byline: 'Greta Sommer' },
  ],
]);
