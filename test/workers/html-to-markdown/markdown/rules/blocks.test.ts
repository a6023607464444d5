import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['headings of all levels', '<h1>a</h1><h6>b</h6>', '# a\n\n###### b'],
  [
    'a heading with a link, an image and a line break',
    '<h2><a href=/x>a</a><br>b <img src=i.png alt=i></h2>',
    '## [a](/x) b ![i](i.png)',
  ],
  ['a heading without text is dropped', '<h2> </h2><h2>&nbsp;</h2><p>a', 'a'],
  ['number signs at the end of a heading are escaped', '<h2>C #</h2>', '## C \\#'],
  [
    'a quote with its source',
    '<blockquote cite=/x><p>a</p><p>b</p><footer>— <cite>c</cite></footer></blockquote>',
    '> a\n>\n> b\n>\n> — *c*',
  ],
  ['nested quotes', '<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
  [
    'terms become bold, and definitions become paragraphs',
    '<dl><dt>a<dt><b>b</b><dd>c<dd><p>d<p>e</dl>',
    '**a**\n\n**b**\n\nc\n\nd\n\ne',
  ],
  ['the summary of details becomes bold', '<details><summary>a</summary>b</details>', '**a**\n\nb'],
  ['a summary with a heading stays a heading', '<details><summary><h3>a</h3></summary>b</details>', '### a\n\nb'],
  ['a figure and its caption', '<figure><img src=a.png alt=A><figcaption>b</figcaption></figure>', '![A](a.png)\n\nb'],
  ['nested lists of both kinds', '<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>', '- a\n  1. b\n     - c\n- d'],
  [
    'a list directly in a list becomes part of the item before it',
    '<ul><li>a</li><ul><li>b</ul><li>c</ul>',
    '- a\n  - b\n- c',
  ],
  ['items outside a list become a list', '<div><li>a<li>b</div><p>c', '- a\n- b\n\nc'],
  ['text directly in a list becomes an item', '<ul>a<li>b</ul>', '- a\n- b'],
  ['items with paragraphs are separated by empty lines', '<ul><li><p>a<li><p>b</ul>', '- a\n\n- b'],
  ['code in an item is indented', '<ol><li>a<pre>b\n\nc</pre></ol>', '1. a\n   ```\n   b\n\n   c\n   ```'],
  ['a list is numbered from its start attribute', '<ol start=7><li>a<li>b</ol>', '7. a\n8. b'],
  ['an item may have its own number', '<ol><li>a<li value=5>b<li>c</ol>', '1. a\n5. b\n6. c'],
  ['a reversed list counts down', '<ol reversed><li>a<li>b<li>c</ol>', '3. a\n2. b\n1. c'],
  [
    'numbers stay within the range of Markdown',
    '<ol start=-3><li>a</ol><p>p<ol start=999999999><li>b<li>c</ol>',
    '1. a\n\np\n\n999999999. b\n999999999. c',
  ],
  [
    'two adjacent lists stay separate',
    '<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>',
    '- a\n\n* b\n\n1. c\n\n1) d',
  ],
  [
    'tasks with and without a label',
    '<ul><li><input type=checkbox checked disabled> a<li><p><label><input type=checkbox> b</label></ul>',
    '- [x] a\n\n- [ ] b',
  ],
  ['checkboxes of forms are dropped', '<p><input type=checkbox> a <input type=text value=b>', 'a'],
  ['horizontal rules between blocks', '<p>a<hr><p>b<ul><li><hr></ul>', 'a\n\n---\n\nb\n\n- ***'],
  [
    'white space at the ends of a paragraph and empty paragraphs are dropped',
    '<p>a&nbsp; <p>&nbsp;<p>&nbsp;<br>&nbsp;<p>b<br>&nbsp;<br>',
    'a\n\nb',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
