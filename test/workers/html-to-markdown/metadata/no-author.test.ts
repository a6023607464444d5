import test from 'ava';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

function bylineOf(html: string): string | null {
  return readAbout(parseHtml(`<!doctype html><html><head></head><body>${html}`).document).metadata.byline;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const canonical = (address: string) => `<link rel="canonical" href="${address}">`;
const person = (name: string) => ld({ '@type': 'Article', author: { '@type': 'Person', name } });
const article = '<meta property="og:type" content="article"><h1>Gates</h1>';
const onToll = canonical('https://www.toll-news.example/gates');

for (const word of ['Sign In', 'Log in', 'Name', 'Your Name', 'Author Name', 'Category', 'Home', 'View profile']) {
  test(`the control "${word}" is no author`, (t) => {
    t.is(bylineOf(`${article}<p class="author">${word}</p>`), null);
    t.is(bylineOf(`${meta('author', word)}`), null);
    t.is(bylineOf(person(word)), null);
  });
}

for (const account of ['admin', 'Admin2', 'wpadmin', 'site-admin', 'toll_admin', 'Toll Admin', 'Administrator']) {
  test(`the account "${account}" is no author`, (t) => {
    t.is(bylineOf(meta('author', account)), null);
    t.is(bylineOf(person(account)), null);
    t.is(bylineOf(`${canonical('https://toll.example/threads/12')}<h1>G</h1><a class="username">${account}</a>`), null);
  });
}

const SITES: readonly (readonly [what: string, html: string])[] = [
  ['the host as one word', onToll + meta('author', 'TollNews')],
  ['the host with its last label', onToll + meta('author', 'toll-news.example')],
  ['an address', meta('author', 'Toll.com')],
  ['the host before a state', onToll + person('TollNews.com Published')],
  ['a team of the site', onToll + meta('author', 'Toll News Team')],
  ['an official account, given as a person', onToll + person('Toll News Official')],
  ['the name of the site in a mark', `${meta('og:site_name', 'Toll News')}${article}<p class="byline">Toll News</p>`],
  [
    'the theme of the page',
    `<link rel="stylesheet" href="/content/themes/grand-gate/style.css">${article}<p class="author">Grand Gate</p>`,
  ],
  ['the generator of the page', `${meta('generator', 'Gatepress')}${article}<p class="author">Gatepress</p>`],
  ['who made the theme', `${article}<p>Text.</p><footer><span>Theme</span> by <a>Bo Kerr</a></footer>`],
  ['who took a picture', `${article}<p><b>Photo:</b> <i>by Bo Kerr</i></p>`],
  ['the author of another page, below its linked heading', '<h1>G</h1><h2><a href="/x">Toll</a></h2><p>By Bo Kerr'],
  ['the same, with the heading in the link', `${article}<a href="/x"><h3>Toll</h3></a><p class="author">Bo Kerr`],
  [
    'one of several on a page that is no article',
    '<h1>G</h1><p>By Bo Kerr<h2><a href="/x">Toll</a></h2><p>By Ada Lane',
  ],
  ['a mark far below the title', `${article}${'<p>Text.'.repeat(40)}<p class="author">Bo Kerr`],
  ['a user of a page that is no article', meta('dcterms.creator', 'bokerr')],
  ['those who left a template', meta('author', 'Bo Kerr, Cy Moor, and Gatestrap contributors')],
];

for (const [what, html] of SITES) test(`no author: ${what}`, (t) => t.is(bylineOf(html), null));

test('a person whose site has the own name is an author', (t) => {
  t.is(bylineOf(canonical('https://adalane.example/gates') + meta('author', 'Ada Lane')), 'Ada Lane');
});

const posts = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `<div itemscope itemtype="https://schema.org/DiscussionForumPosting"><h2>${index}</h2><a itemprop="author">ada${index}</a></div>`,
  ).join('');
const users = '<h1>Gates</h1><a class="username">toll_fan7</a>';

test('the first poster of a list of threads is no author', (t) => {
  t.is(bylineOf(posts(3)), null);
  t.is(
    bylineOf(ld([1, 2, 3].map((n) => ({ '@type': 'DiscussionForumPosting', headline: `${n}`, author: 'Ada' })))),
    null,
  );
  for (const path of ['/forums/general.12/', '/forumdisplay.php?f=12', '/viewforum.php?f=2', '/questions/tagged/a1']) {
    t.is(bylineOf(canonical(`https://toll.example${path}`) + users), null, path);
  }
});

test('the opener of a thread is its author', (t) => {
  t.is(bylineOf(posts(1)), 'ada0');
  for (const path of ['/threads/gates.12/', '/forums/topic/12-gates', '/viewtopic.php?t=12', '/t/gates/12']) {
    t.is(bylineOf(canonical(`https://toll.example${path}`) + users), 'toll_fan7', path);
  }
});

test('a user on a page that is no thread is no author', (t) => {
  t.is(bylineOf(users), null);
  t.is(bylineOf(`${article}<a class="username">toll_fan7</a>`), null);
});

test('the opener of a thread that scripts show is read from its microdata', (t) => {
  t.is(bylineOf(`<noscript>${posts(1)}<p class="author">By Bo Kerr</p></noscript>`), 'ada0');
});

test('questions with answers do not make an article a list of threads', (t) => {
  const questions = '<div itemscope itemtype="https://schema.org/Question"><h2>When?</h2></div>'.repeat(4);
  t.is(bylineOf(ld({ '@type': 'Article', author: { name: 'Ada Lane' } }) + questions), 'Ada Lane');
});
