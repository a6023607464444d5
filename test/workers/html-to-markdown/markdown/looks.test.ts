import test from 'ava';
import { toMarkdown } from './to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'bold, italic and struck text by style',
    '<p><span style="font-style:italic">a</span> <font style="FONT-WEIGHT: 700">b</font> <span style="text-decoration: line-through red">c</span> <span style="font:bold 12px x">d</span>',
    '*a* **b** ~~c~~ **d**',
  ],
  [
    'an element whose style undoes its look is text',
    '<b style="font-weight:normal"><p><span style="font-weight:700">a</span> b</p></b><p><em style="font-style:normal">c</em> <s style="text-decoration:none">d</s>',
    '**a** b\n\nc d',
  ],
  [
    'emphasis ends within an element of normal style, and goes on after it',
    '<p><b>a <span style="font-weight:400">b <b>c</b></span> d</b> <i>e <span style="font-style:normal">f</span></i>',
    '**a** b **c d** *e* f',
  ],
  [
    'other weights and styles change nothing',
    '<p><b style="color:red">a</b> <span style="font-weight:500;color:bold">b</span>',
    '**a** b',
  ],
  [
    'a bold heading and a bold head of a table are not bold twice',
    '<h2><span style="font-weight:bold">a</span></h2><table><tr><th><span style="font-weight:700">b</span><th>c<tr><td>d<td>e</table>',
    '## a\n\n| b | c |\n| --- | --- |\n| d | e |',
  ],
  [
    'a bold paragraph and a bold item',
    '<p style="font-weight:bold">a</p><ul><li style="font-weight:600">b<li>c</ul>',
    '**a**\n\n- **b**\n- c',
  ],
  ['a bold element around blocks is not bold', '<div style="font-weight:bold"><p>a</p><p>b</p></div>', 'a\n\nb'],
  [
    'raised and lowered text by style',
    '<p>10<span style="vertical-align:super;font-size:.6em">6</span> H<span style="vertical-align:sub">2</span>O',
    '10⁶ H₂O',
  ],
  [
    'spans on lines of their own are paragraphs',
    '<p><span style="display:block">a</span><span style="display:block">b</span>c',
    'a\n\nb\n\nc',
  ],
  [
    'spans on lines of their own in a link or a heading are parted by spaces',
    '<p><a href=x><span style="display:block">a</span><span style="display:block">b</span></a><h2><span style="display:block">c</span><span style="display:flex">d</span></h2>',
    '[a b](x)\n\n## c d',
  ],
  ['inline blocks stay in their line', '<p>a<span style="display:inline-block">b</span>', 'ab'],
  [
    'line breaks that are shown stay',
    '<div style="white-space: pre-wrap"><span>a</span><span>\n\nb\nc</span></div><p style="white-space:pre-line">d <b>e\nf</b>\n</p>',
    'a\n\nb\\\nc\n\nd **e\\\nf**',
  ],
  [
    'line breaks between blocks, in cells and under another style are spaces',
    '<div style="white-space:pre">\n<p>a</p>\n<p style="white-space:normal">b\nc</p>\n</div><table><tr><th>d<th>e<tr><td style="white-space:pre">f\ng<td>h</table><p style="white-space:nowrap">i\nj',
    'a\n\nb c\n\n| d | e |\n| --- | --- |\n| f g | h |\n\ni j',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
