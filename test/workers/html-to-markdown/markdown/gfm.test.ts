import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { createLinkResolver } from '../../../../workers/html-to-markdown/markdown/links.ts';
import { renderMarkdown } from '../../../../workers/html-to-markdown/markdown/markdown.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { canonicalHtml } from './canonical-html.ts';
import { GFM_CASES } from './gfm-cases.ts';

for (const [name, html] of GFM_CASES) {
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
