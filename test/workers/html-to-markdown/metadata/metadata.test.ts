import test from 'ava';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { fc } from '../../../kit/fast-check.ts';

function read(html: string) {
  return readAbout(parseHtml(html).document).metadata;
}

const LONG = 'A toll house stands at a gate of a turnpike road, and its keeper takes the toll there. ';

test('missing metadata is null', (t) => {
  for (const html of ['', '<p>Short.</p>', '<script type="application/ld+json">{</script>', '<meta name="author">']) {
    t.deepEqual(read(html), { title: null, byline: null, description: null });
  }
});

test('the description is that for searches, or else one for links', (t) => {
  const description = '<meta name="description" content=" About\n gates ">';
  const preview = '<meta property="og:description" content="Preview">';
  const card = '<meta name="twitter:description" content="Card">';
  const text = `<p>Short.</p><p>${LONG}</p>`;
  t.is(read(card + preview + description + text).description, 'About gates');
  t.is(read(card + preview + text).description, 'Preview');
  t.is(read(card + text).description, 'Card');
  t.is(read(text).description, null);
});

test('a description that was escaped twice is decoded, unless the page is about that', (t) => {
  const description = '<meta name="description" content="Tom&amp;#39;s gates &amp;hellip;">';
  t.is(read(description).description, "Tom's gates …");
  t.is(read(`<h1>What is &amp;hellip;?</h1>${description}`).description, 'Tom&#39;s gates &hellip;');
});

test('the description is cut after a word', (t) => {
  t.is(read(`<meta name="description" content="${'gate '.repeat(1000)}">`).description?.length, 1999);
});

test('reading metadata does not change the tree', (t) => {
  const { document } = parseHtml(
    '<h1>Gates</h1><script type="application/ld+json">{"@type":"Article","author":"A"}</script>',
  );
  const first = readAbout(document).metadata;
  t.deepEqual(readAbout(document).metadata, first);
  t.is(first.byline, 'A');
});

test('names of meta are read in any case, by property or name', (t) => {
  t.is(read('<meta PROPERTY="OG:Title" content="Gates">').title, 'Gates');
  t.is(read('<meta name="og:title" content="Gates">').title, 'Gates');
});

test('a page with many candidates of every kind is read in one walk', (t) => {
  const many = (html: string) => html.repeat(20_000);
  for (const html of [
    many('<h1>G</h1>'),
    many('<meta name="author" content="A">'),
    many('<p class="author">By'),
    many('<i class="username">'),
    many('<b itemprop=author>'),
    `<h1>${many('<b>')}`,
    `<p>${many('<object><p>')}`,
    many('<script type="application/ld+json">{"a":1}</script>'),
  ]) {
    t.notThrows(() => read(html));
  }
});

test('metadata of any page is bounded text on one line', (t) => {
  const piece = fc.constantFrom(
    ...[
      '<title>',
      '</title>',
      '<h1>',
      '</h1>',
      '<meta name=author content="',
      '">',
      '<p class=byline>By ',
      '</p>',
      ' | ',
    ],
    ...[
      '<script type="application/ld+json">',
      '</script>',
      '{"@type":"Article","author":',
      '"',
      '}',
      '&amp;amp;',
      '\u0000',
    ],
    ...['\ud800', 'Ada Lane', 'gate '.repeat(500), '\n', '<template>', '</template>', '<svg>'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { title, byline, description } = read(pieces.join(''));
      for (const [text, max] of [
        [title, 1000],
        [byline, 1000],
        [description, 2000],
      ] as const) {
        if (text === null) continue;
        t.true(text !== '' && text.length <= max && text.isWellFormed());
        t.notRegex(text, /\p{Cc}/u);
      }
    }),
  );
});
