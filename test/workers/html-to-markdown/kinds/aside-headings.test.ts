import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const STORY = `<article><h1>Harbor handbook</h1>${prose(4)}</article>`;
const HEAD = '<meta property="og:type" content="article">';

const CONTENT: readonly Case[] = [
  [
    'a section about subscribing to a channel stays with its code',
    guide('<h2>Subscribe to a channel</h2><p>Name it:</p><pre><code>radio.tune(16)</code></pre>'),
    { has: ['## Subscribe to a channel', 'Name it:', 'radio.tune(16)'] },
  ],
  [
    'a section about comments in a file format stays with its list',
    guide(
      '<h3>Comments in TOML</h3><ul><li>begin with a number sign</li><li>end with the line</li></ul><h3>Strings</h3><p>Use quotes.</p>',
    ),
    { has: ['### Comments in TOML', 'begin with a number sign', 'end with the line'] },
  ],
  [
    'a section about related work in a paper stays, whatever its citations',
    article(
      `${prose(2)}<h2>2 Related Work</h2><p>Tides were predicted with gears <a href="#r1">[1]</a>, tables <a href="#r2">[2]</a> and networks <a href="#r3">[3]</a>.</p><h2>3 Method</h2>${prose(2, 2)}`,
    ),
    { has: ['Related Work', 'Tides were predicted with gears'] },
  ],
  [
    'a section about sharing a folder stays with its steps',
    guide('<h2>Share this folder with a colleague</h2><ol><li>Open it.</li><li>Add the name.</li></ol>'),
    { has: ['## Share this folder with a colleague', '1. Open it.', '2. Add the name.'] },
  ],
  [
    'sections that begin with Recommended, Popular, Latest and More stay',
    guide(
      '<h2>Recommended settings</h2><pre><code>depth = 4</code></pre><h2>Popular vote</h2><p>Each islander has one.</p><h2>Latest start of a shift</h2><p>Six in the evening.</p><h2>More on locks</h2><p>A lock has two gates.</p>',
    ),
    {
      has: [
        '## Recommended settings',
        'depth = 4',
        '## Popular vote',
        'Each islander has one.',
        '## Latest start of a shift',
        'Six in the evening.',
        '## More on locks',
        'A lock has two gates.',
      ],
    },
  ],
  [
    'sections about signing up, reviews and an author field stay',
    guide(
      '<h3>Sign up for the pilot examination</h3><p>Bring the chart.</p><h3>Reviews of a change</h3><ul><li>two readers</li><li>one day</li></ul><h3>About the author field</h3><p>It holds one name.</p>',
    ),
    { has: ['Bring the chart.', '### Reviews of a change', 'two readers', '### About the author field', 'one name'] },
  ],
  [
    'a German section about similar matrices stays',
    guide('<h2>Ähnliche Matrizen</h2><p>Sie haben dieselben Eigenwerte.</p>', 'de'),
    { has: ['## Ähnliche Matrizen', 'dieselben Eigenwerte'] },
  ],
  [
    'a German section about comments in code stays in an article',
    article(
      `${prose(2, 0, 'de')}<h2>Kommentare im Quelltext</h2><pre><code>// Tiefe in Metern</code></pre><h2>Namen</h2>${prose(1, 2, 'de')}`,
      {
        lang: 'de',
        title: 'Stil',
      },
    ),
    { has: ['## Kommentare im Quelltext', '// Tiefe in Metern'] },
  ],
  [
    'a French section about sharing a printer stays',
    article(
      `${prose(2, 0, 'fr')}<h2>Partager une imprimante</h2><ul><li>Donnez-lui un nom.</li><li>Notez son adresse.</li></ul><h2>Fin</h2>${prose(1, 2, 'fr')}`,
      {
        lang: 'fr',
        title: 'Guide',
      },
    ),
    { has: ['## Partager une imprimante', 'Donnez-lui un nom.', 'Notez son adresse.'] },
  ],
  [
    'a section about comments stays in a WordPress article that has its own comments below',
    page(
      `<article><h1>Forms</h1>${prose(3)}<h2>Comments</h2><p>A remark in a template has a number sign.</p><h2>Loops</h2>${prose(1, 3)}</article><div id="comments" class="comments-area"><h2>One thought on “Forms”</h2><ol class="comment-list"><li class="comment"><p>Thanks a lot!</p></li></ol></div>`,
      { title: 'Forms', head: HEAD },
    ),
    { has: ['## Comments', 'A remark in a template'], not: ['Thanks a lot!'] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'a box to share an article is left out',
    article(
      `${prose(4)}<div><h3>Share this article</h3><ul><li><a href="https://a.example/share">Post it</a></li><li><a href="https://b.example/share">Pin it</a></li></ul></div>`,
    ),
    { has: ['faces north'], not: ['Share this article', 'Pin it'] },
  ],
  [
    'other German articles are left out',
    page(
      `<article><h1>Hafen</h1>${prose(3, 0, 'de')}</article><div><h2>Ähnliche Artikel</h2><ul><li><a href="/1">Brot auf See</a></li><li><a href="/2">Salz und Wind</a></li></ul></div>`,
      { lang: 'de', title: 'Hafen', head: HEAD },
    ),
    { has: ['nach Norden'], not: ['Ähnliche Artikel', 'Brot auf See'] },
  ],
  [
    'comments of readers under a heading are left out',
    page(
      `${STORY}<div class="comments"><h2>3 comments</h2><div class="comment"><p>I was there in 1987.</p></div><div class="comment"><p>So was I.</p></div></div>`,
      { head: HEAD },
    ),
    { has: ['faces north'], not: ['I was there in 1987.', 'So was I.'] },
  ],
];

testCases([...CONTENT, ...FRAME]);
