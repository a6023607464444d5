import test from 'ava';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

function titleOf(html: string): string | null {
  return readAbout(parseHtml(html).document).metadata.title;
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
  ['a heading in a button', '<h1><span>1.</span> <button>How are tolls paid?</button></h1>', '1. How are tolls paid?'],
  [
    'references that are the subject',
    '<title>The &amp;nbsp; in HTML</title><h1>The &amp;nbsp; in HTML</h1>',
    'The &nbsp; in HTML',
  ],
  ['references in the only title', '<title>When is &amp;amp; needed?</title>', 'When is &amp; needed?'],
  [
    'references that the page also has as characters',
    '<title>Gates &amp;amp; roads – Toll</title><meta property="og:title" content="Gates &amp; roads – Toll">',
    'Gates & roads',
  ],
  [
    'a headline with references as it is in another place',
    `<title>The &amp;lt; sign</title>${ld({ '@type': 'Article', headline: 'The &lt; sign' })}`,
    'The &lt; sign',
  ],
  [
    'a heading that repeats the title with its separator',
    '<title>Gates – a very long story of gates</title><h1>Gates – a very long story of gates</h1>',
    'Gates – a very long story of gates',
  ],
  [
    'a heading with a bar that repeats the title',
    '<title>Gates | Roads</title><h1>Gates | Roads</h1>',
    'Gates | Roads',
  ],
  [
    'a heading that repeats the title, but not with the site',
    `${site}<title>Gates – Toll News</title><h1>Gates – Toll News</h1><h1>Gates</h1>`,
    'Gates',
  ],
  [
    'a title for links with its own dash',
    '<title>Gates - a long story - Toll</title><meta property="og:title" content="Gates - a long story">',
    'Gates - a long story',
  ],
  ['the first part, although the site has the longer name', '<title>Gates - The Toll Company</title>', 'Gates'],
  [
    'a title whose last part is no name',
    '<title>Gates – a very long story about how they were made</title>',
    'Gates – a very long story about how they were made',
  ],
  ['the first of several parts', '<title>Gates · Toll Roads of the North · The Toll Company</title>', 'Gates'],
  [
    'the second part after the host of the site',
    '<link rel=canonical href=https://www.toll-news.example/a><title>Toll News - Gates</title>',
    'Gates',
  ],
  ['the whole of two things', '<title>Gates &amp; Roads</title><h1>Gates</h1>', 'Gates & Roads'],
  ['the whole of two things in other languages', '<title>Tor und Weg | Maut</title><h1>Weg</h1>', 'Tor und Weg'],
  [
    'a heading that is the first of three things',
    '<title>Gates, roads and all the tolls of the north</title><h1>Gates</h1>',
    'Gates, roads and all the tolls of the north',
  ],
  [
    'the title if the heading is a small part of it',
    '<title>How to choose between PayGate and TollGo</title><h1>TollGo</h1>',
    'How to choose between PayGate and TollGo',
  ],
  [
    'the heading without details of the title',
    '<title>Wooden gates in Oslo</title><h1>Wooden gates</h1>',
    'Wooden gates',
  ],
  [
    'the page’s own heading after that of the site',
    '<title>Opening gates — Toll 5.0 documentation</title><h1><a href=/>Toll 5.0 documentation</a></h1><h1>Opening gates<a href=#g>¶</a></h1>',
    'Opening gates',
  ],
  [
    'the page’s own heading with other words than the title',
    '<title>Opening gates — Toll 5.0 documentation</title><h1>Toll 5.0 documentation</h1><h1>Opening wooden gates</h1>',
    'Opening wooden gates',
  ],
  [
    'the page’s own heading after that of a site that comes first',
    '<title>Toll Guide » Gates</title><h1>Toll Guide</h1><h1>Gates</h1>',
    'Gates',
  ],
  [
    'the first heading before one of a part',
    '<title>Gates | Road Reference</title><h1>Gates</h1><h1>Reference</h1>',
    'Gates',
  ],
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
