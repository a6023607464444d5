import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { toMarkdown } from '../to-markdown.ts';

const CALL = '<p>a<sup id=r1><a href="#n1">1</a></sup>';
const SHAPES: readonly (readonly [what: string, html: string])[] = [
  ['a raised link and an item', `${CALL}<ol><li id=n1>Note <a href="#r1">↩</a></ol>`],
  [
    'a link around the raised number',
    '<p>a<a href="#n1" id=r1><sup>1</sup></a><ol><li id=n1><p>Note <a href="#r1">↩</a></ol>',
  ],
  ['a number in brackets', '<p>a<sup id=r1>[<a href="#n1">1</a>]</sup><ol><li id=n1><a href="#r1">^</a> Note</ol>'],
  [
    'a wiki',
    '<p>a<sup id=r1><a href="#n1"><span>[</span>1<span>]</span></a></sup><ol><li id=n1><b><a href="#r1">^</a></b> Note</ol>',
  ],
  ['anchors with names', '<p>a<a name=r1></a><a href="#n1">[1]</a><p><a name=n1></a>Note <a href="#r1">back</a>'],
  ['a paragraph', `${CALL}<p id=n1><a href="#r1">1</a> Note`],
  ['an encoded fragment', '<p>a<a id="r 1" href="#n%201">1</a><ol><li id="n 1">Note <a href="#r%201">↩</a></ol>'],
];
for (const [what, html] of SHAPES) {
  test(`${what} is a footnote`, (t) => t.is(toMarkdown(html), 'a[^1]\n\n[^1]: Note'));
}

const LINKS: readonly (readonly [what: string, html: string])[] = [
  ['a note that does not link back', `${CALL}<ol><li id=n1>Note</ol>`],
  ['a note that links elsewhere', `${CALL}<h2 id=x>x</h2><ol><li id=n1>Note <a href="#x">↩</a></ol>`],
  ['a word', '<p>a <a id=r1 href="#n1">word</a><ol><li id=n1>Note <a href="#r1">↩</a></ol>'],
  [
    'two notes of one number',
    `${CALL}<sup id=r2><a href="#n2">1</a></sup><p id=n1>a<a href="#r1">↩</a><p id=n2>b<a href="#r2">↩</a>`,
  ],
  ['a note among other items', `${CALL}<ol><li id=n1>Note <a href="#r1">↩</a><li>b</ol>`],
  ['a note in a table', `${CALL}<table><tr><th>x<th>y<tr><td>z<td><p id=n1>Note <a href="#r1">↩</a></table>`],
  ['a table of contents', '<ol><li><a href="#n1">1</a></ol><div id=n1>a</div>'],
];
for (const [what, html] of LINKS) {
  test(`${what} stays a link`, (t) => t.false(toMarkdown(html).includes('[^')));
}

test('notes of more than one paragraph, called more than once, are read as footnotes', (t) => {
  const markdown = toMarkdown(
    `${CALL} b<sup id=r2><a href="#n2">2</a></sup> c<sup id=r3><a href="#n2">2</a></sup>` +
      '<ol><li id=n1><p>One <a href="#r1">↩</a><li id=n2><p>Two<p>more <a href="#r2">1</a> <a href="#r3">2</a></ol>',
  );
  t.is(markdown, 'a[^1] b[^2] c[^2]\n\n[^1]: One\n\n[^2]: Two\n\n    more');
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  t.is(html.match(/data-footnote-ref=/g)?.length, 3);
  t.is(html.match(/<li id=/g)?.length, 2);
});
