import test from 'ava';
import { type HtmlDocument, htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { jsonBytesOf, OutputBudget } from '../../../../workers/html-to-markdown/markdown/output-budget.ts';
import { ConversionError } from '../../../../workers/html-to-markdown/parse/conversion-error.ts';
import { fc } from '../../../kit/fast-check.ts';

const tooLarge = { instanceOf: ConversionError, code: 'DOCUMENT_TOO_LARGE' } as const;

test('counts the bytes of a text as JSON.stringify in UTF-8 writes it', (t) => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\n', '\u0001', '\u007f', 'é', '€', '😀'),
  );
  fc.assert(
    fc.property(fc.array(unit), (pieces) => {
      const text = pieces.join('').toWellFormed();
      t.is(jsonBytesOf(text), Buffer.byteLength(JSON.stringify(text)) - 2);
    }),
  );
});

for (const html of [
  `<title>T</title>${'<p>a "quoted" \\ *star* <code>x\ty</code></p>'.repeat(2000)}`,
  `<h1>東京</h1>${'<ul><li>é<li>😀</ul>'.repeat(2000)}`,
  `<pre>${'a\n'.repeat(5000)}</pre>`,
]) {
  test(`an answer of exactly the limit is complete, and one byte less is refused: ${html.slice(0, 24)}`, (t) => {
    const answer = htmlToMarkdown({ html });
    // The number of characters is only known at the end, so the longest possible number is reserved.
    const digits = String(4 * html.length + 64 * 1024).length - String(answer.markdownCharacters).length;
    const counted = { ...answer, confidence: undefined };
    const maxAnswerBytes = Buffer.byteLength(JSON.stringify(counted)) + digits;
    t.deepEqual(htmlToMarkdown({ html, maxAnswerBytes }), answer);
    t.throws(() => htmlToMarkdown({ html, maxAnswerBytes: maxAnswerBytes - 1 }), tooLarge);
  });
}

test('refuses a document whose links grow beyond the limit before it writes all of them', (t) => {
  const document: HtmlDocument = {
    html: `<p>${'<a href=a>b</a> '.repeat(30_000)}`,
    sourceUrl: `https://example.com/${'p'.repeat(2000)}/`,
  };
  t.throws(() => htmlToMarkdown(document), tooLarge);
  const budget = new OutputBudget({ maxCharacters: 100, maxJsonBytes: 100 });
  for (let n = 0; n < 12; n += 1) budget.spend('0123456789');
  t.throws(() => budget.spend('0123456789'), tooLarge);
});

test('counts escapes while it writes the output', (t) => {
  const budget = new OutputBudget({ maxCharacters: 1000, maxJsonBytes: 100 });
  budget.spend('"'.repeat(62));
  t.throws(() => budget.spend('"'), tooLarge);
});
