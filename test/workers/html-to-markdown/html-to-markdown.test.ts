import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../workers/html-to-markdown/parse/conversion-error.ts';
import { fc } from '../../kit/fast-check.ts';

const PAGES = new URL('../../fixtures/pages/', import.meta.url);
const convert = (html: string, sourceUrl?: string) => htmlToMarkdown({ html, sourceUrl }).markdown;

const cases: readonly (readonly [string, string, string])[] = [
  ['headings and paragraphs', '<h1>A</h1><p>b<h2>C</h2>', '# A\n\nb\n\n## C\n'],
  ['emphasis', '<p><em>a</em> <strong>b</strong>', '*a* **b**\n'],
  ['lists', '<ul><li>a<li>b</ul><ol start=3><li>c</ol>', '- a\n- b\n\n3. c\n'],
  ['fenced code with its language', '<pre><code class="language-js">a &lt; b\n</code></pre>', '```js\na < b\n```\n'],
  ['block quotes', '<blockquote><p>a</p></blockquote>', '> a\n'],
  ['Markdown in text', '<p>*a* _b_ [c] `d`', '\\*a\\* \\_b\\_ \\[c\\] \\`d\\`\n'],
  ['white space', '<p>  a \n  b  </p>\n\n<p>c', 'a b\n\nc\n'],
  ['scripts, styles and hidden elements', '<script>a</script><style>b</style><div hidden>c</div><p>d', 'd\n'],
];
for (const [title, html, markdown] of cases) test(`converts ${title}`, (t) => t.is(convert(html), markdown));

test('links are resolved against the base element, then the source URL', (t) => {
  t.is(convert('<a href="b">x</a>', 'http://h.example/a/'), '[x](http://h.example/a/b)\n');
  t.is(convert('<base href="/c/"><a href="b">x</a>', 'http://h.example/a/'), '[x](http://h.example/c/b)\n');
  t.is(convert('<a href="b">x</a>'), '[x](b)\n');
  t.is(convert('<a href="http://h.example/a b(1)">x</a>'), '[x](http://h.example/a%20b%281%29)\n');
});

for (const href of [
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'JAVASCRIPT&#58;alert(1)',
  'vbscript:x',
  'data:text/html,x',
]) {
  test(`a link to ${JSON.stringify(href)} becomes text`, (t) => t.is(convert(`<p><a href="${href}">x</a>`), 'x\n'));
}

test('an image of data becomes its alternative text', (t) => {
  t.is(
    convert('<p><img alt="a" src="data:image/gif;base64,R0"> <img alt="b" src="http://h.example/b.png">'),
    'a ![b](http://h.example/b.png)\n',
  );
});

test('title, byline and excerpt come from the page', (t) => {
  const head = '<title>T | Site</title><meta name=author content="A. Writer"><meta name=description content="About T">';
  const { title, byline, excerpt } = htmlToMarkdown({ html: `${head}<h1>T</h1>` });
  t.deepEqual({ title, byline, excerpt }, { title: 'T', byline: 'A. Writer', excerpt: 'About T' });
});

test('NUL, carriage returns and lone surrogates are removed', (t) => {
  t.is(convert('<p>a\0b\r\nc&#xD800;'), 'ab c\ufffd\n');
});

test('100,001 elements are refused: DOCUMENT_TOO_COMPLEX', (t) => {
  const error = t.throws(() => convert('<b>'.repeat(100_001)), { instanceOf: ConversionError });
  t.is(error?.code, 'DOCUMENT_TOO_COMPLEX');
});

test('513 attributes are refused: DOCUMENT_TOO_COMPLEX', (t) => {
  const attributes = Array.from({ length: 513 }, (_, index) => `a${index}`).join(' ');
  t.is(t.throws(() => convert(`<p ${attributes}>`), { instanceOf: ConversionError })?.code, 'DOCUMENT_TOO_COMPLEX');
});

test('a document over 8 MiB is refused: DOCUMENT_TOO_LARGE', (t) => {
  t.is(
    t.throws(() => convert('a'.repeat(8 * 1024 * 1024 + 1)), { instanceOf: ConversionError })?.code,
    'DOCUMENT_TOO_LARGE',
  );
});

for (const tag of ['div', 'blockquote', 'ul', 'span', 'b']) {
  test(`20,000 nested <${tag}> keep their text`, (t) => {
    t.true(convert(`${`<${tag}>`.repeat(20_000)}deep`).includes('deep'));
  });
}

for (const name of readdirSync(PAGES)) {
  test(`${name} converts to the same Markdown every time`, (t) => {
    const html = readFileSync(new URL(name, PAGES), 'utf8');
    const first = htmlToMarkdown({ html });
    t.deepEqual(htmlToMarkdown({ html }), first);
    t.is(first.markdownCharacters, first.markdown.length);
    t.true(first.markdown.endsWith('\n'));
  });
}

test('no input makes it throw another error than ConversionError', (t) => {
  const piece = fc.constantFrom(
    '<p>',
    '<table>',
    '<td>',
    '</b>',
    '<b>',
    '<a href=x>',
    '<li>',
    '<pre>',
    '<svg>',
    '<template>',
    '<!--',
    '-->',
    '&amp',
    '&#0;',
    '"',
    'text ',
    '<select>',
    '<math>',
    '\n',
    '<![CDATA[',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
      const html = pieces.join('');
      const { markdown } = htmlToMarkdown({ html });
      t.true(markdown === '' || markdown.endsWith('\n'));
      t.true(markdown.isWellFormed());
    }),
    { numRuns: 300 },
  );
});
