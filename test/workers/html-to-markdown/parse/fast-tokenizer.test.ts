import test from 'ava';
import { mutate } from '../../../../scripts/lab/inputs/mutate.ts';
import { loadPages } from '../../../../scripts/lab/inputs/pages.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { ourTree, stockTree } from './trees.ts';

const PIECES = [
  ...['<', '>', '/', '</', '<!--', '-->', '--!>', '<!', '<!doctype html>', '<!DOCTYPE', '<?', '<![CDATA[', ']]>', '-'],
  ...['&', '&amp;', '&amp', '&notit;', '&#65;', '&#x1F600;', '&#0;', '&#xD800;', '&#', ';', '"', "'", '=', '`'],
  ...[' ', '\t', '\n', '\r', '\r\n', '\f', '\0', 'a', 'B', 'É', '😀', '\ud83d', '\ude00', '\u00a0', 'text and more'],
  ...['a=1 ', 'A="x y"', "b='&lt;'", 'c=x/y', 'd', 'class=é"', 'e=&amp;f ', '<p>', '</p>', '<b>', '</b>', '<a href=x>'],
  ...['<DIV>', '</Div>', '<x-y>', '<table>', '<tr>', '<td>', '</table>', '<col>', '<caption>', '<select>', '<option>'],
  ...['<script>', '</script>', '<script type="application/ld+json">', '<style>', '</style>', '<title>', '</title>'],
  ...['<textarea>', '</textarea>', '<xmp>', '<plaintext>', '<noscript>', '<iframe>', '<template>', '</template>'],
  ...['<svg>', '<math>', '<mi>', '<foreignObject>', '<desc>', '</svg>', '<frameset>', '<frame>', '</frameset>'],
  ...[
    '<noframes>',
    '<html a=1>',
    '<head>',
    '</head>',
    '<body b=2>',
    '</body>',
    '</html>',
    '<pre>',
    '<listing>',
    '<br>',
  ],
];

test('any markup becomes the same tree as with stock parse5', (t) => {
  const source = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string()), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(source, (pieces) => ourTree(pieces.join('')) === stockTree(pieces.join(''))),
    { numRuns: runs(3000) },
  );
  t.pass();
});

for (const opening of ['<!doctype html><frameset>', '<table>', '<svg>', '<script>', '<p a="', '<!--', '<title>']) {
  test(`markup after ${opening} becomes the same tree as with stock parse5`, (t) => {
    const source = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 });
    fc.assert(
      fc.property(source, (pieces) => {
        const html = opening + pieces.join('');
        return ourTree(html) === stockTree(html);
      }),
      { numRuns: runs(500) },
    );
    t.pass();
  });
}

test('whole and mutated pages become the same trees as with stock parse5', (t) => {
  const pages = loadPages();
  for (const page of pages) t.is(ourTree(page), stockTree(page));
  for (let seed = 1; seed <= 400; seed += 1) {
    const html = mutate(pages, seed);
    // Beyond a depth of 512, our tree differs.
    if (!/(?:<[^>]*>[^<]*){500}/.test(html)) t.is(ourTree(html), stockTree(html), `seed ${seed}`);
  }
});

test('a source without an html, head or body tag is a fragment', (t) => {
  for (const html of ['<p>x', 'x', '', '<!-- <body> -->', '<p title="<html>">', '<textarea><body>', '<header>x']) {
    t.true(parseHtml(html).isFragment, html);
  }
  for (const html of ['<html><p>x', '<HEAD><p>', 'x<body>', '</body>', '<!doctype html><html lang=en>']) {
    t.false(parseHtml(html).isFragment, html);
  }
});
