import test from 'ava';
import { GROUPS } from '../../../gateway/pages/documents/docs-pages.ts';
import { readLibrary } from '../../../gateway/pages/documents/library.ts';
import { createSearch } from '../../../gateway/pages/documents/search.ts';
import { html } from '../../../gateway/pages/site/html.ts';
import { cell, code, headingsOf, renderMarkdown } from '../../../gateway/pages/site/render-markdown.ts';

test('inserted text is escaped, inserted HTML is not', (t) => {
  const evil = '<script>"\'&';
  const built = html`<p title="${evil}">${[evil, html`<b>${1}</b>`]}${undefined}</p>`;
  const escaped = '&lt;script&gt;&quot;&#39;&amp;';
  t.is(built.text, `<p title="${escaped}">${escaped}<b>1</b></p>`);
});

test('Markdown is rendered with ids, without HTML and without dangerous links', (t) => {
  const { text } = renderMarkdown('# A `b` & c\n\n# A `b` & c\n\n<script>x</script> [go](javascript:alert(1))\n');
  t.is(text.match(/id="[^"]*"/g)?.join(), 'id="a-b--c",id="a-b--c-1"');
  t.false(text.includes('<script'));
  t.is(renderMarkdown('[go](javascript:alert(1))').text, '<p><a href="">go</a></p>');
});

test('links lead where the site has them, and those to nowhere are text', (t) => {
  const resolve = (href: string) => (href === 'a.md' ? '/docs/a?x="1"&y' : undefined);
  const { text } = renderMarkdown('[a](a.md) and [b](../b.ts)', resolve);
  t.is(text, '<p><a href="/docs/a?x=&quot;1&quot;&amp;y">a</a> and b</p>');
});

test('a heading leads to itself, but for the title and one with a link, and is in the contents of its page', (t) => {
  const rendered = renderMarkdown('# T\n\n## A `<b>` & c\n\n### [In](/x)\n\n#### Deep\n');
  t.true(rendered.text.includes('<h1 id="t">T</h1>'));
  t.true(rendered.text.includes('<h2 id="a-b--c"><a href="#a-b--c">A <code>&lt;b&gt;</code> &amp; c</a></h2>'));
  t.true(rendered.text.includes('<h3 id="in"><a href="/x">In</a></h3>'));
  t.deepEqual(headingsOf(rendered), [
    { id: 'a-b--c', text: 'A <b> & c', isInner: false },
    { id: 'in', text: 'In', isInner: true },
  ]);
});

test('every document but the decisions is in one group', async (t) => {
  const paths = [...(await readLibrary()).documents.keys()].filter((path) => !path.startsWith('/docs/decisions/'));
  t.deepEqual(GROUPS.flatMap((group) => group.paths).toSorted(), paths.toSorted());
});

test('cells and code keep their text', (t) => {
  const { text } = renderMarkdown(`| a |\n|---|\n| ${cell('x | y\nz')} ${code('a`b')} |`);
  t.regex(text, /<td>x \| y z <code>a`b<\/code><\/td>/);
});

test('every link of the documents to another document or its heading leads somewhere', async (t) => {
  const library = await readLibrary();
  const anchors = new Map(
    [...library.documents.values()].map(({ path, markdown }) => {
      const ids = [...renderMarkdown(markdown).text.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
      return [path, new Set(ids)] as const;
    }),
  );
  for (const document of library.documents.values()) {
    for (const [, href = ''] of document.markdown.matchAll(/\]\(([^)\s]+\.md(?:#[^)\s]*)?)\)/g)) {
      if (/^https?:/.test(href)) continue;
      const [path = '', fragment] = library.resolve(document, href)?.split('#') ?? [];
      t.true(anchors.has(path), `${document.file}: ${href}`);
      if (fragment !== undefined) t.true(anchors.get(path)?.has(fragment), `${document.file}: ${href}`);
    }
  }
});

test('a search finds sections by the start of a word and with a typing error, and all words before some', (t) => {
  const find = createSearch([
    {
      path: '/docs/a',
      title: 'Alpha',
      markdown: '# Alpha\n\nIntro\n\n## Settlement of payments\n\nText\n\n```\n# no heading\n```\n',
    },
    { path: '/docs/b', title: 'Beta', markdown: '# Beta\n\npayments only' },
  ]);
  const at = { path: '/docs/a#settlement-of-payments', title: 'Alpha', heading: 'Settlement of payments' };
  t.like(find('settl'), [at]);
  t.like(find('setlement paymens'), [at]);
  t.is(find('settlement').length, 1);
  t.deepEqual(find('zzzz'), []);
  t.is(find('payments settlement').length, 1);
  t.is(find('payments zzzz').length, 2);
});
