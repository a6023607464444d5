import test from 'ava';
import { readMetadata } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

function titleOf(html: string): string | null {
  return readMetadata(parseHtml(html).document).title;
}

const site = '<meta property="og:site_name" content="Toll News">';
const home = '<link rel="canonical" href="https://toll.example/">';
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

const TITLES: readonly (readonly [string, string, string])[] = [
  [
    'the heading that is part of the title',
    '<title>Old gates | Toll News</title><h1>Toll News</h1><h1>Old gates</h1>',
    'Old gates',
  ],
  [
    'the heading that equals the title, before one that is part of it',
    '<title>Gates and Roads</title><h1>Roads</h1><h1>Gates and roads</h1>',
    'Gates and roads',
  ],
  [
    'the longer of two headings that are part of the title',
    '<title>Toll: the old gates - Toll</title><h1>Toll</h1><h1>The old gates</h1>',
    'The old gates',
  ],
  [
    'a heading with the same words in another form',
    '<title>Old gates for sale | Shop</title><h1>Buy old gates</h1>',
    'Buy old gates',
  ],
  ['the only heading of a page without a title', '<h1>Gates</h1><p>Text', 'Gates'],
  [
    'the title if the heading has another subject',
    '<title>Old gates | Toll</title><h1>Subscribe now!</h1>',
    'Old gates',
  ],
  [
    'the heading of a page that has the name of its site',
    `${site}<title>Toll News</title><h1>Old gates</h1>`,
    'Old gates',
  ],
  ['og:title before the title', `<title>x</title><meta property="og:title" content="Old gates">`, 'Old gates'],
  [
    'og:title without the name of the site',
    `${site}<meta property="og:title" content="Old gates - Toll News">`,
    'Old gates',
  ],
  [
    'og:title without a site name before it',
    `${site}<meta property="og:title" content="Toll News: a | Gates"><title>Toll News » Gates</title>`,
    'Toll News: a',
  ],
  ['the title without the name of the site before it', `${site}<title>Toll News — Old gates</title>`, 'Old gates'],
  [
    'the longest part of the title',
    '<title>Old gates and their keepers · Toll · News</title>',
    'Old gates and their keepers',
  ],
  ['a title with hyphens and colons within', '<title>Toll-free: a how-to</title>', 'Toll-free: a how-to'],
  ['the name of the site, not "Home"', `${home}${site}<title>Home - Toll News</title>`, 'Toll News'],
  [
    'the headline of JSON-LD if there is no other title',
    ld({ '@type': 'NewsArticle', headline: 'Old &amp; new gates' }),
    'Old & new gates',
  ],
  ['a heading without the link to itself', '<title>Gates — Docs</title><h1>Gates<a href="#gates">#</a></h1>', 'Gates'],
  ['a heading that ends with a number sign', '<title>Gates in C#</title><h1>Gates in C#</h1>', 'Gates in C#'],
  ['a heading without its button', '<title>Gates</title><h1>Gates<button>Copy</button></h1>', 'Gates'],
  ['a heading of several lines', '<title>Old gates</title><h1><span>Old</span><br>gates</h1>', 'Old gates'],
  [
    'the title without labels that its heading has',
    '<title>A long story about gates - Toll</title><h1>A long story about gates 139</h1>',
    'A long story about gates',
  ],
  ['entities that were escaped twice', '<title>Gates &amp;amp; roads</title>', 'Gates & roads'],
];

for (const [what, html, title] of TITLES) {
  test(`title: ${what}`, (t) => t.is(titleOf(`<!doctype html><html><head></head><body>${html}`), title));
}

test('titles in an SVG, a script or a template are ignored', (t) => {
  const html = '<body><svg><title>Icon</title></svg><template><h1>T</h1></template><noscript><h1>N</h1></noscript>';
  t.is(titleOf(html), null);
});

test('a page without text has no title', (t) => {
  t.is(titleOf(''), null);
  t.is(titleOf('<title> </title><h1>&nbsp;</h1><meta property="og:title" content="">'), null);
});

test('a title has at most 1,000 code units', (t) => {
  t.is(titleOf(`<title>${'x'.repeat(5000)}</title>`)?.length, 1000);
  const title = titleOf(`<h1>${'gate '.repeat(5000)}</h1>`);
  t.true(title !== null && title.length <= 1000);
  t.is(titleOf(`<title>${'|'.repeat(5000)}</title>`)?.length, 1000);
});
