import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'the first row becomes the head of a table without a head',
    '<table><tr><td>a<td>b<tr><td>1<td>2</table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'a cell over two columns leaves the second column empty',
    '<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>',
    '| a |  | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'a cell over two rows leaves the place below it empty',
    '<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |',
  ],
  [
    'a cell over rows and columns leaves all of them empty',
    '<table><tr><th>a<th>b<th>c<tr><td rowspan=2 colspan=2>1<td>2<tr><td>3</table>',
    '| a | b | c |\n| --- | --- | --- |\n| 1 |  | 2 |\n|  |  | 3 |',
  ],
  [
    'a caption is a paragraph before its table',
    '<table><caption>c <b>d</b></caption><tr><th>a<th>b<tr><td>1<td>2</table>',
    'c **d**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'columns have the alignment of their heads',
    '<table><tr><th align=left>a<th style="color:red; text-align: center">b<th align=RIGHT>c<th align=justify>d<tr><td>1<td>2<td>3<td>4</table>',
    '| a | b | c | d |\n| :-- | :-: | --: | --- |\n| 1 | 2 | 3 | 4 |',
  ],
  [
    'columns have the alignment of the first row if their heads have none',
    '<table><tr><th>a<th>b<tr><td align=right>1<td>2</table>',
    '| a | b |\n| --: | --- |\n| 1 | 2 |',
  ],
  [
    'line breaks and paragraphs in a cell become spaces',
    '<table><tr><td>a<br>b<td>c<tr><td><p>x</p><p>y</p><td><div>2</div></table>',
    '| a b | c |\n| --- | --- |\n| x y | 2 |',
  ],
  [
    'the items of a list in a cell are separated by semicolons',
    '<table><tr><th>a<th>b<tr><td>of:<ul><li>x<li>y</ul><td>2</table>',
    '| a | b |\n| --- | --- |\n| of: x; y | 2 |',
  ],
  [
    'a table in a cell of a table with a head is written as its text',
    '<table><tr><th>a<th>b<tr><td><table><tr><td>n<td>m</table><td>2</table>',
    '| a | b |\n| --- | --- |\n| n m | 2 |',
  ],
  [
    'a heading, code and a horizontal rule in a cell are written as text',
    '<table><tr><th>a<th>b<tr><td><h3>x</h3><hr><td><pre>y\nz</pre></table>',
    '| a | b |\n| --- | --- |\n| x | `y z` |',
  ],
  [
    'pipes in text and in code are escaped',
    '<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>2</table>',
    '| a\\|b | c |\n| --- | --- |\n| `x\\|y` | 2 |',
  ],
  [
    'an empty head stays empty',
    '<table><thead><tr><th><th></thead><tr><td>1<td>2</table>',
    '|  |  |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'rows without text are dropped',
    '<table><tr><td><td><tr><td>a<td>b<tr><td>&nbsp;<td><tr><td>1<td>2</table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['a table of one column is written as its content', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
  [
    'a table that lays out headings and lists is written as its content',
    '<table><tr><td><h2>L</h2><p>t</p><td><ul><li>a</ul><tr><td>x<td>y</table>',
    '## L\n\nt\n\n- a\n\nx\n\ny',
  ],
  ['a table of one row without a head is written as its content', '<table><tr><td>a<td>b</table>', 'a\n\nb'],
  [
    'a table whose role is presentation is written as its content',
    '<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>',
    'a\n\nb\n\n1\n\n2',
  ],
  [
    'a table within a layout table stays a table',
    '<table><tr><td>a<td><table><tr><td>n<td>m<tr><td>o<td>p</table></table>',
    'a\n\n| n | m |\n| --- | --- |\n| o | p |',
  ],
  ['an empty table is dropped', '<p>a<table><tr><td><td></table><p>b', 'a\n\nb'],
  [
    'a table without a head that has lists in its cells stays a table',
    '<table><tr><td>Plan<td>Has<tr><td>A<td><ul><li>x<li>y</ul><tr><td>B<td><dl><dt>t<dd>d</dl></table>',
    '| Plan | Has |\n| --- | --- |\n| A | x; y |\n| B | **t** d |',
  ],
  [
    'lists beside long texts are layout',
    `<table><tr><td><ul><li>a<li>b</ul><td>${'word '.repeat(100)}<tr><td>c<td>d</table>`,
    `- a\n- b\n\n${'word '.repeat(100).trim()}\n\nc\n\nd`,
  ],
  [
    'the foot is the last row wherever it stands',
    '<table><caption>t</caption><tfoot><tr><td>sum<td>3</tfoot><tr><td>a<td>1<tbody><tr><td>b<td>2</table>',
    't\n\n| a | 1 |\n| --- | --- |\n| b | 2 |\n| sum | 3 |',
  ],
  [
    'the rows of a table in a cell are separated by semicolons',
    '<table><tr><th>a<th>b<tr><td><table><tr><td>n<td>m<tr><td>o<td>p</table><td>2</table>',
    '| a | b |\n| --- | --- |\n| n m; o p | 2 |',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
