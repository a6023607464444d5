import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { createLinkResolver } from '../../../../workers/html-to-markdown/markdown/links.ts';
import { renderMarkdown } from '../../../../workers/html-to-markdown/markdown/markdown.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { canonicalHtml } from './canonical-html.ts';

/** What GitHub Flavored Markdown adds to CommonMark: tables, strikethrough, task lists, autolinks. */
const CASES: readonly (readonly [name: string, html: string])[] = [
  ['a table', '<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>'],
  ['a table without a head', '<table><tr><td>a<td>b<tr><td>1<td>2</table>'],
  ['a table with short rows', '<table><tr><th>a<th>b<tr><td>1<td></table>'],
  ['a pipe in a cell', '<table><tr><th>a|b<th>c<tr><td>1<td>x | y</table>'],
  ['a pipe in code in a cell', '<table><tr><th>a<th>c<tr><td><code>x|y</code><td>2</table>'],
  ['emphasis in cells', '<table><tr><th><b>a</b><th>b<tr><td><i>1</i><td><a href="/x">2</a></table>'],
  ['an image in a cell', '<table><tr><th>a<th>b<tr><td><img src="/i.png" alt="i"><td>2</table>'],
  ['text after a table', '<table><tr><th>a<th>b<tr><td>1<td>2</table><p>after'],
  ['two tables', '<table><tr><th>a<th>b</table><table><tr><th>c<th>d</table>'],
  ['a table in a quote', '<blockquote><table><tr><th>a<th>b<tr><td>1<td>2</table></blockquote>'],
  ['strikethrough', '<p>a <del>b</del> c'],
  ['strikethrough of a word in a sentence', '<p>It was <s>never</s> once.'],
  ['strong within strikethrough', '<p><del>a <strong>b</strong></del>'],
  ['tildes without strikethrough', '<p>~~a~~ and ~b~'],
  ['a pipe in a paragraph', '<p>a | b<p>--- | ---'],
  ['an address as the text of its link', '<p><a href="https://example.com/a">https://example.com/a</a>'],
  ['an address of mail', '<p><a href="mailto:a@example.com">a@example.com</a>'],
  ['brackets that look like a footnote', '<p>[^1] and [x]'],
  ['what looks like a task', '<ul><li>[ ] a<li>[x] b</ul>'],
  ['a tag that is text', '<p>&lt;script&gt; and &lt;title&gt;'],
];

for (const [name, html] of CASES) {
  test(`${name} survives HTML to GitHub Flavored Markdown and back`, (t) => {
    const [body] = parseHtml(html).document.getElementsByTagName('BODY');
    if (body === undefined) return t.fail();
    const markdown = renderMarkdown(body, { resolve: createLinkResolver(null, undefined) });
    const back = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    t.is(canonicalHtml(back), canonicalHtml(html), markdown);
  });
}

test('a task list keeps its boxes', (t) => {
  const [body] = parseHtml(
    '<ul><li><input type=checkbox> a<li><input type=checkbox checked> b</ul>',
  ).document.getElementsByTagName('BODY');
  if (body === undefined) return t.fail();
  t.is(renderMarkdown(body, { resolve: createLinkResolver(null, undefined) }), '- [ ] a\n- [x] b\n');
});
