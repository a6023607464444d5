import { type Case, guide, testCases } from './kinds.ts';

const NBSP = '\u00a0';
const EDGES: readonly Case[] = [
  ['a no-break space within bold text stays', '<p><b>No.&nbsp;7</b> is free</p>', { has: [`**No.${NBSP}7** is free`] }],
];

const GLUE: readonly Case[] = [
  [
    'labels of choices stand apart',
    '<form><label for="a">Rope</label><label for="b">Sail</label></form>',
    { not: ['RopeSail'] },
  ],
  [
    'labels of tabs with radio buttons between stand apart',
    '<div><input type="radio" id="a"><label for="a">Mac</label><input type="radio" id="b"><label for="b">Linux</label></div>',
    { not: ['MacLinux'] },
  ],
  [
    'labels in a page stand apart',
    guide('<div class="tabs"><label>npm</label><label>yarn</label><label>pnpm</label></div>'),
    { not: ['npmyarn', 'yarnpnpm'] },
  ],
  [
    'a line break between Chinese characters is no space',
    guide('<p>港口在海湾里\n，冬天结冰\n六个星期。</p>'),
    { has: ['港口在海湾里，冬天结冰六个星期。'] },
  ],
  [
    'a line break before and after Japanese emphasis is no space',
    '<p>船が\n<b>港</b>\nに来る。</p>',
    { has: ['船が**港**に来る。'] },
  ],
  ['a space between Chinese words stays', '<p>港口 海湾 <b>冬天</b></p>', { has: ['港口 海湾 **冬天**'] }],
  [
    'a line break between Chinese and Latin characters, or in Korean, is a space',
    '<p>港口\nKelm\n한국\n사람</p>',
    { has: ['港口 Kelm 한국 사람'] },
  ],
  [
    'two line breaks in bold text begin a paragraph',
    '<p><b>Tide<br><br>Wind</b></p>',
    { has: ['**Tide**\n\n**Wind**'] },
  ],
  [
    'line breaks with white space between begin a paragraph',
    guide('<div>Ice in May.<br>\n <br />Snow in June.<br>\n<br>\n<br>Rain in July.</div>'),
    { has: ['Ice in May.\n\nSnow in June.\n\nRain in July.'] },
  ],
  [
    'two line breaks in a cell and in a heading are a space',
    '<h2>Tide<br><br>Wind</h2><table><tr><th>a</th><th>b</th></tr><tr><td>1<br><br>2</td><td>3</td></tr></table>',
    { has: ['## Tide Wind', '| 1 2 | 3 |'] },
  ],
];

testCases([...EDGES, ...GLUE]);
