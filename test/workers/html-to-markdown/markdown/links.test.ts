import test from 'ava';
import { createLinkResolver } from '../../../../workers/html-to-markdown/markdown/links.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';

const piece = fc.constantFrom(
  ...['http:', 'https:', 'HTTP:', '//', '/', '.', '..', 'a', 'B', 'b.example', 'xn--', '0x7f.1', '1', ':80', '@', '?'],
  ...['#', '%', '%2e', '%2E', '&', '=', '-', '_', '~', '|', "'", ';', 'é', '^', '{', '\\'],
);
const address = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));

/** The address as `URL` resolves it. The generated addresses have no parentheses and no white space. */
function resolveByUrl(text: string, base: string): string | null {
  if (text.startsWith('#')) return text.replaceAll('\\', '%5C');
  const url = URL.parse(text, base);
  if (url === null) return /^[a-z][a-z0-9+.-]*:/i.test(text) ? null : text.replaceAll('\\', '%5C');
  return url.protocol.startsWith('http') ? url.href.replaceAll('\\', '%5C') : null;
}

for (const base of ['https://h.example/a/b?c', 'http://u:p@h.example:81/']) {
  test(`addresses are resolved against ${base} as by URL`, (t) => {
    const resolve = createLinkResolver(null, base);
    fc.assert(
      fc.property(address, (text) => {
        t.is(resolve(text), resolveByUrl(text, base), text);
      }),
      { numRuns: runs(5000) },
    );
  });
}

test('plain hosts and paths stay unchanged, as with URL', (t) => {
  const character = fc.constantFrom(...'abz019-_.~!$&*+,;=:@%/');
  const path = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
  const resolve = createLinkResolver(null, 'https://h.example/a/b');
  fc.assert(
    fc.property(path, path, path, (host, start, rest) => {
      for (const text of [`https://${host}.example/${start}?${rest}`, `/${start}#${rest}`, `https://a-b.c/${start}`]) {
        t.is(resolve(text), resolveByUrl(text, 'https://h.example/a/b'), text);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('an address resolves to the same result the second time', (t) => {
  const resolve = createLinkResolver('c/', 'https://h.example/a/b');
  t.is(resolve('d e'), 'https://h.example/a/c/d%20e');
  t.is(resolve('d e'), 'https://h.example/a/c/d%20e');
});

for (const text of ['javascript:alert(1)', 'java\nscript:alert(1)', ' \u0001JavaScript:x', 'vbscript:x', 'data:,x']) {
  test(`${JSON.stringify(text)} is not an address to follow`, (t) => {
    t.is(createLinkResolver(null, undefined)(text), null);
    t.is(createLinkResolver(null, 'https://h.example/')(text), null);
    t.is(createLinkResolver('javascript:x', undefined)(text), null);
  });
}

test('relative addresses stay unchanged if the page has no address', (t) => {
  const resolve = createLinkResolver(null, undefined);
  t.deepEqual(['a/b', '/c', '#d', 'mailto:a@b.example', 'tel:+1'].map(resolve), [
    'a/b',
    '/c',
    '#d',
    'mailto:a@b.example',
    'tel:+1',
  ]);
});
