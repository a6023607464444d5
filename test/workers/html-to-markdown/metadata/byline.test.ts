import test from 'ava';
import { readMetadata } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

function bylineOf(html: string): string | null {
  return readMetadata(parseHtml(`<!doctype html><html><head></head><body>${html}`).document).byline;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const article = '<meta property="og:type" content="article">';
const thread = '<div itemscope itemtype="https://schema.org/DiscussionForumPosting">';
const rel = '<a rel="author" href="/r">Rel Author</a>';
const byClass = '<h1>Gates</h1><p class="byline">By Class Author</p>';

const BYLINES: readonly (readonly [string, string, string | null])[] = [
  [
    'JSON-LD before meta',
    meta('author', 'Meta') + ld({ '@type': 'Article', author: { name: 'Ada Lane' } }),
    'Ada Lane',
  ],
  ['meta before links', `${article}${rel}${meta('author', 'Meta Author')}`, 'Meta Author'],
  ['links before classes', `${article}${rel}<p class="byline">Class Author</p>`, 'Rel Author'],
  ['what is labelled before what is not', `${article}${rel}${byClass}`, 'Class Author'],
  [
    'several names, each once',
    ld({ '@type': 'Article', author: ['Ada Lane', { name: 'Bo Kerr' }, 'ADA LANE'] }),
    'Ada Lane, Bo Kerr',
  ],
  ['"Written by" of a preview', meta('twitter:label1', 'Written by') + meta('twitter:data1', 'Ada Lane'), 'Ada Lane'],
  ['no other label of a preview', meta('twitter:label1', 'Price') + meta('twitter:data1', 'Ada Lane'), null],
  ['no address', meta('article:author', 'https://social.example/ada') + meta('author', '@ada'), null],
  [
    'the name behind an address',
    meta('author', 'https://social.example/ada') + meta('parsely-author', 'Ada Lane'),
    'Ada Lane',
  ],
  ['no mail address', meta('author', 'ada@toll.example'), null],
  ['no account of the system', meta('author', 'admin'), null],
  ['no name of the site', meta('og:site_name', 'Toll News') + meta('author', 'Toll news'), null],
  ['no name of the site in the title', `<title>Gates | Toll News</title>${meta('author', 'Toll News')}`, null],
  [
    'a person who is the site',
    meta('og:site_name', 'Ada') + ld({ '@type': 'Article', author: { '@type': 'Person', name: 'Ada' } }),
    'Ada',
  ],
  [
    'no organisation beside a person',
    ld({ '@type': 'Article', author: [{ '@type': 'Organization', name: 'Toll Ltd' }, { name: 'Ada Lane' }] }),
    'Ada Lane',
  ],
  [
    'an organisation alone, on an article',
    ld({ '@type': 'NewsArticle', author: { '@type': 'Organization', name: 'Toll Agency' } }),
    'Toll Agency',
  ],
  ['no label', meta('author', 'By Ada Lane'), 'Ada Lane'],
  ['nothing of a hundred characters', meta('author', 'Ada and '.repeat(20)), null],
  ['no name on a page of nothing written', '<p class="byline">Ada Lane</p>', null],
  ['a labelled name on such a page', '<h1>Gates</h1><p>By <a href="/ada">Ada Lane</a></p>', 'Ada Lane'],
  ['no word that only begins so', '<h1>Gates</h1><p>By the river stands an old gate.</p>', null],
  ['no sentence', `${article}<p class="author">About the author and his many books about gates</p>`, null],
  [
    'a name without date and role',
    `${article}<h1>G</h1><p>Written by Ada Lane, Senior Editor | May 2, 2020</p>`,
    'Ada Lane',
  ],
  [
    'names joined in the text',
    `${article}<h1>G</h1><p>By <a>Ada Lane</a>, <a>Bo Kerr</a> and <a>Cy Moor</a></p>`,
    'Ada Lane, Bo Kerr and Cy Moor',
  ],
  ['the text after a label', `${article}<h1>G</h1><div><p>Written by</p><p>Ada Lane</p></div><p>Next</p>`, 'Ada Lane'],
  [
    'nobody of a list',
    `${article}${['A', 'B', 'C', 'D'].map((name) => `<a rel="author">${name}da Lane</a>`).join('')}`,
    null,
  ],
  ['nobody who reviewed a product', `${ld({ '@type': 'Product', name: 'Gate' })}<p class="author">Ada Lane</p>`, null],
  [
    'nobody on the first page of a site',
    `<link rel="canonical" href="https://toll.example/">${meta('author', 'Ada Lane')}`,
    null,
  ],
  ['nobody of what a page collects', ld({ '@type': 'CollectionPage', author: 'Ada Lane' }), null],
  [
    'who began a thread',
    `${thread}<span itemprop="author"><a>toll_fan7</a> 12 posts</span><span itemprop="author">b</span>`,
    'toll_fan7',
  ],
  [
    'the name of an item',
    `${thread}<span itemprop="author" itemscope>T <b itemprop="name">toll_fan7</b></span>`,
    'toll_fan7',
  ],
  [
    'who began a thread by class',
    '<link rel="canonical" href="https://toll.example/threads/12"><i class="username">me</i><h1>G</h1><a class="username">toll_fan7</a>',
    'toll_fan7',
  ],
  [
    'who began a thread by attribute',
    '<link rel="canonical" href="https://toll.example/topic/12-g"><h1>G</h1><article data-author="toll_fan7">',
    'toll_fan7',
  ],
];

for (const [what, html, byline] of BYLINES) test(`taken: ${what}`, (t) => t.is(bylineOf(html), byline));

test('a byline has at most 1,000 code units', (t) => {
  const author = Array.from({ length: 20 }, (_, index) => `${'Name '.repeat(18)}${index}`);
  t.true((bylineOf(ld({ '@type': 'Article', author }))?.length ?? 0) <= 1000);
});

test('input that is made to be slow is read quickly', (t) => {
  const long = (piece: string) => piece.repeat(200_000 / piece.length);
  for (const piece of ['_', 'user_', ' ', '1.', 'by ', 'a@', '-', 'author ']) {
    const html = `${article}<h1>G</h1><p class="author ${long(piece)}" itemprop="author">${long(piece)}</p>${meta('author', long(piece))}`;
    t.notThrows(() => bylineOf(html));
  }
});
