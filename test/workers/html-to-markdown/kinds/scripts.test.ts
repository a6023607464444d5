import { type Case, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'an exponent in a font element is raised',
    '<p>The area is 25 km<sup><font size="1">2</font></sup> and 2<sup><font size="1">8</font></sup> fields.</p>',
    { not: ['km2', '28 fields'] },
  ],
  ['an exponent with a multiplication sign is raised', '<p>There are 2<sup>3×4</sup> ways.</p>', { not: ['23×4'] }],
  ['an exponent of two letters with a comma is raised', '<p>Let 7<sup>i,j</sup> be it.</p>', { not: ['7i,j'] }],
  [
    'the base of a logarithm in an element is not part of the number',
    '<p>Then log<sub><em>2</em></sub>8 is three, and the code is 101<sub><span>2</span></sub>.</p>',
    { not: ['log28', '1012'] },
  ],
  [
    'a number that is raised by its style is raised',
    '<p>About 10<span style="vertical-align:super;font-size:70%">7</span> drops.</p>',
    { not: ['107'] },
  ],
];

testCases(CASES);
