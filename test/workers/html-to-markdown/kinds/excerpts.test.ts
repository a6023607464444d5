import { article, type Case, page, prose, testCases } from './kinds.ts';

const story = (lang: 'en' | 'de' | 'fr' | 'ja' = 'en') => `<main><h1>Kelm</h1>${prose(3, 0, lang)}</main>`;

const CASES: readonly Case[] = [
  [
    'the excerpt is not the German question about cookies',
    page(
      `<div id="consent" role="dialog"><p>Wir und unsere Partner verwenden Cookies, um Inhalte anzuzeigen, die zu Ihnen passen, und um die Nutzung zu messen.</p></div>${story('de')}`,
      { lang: 'de' },
    ),
    { excerptHas: 'Der Hafen von Kelm', excerptNot: 'Cookies' },
  ],
  [
    'the excerpt is not the French question about cookies',
    page(
      `<section class="gdpr-banner"><p>Nous utilisons des cookies pour mesurer la fréquentation du site et vous proposer des publicités adaptées à vos centres d’intérêt.</p></section>${story('fr')}`,
      { lang: 'fr' },
    ),
    { excerptHas: 'Le port de Kelm', excerptNot: 'cookies' },
  ],
  [
    'the excerpt is not the notice about an old browser',
    page(
      `<div class="browser-warning"><p>Your browser is out of date. Please use a newer one, so that every page of this site is shown as it was meant to be.</p></div>${story()}`,
    ),
    { excerptHas: 'The harbor of Kelm', excerptNot: 'browser' },
  ],
  [
    'the excerpt is not the announcement above the menu',
    page(
      `<header><div class="announcement"><p>The summer sale has begun: all charts and tide tables cost half as much until the last day of August this year.</p></div><nav><a href="/">Start</a></nav></header>${story()}`,
    ),
    { excerptHas: 'The harbor of Kelm', excerptNot: 'sale' },
  ],
  [
    'the excerpt is the first paragraph of an article with a sidebar before it',
    page(
      `<aside class="sidebar"><p>About this site: three keepers of the light write here about ships, ropes and weather, and they answer letters on Sundays.</p></aside><article><h1>Kelm</h1>${prose(3)}</article>`,
      { head: '<meta property="og:type" content="article">' },
    ),
    { excerptHas: 'The harbor of Kelm', excerptNot: 'About this site' },
  ],
  [
    'the excerpt of a Japanese page is its first paragraph',
    page(
      `<div class="cookie-notice"><p>当サイトでは、利用状況を調べ、より良い広告をお見せするためにクッキーを使用しています。続けると同意したことになります。</p></div>${story('ja')}`,
      { lang: 'ja' },
    ),
    { excerptHas: 'ケルムの港', excerptNot: 'クッキー' },
  ],
  [
    'the excerpt of an article about cookies may name them',
    article(
      `<p>Cookies are small files that a site leaves behind, and the law on them has changed three times in ten years.</p>${prose(3)}`,
      { title: 'Cookies' },
    ),
    { excerptHas: 'Cookies are small files' },
  ],
  [
    'a description of the page is its excerpt',
    page(story(), { head: '<meta name="description" content="All that a pilot needs to know about Kelm.">' }),
    { excerptHas: 'All that a pilot needs to know' },
  ],
];

testCases(CASES);
