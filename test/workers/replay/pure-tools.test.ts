import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import canonicalize from 'canonicalize';
import { PURE_TOOLS } from '../../../workers/replay/pure-tools.ts';

const PAGES = new URL('../../fixtures/pages/', import.meta.url);

const FRAGMENTS = [
  '<p>We have refunded <b>80.00</b> for order A1.',
  '<h1>A</h1><ul><li>1<li>2<ol><li>x</ol></ul><pre><code class="language-js">a\n  b</code></pre>',
  '<table><tr><th>a<th>b<tr><td>1|2<td>3</table><blockquote><p>q<p>r</blockquote><hr><img src="/i.png" alt="x">',
  '* not _emphasis_ [nor](a link) 1. nor # heading &lt;b&gt; \\ `code`',
];

/**
 * What a version has come out as it comes out for good: proofs name it. Where this fails, what comes out has changed,
 * and the tool needs another version; the hash then is that version's.
 */
test('html-to-markdown@1.0.0 is what it was', (t) => {
  const tool = PURE_TOOLS.get('html-to-markdown@1.0.0');
  const pages = readdirSync(PAGES)
    .sort()
    .map((name) => readFileSync(new URL(name, PAGES), 'utf8'));
  const outputs = [...FRAGMENTS, ...pages].map((html) => tool?.run(new Map([['html', html]])));
  t.is(outputs.length, FRAGMENTS.length + pages.length);
  t.is(hash('sha256', canonicalize(outputs) ?? ''), '6e1fd32776c9b4750c9e92d1a4a28a5dad8a9c4a15ffe917899aa8c3356d73ea');
});
