import { type Case, guide, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'a bold exponent is not part of the number',
    '<p>It holds 10<sup><b>9</b></sup> grains.</p>',
    { not: ['109'], oneOf: [['10⁹', '10^9', '10^**9**', '10^{9}', '10^(9)']] },
  ],
  [
    'a negative exponent in elements is raised',
    '<p>A weight of 10<sup>−<span class="n">6</span></sup> grams.</p>',
    { not: ['10−6', '10-6'] },
  ],
  [
    'an exponent in a font element is raised',
    '<p>The area is 25 km<sup><font size="1">2</font></sup> and 2<sup><font size="1">8</font></sup> fields.</p>',
    { not: ['km2', '28 fields'] },
  ],
  [
    'an exponent that is a fraction is no fraction of the number',
    '<p>It grows as 5<sup>3/4</sup>.</p>',
    { not: ['53/4'], oneOf: [['5^(3/4)', '5^3/4', '5^{3/4}', '5³ᐟ⁴', '5³⁄⁴', '5^(3⁄4)', '5³/⁴']] },
  ],
  [
    'an exponent with a decimal comma is no decimal of the number',
    guide('<p>Der Wert ist 10<sup>2,5</sup> Meter.</p>', 'de'),
    { not: ['102,5'] },
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
  [
    'a raised number in a Japanese table is raised',
    '<table><tr><th>星</th><th>数</th></tr><tr><td>銀河</td><td>10<sup><span>11</span></sup></td></tr></table>',
    { not: ['1011'] },
  ],
  [
    'an ordinal in elements stays text',
    '<p>The 21<sup><small>st</small></sup> of May and the 3<sup><span>rd</span></sup> of June.</p>',
    { has: ['21st of May', '3rd of June'] },
  ],
];

testCases(CASES);
