import test from 'ava';
import { toMarkdown } from './to-markdown.ts';

const IGNORED = (marker: string) =>
  `<![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>`;
const ITEM = (level: number, marker: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-.25in;mso-list:l0 level${level} lfo1'>${IGNORED(marker)}${text}</p>\n`;

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['bullets', `<p>a</p>${ITEM(1, '·', 'b <b>c</b>')}${ITEM(1, '·', 'd')}<p>e`, 'a\n\n- b **c**\n- d\n\ne'],
  [
    'levels',
    `${ITEM(1, '·', 'a')}${ITEM(2, 'o', 'b')}${ITEM(3, '§', 'c')}${ITEM(1, '·', 'd')}`,
    '- a\n  - b\n    - c\n- d',
  ],
  [
    'numbers',
    `${ITEM(1, '1.', 'a')}${ITEM(1, '2.', 'b')}${ITEM(2, 'a)', 'c')}<p>d</p>${ITEM(1, '3.', 'e')}`,
    '1. a\n2. b\n   1. c\n\nd\n\n3. e',
  ],
  ['a list that begins at a deeper level', `${ITEM(2, 'o', 'a')}${ITEM(1, '·', 'b')}`, '- a\n\n* b'],
  [
    'bullets without the style of a list',
    '<p class=MsoListParagraph><span style="font-family:Symbol">·<span>&nbsp;&nbsp;&nbsp; </span></span>a</p><p class="MsoListParagraph">•&nbsp; b</p>',
    '- a\n- b',
  ],
  [
    'numbers without the style of a list',
    '<p class=MsoListParagraph>1.&nbsp;&nbsp; a</p><p class=MsoListParagraph>2.&nbsp; b</p>',
    '1. a\n2. b',
  ],
  [
    'paragraphs of a list without a bullet stay',
    '<p class=MsoListParagraph>a - b</p><p class=MsoListParagraph>1.5 c</p>',
    'a - b\n\n1.5 c',
  ],
  [
    'other paragraphs with a bullet stay',
    '<p class=MsoNormal>·&nbsp;a</p><p class=x style="mso-list:none">b',
    '·\u00a0a\n\nb',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));

test('100,000 paragraphs of a list end', (t) => {
  t.true(toMarkdown('<p class=MsoListParagraph style="mso-list:l0 level1">a'.repeat(90_000)).startsWith('- a\n- a'));
});
