import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const SPHINX_LINK = (id: string) => `<a class="headerlink" href="#${id}" title="Link to this heading">¶</a>`;

const CONTENT: readonly Case[] = [
  [
    'a Docusaurus heading with the id subscribe stays',
    page(
      `<div class="main-wrapper"><main><div class="container"><article><div class="theme-doc-markdown markdown"><header><h1>Events</h1></header>${prose(3)}
      <h2 class="anchor anchorWithStickyNavbar_x" id="subscribe">Subscribe<a href="#subscribe" class="hash-link" aria-label="Direct link to Subscribe"></a></h2><p>Pass a function and keep the handle.</p><h2 id="close">Close</h2>${prose(1, 3)}</div></article></div></main></div>`,
    ),
    { has: ['## Subscribe', 'Pass a function and keep the handle.'] },
  ],
  [
    'an MkDocs heading with the id cookies stays with its list',
    guide(
      '<h3 id="cookies">Cookies<a class="headerlink" href="#cookies" title="Permanent link">&para;</a></h3><ul><li><code>sid</code>: a random value</li><li><code>tz</code>: the time zone</li></ul>',
    ),
    { has: ['### Cookies', 'a random value', 'the time zone'] },
  ],
  [
    'a Sphinx section with the id footer stays with its code',
    guide(
      `<section id="footer"><h2>Footer${SPHINX_LINK('footer')}</h2><p>Write the last lines of each sheet:</p><div class="highlight-python notranslate"><div class="highlight"><pre>sheet.footer("page")</pre></div></div></section>`,
    ),
    { has: ['Footer', 'Write the last lines of each sheet:', 'sheet.footer("page")'] },
  ],
  [
    'nested Sphinx sections with the ids login and login-required stay',
    guide(
      `<section id="login"><h2>Logging a user in${SPHINX_LINK('login')}</h2><p>Call it from a view.</p><section id="login-required"><h3>The login required decorator${SPHINX_LINK('login-required')}</h3><p>It sends a stranger to the door.</p></section></section>`,
    ),
    { has: ['Logging a user in', 'Call it from a view.', 'The login required decorator', 'sends a stranger'] },
  ],
  [
    'an AsciiDoc section with the ids sharing and copyright stays',
    guide(
      '<div class="sect1"><h2 id="sharing">Sharing</h2><div class="sectionbody"><div class="paragraph"><p>Two processes may map one file.</p></div></div></div><div class="sect1"><h2 id="copyright">Copyright</h2><div class="sectionbody"><div class="paragraph"><p>Put the year in the first line.</p></div></div></div>',
    ),
    { has: ['## Sharing', 'Two processes may map one file.', '## Copyright', 'Put the year in the first line.'] },
  ],
  [
    'a javadoc method with the id share stays',
    guide(
      '<ul class="member-list"><li><section class="detail" id="share"><h3>share</h3><div class="member-signature"><span class="return-type">void</span> share(Lock lock)</div><div class="block">Lets other threads read.</div></section></li></ul>',
    ),
    { has: ['share(Lock lock)', 'Lets other threads read.'] },
  ],
  [
    'the components of a user interface with the ids tooltip, dialog, drawer and popover stay',
    guide(
      ['tooltip', 'dialog', 'drawer', 'popover']
        .map((id, at) => `<section id="${id}"><h3>The ${id}</h3><p>Its layer has the number ${at + 11}.</p></section>`)
        .join(''),
    ),
    {
      has: [
        '### The tooltip',
        'number 11.',
        '### The dialog',
        'number 12.',
        '### The drawer',
        '### The popover',
        '14.',
      ],
    },
  ],
  [
    'a part of a privacy policy with the class cookies stays',
    article(
      `${prose(3)}<div class="cookies"><h2>Which cookies we set</h2><table><tr><th>Name</th><th>Life</th></tr><tr><td>basket</td><td>one day</td></tr></table></div>${prose(1, 3)}`,
      { title: 'Privacy policy' },
    ),
    { has: ['## Which cookies we set', '| basket | one day |'] },
  ],
  [
    'terms of a glossary with the ids cookie, banner and menu stay',
    guide(
      '<dl class="glossary"><dt id="cookie">cookie</dt><dd>A value that a browser sends back.</dd><dt id="banner">banner</dt><dd>A flag of cloth.</dd><dt id="menu">menu</dt><dd>A list of dishes.</dd></dl>',
    ),
    { has: ['cookie', 'A value that a browser sends back.', 'A flag of cloth.', 'A list of dishes.'] },
  ],
  [
    'a heading with the id related-commands stays with what the commands do',
    guide(
      '<h2 id="related-commands">Related commands</h2><ul><li><a href="kelm-log.html">kelm log</a>: prints who came in.</li><li><a href="kelm-tide.html">kelm tide</a>: prints the depth.</li></ul>',
    ),
    { has: ['## Related commands', 'prints who came in', 'prints the depth'] },
  ],
  [
    'the h1 of a page with the id signup stays',
    page(
      `<main><h1 id="signup">Sign up</h1><p>A new keeper fills in one form.</p>${prose(3)}<h2 id="search">Search</h2><p>Type three letters.</p></main>`,
      {
        title: 'Sign up',
      },
    ),
    { has: ['A new keeper fills in one form.', '## Search', 'Type three letters.'] },
  ],
  [
    'short sections with the ids ads, popup and skip stay',
    guide(
      '<section id="ads"><h3>ADS</h3><p>A catalog of papers on stars.</p></section><section id="popup"><h3>popup</h3><pre><code>popup.open()</code></pre></section><section id="skip"><h3>skip</h3><p>Leaves out a test.</p></section>',
    ),
    { has: ['A catalog of papers on stars.', 'popup.open()', '### skip', 'Leaves out a test.'] },
  ],
  [
    'the comments and titles of highlighted code stay',
    guide(
      '<pre><code>open gate <span class="comment"># at six in the morning</span>\nbell <span class="title">twice</span> <span class="comment"># only in fog</span>\n</code></pre>',
    ),
    { has: ['open gate # at six in the morning\nbell twice # only in fog'] },
  ],
  [
    'words of a sentence with the classes menu, login and share stay',
    guide(
      '<p>Open <span class="menu">File</span>, choose <b class="login">Enter</b> and then <em class="share">Lend</em>.</p>',
    ),
    { has: ['Open File, choose **Enter** and then *Lend*.'] },
  ],
  [
    'a footnote of Word below the text stays',
    page(
      `<div class=WordSection1><h1>Rules</h1>${prose(3)}<p>It is long.<a href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a></p></div><div><br clear=all><hr align=left size=1 width="33%"><div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> Three hundred meters.</p></div></div>`,
      { title: 'Rules' },
    ),
    { has: ['Three hundred meters.'] },
  ],
];

const STORY = `<main><article><h1>Harbor handbook</h1>${prose(4)}</article></main>`;

const FRAME: readonly Case[] = [
  [
    'a cookie banner with the id cookies is left out',
    page(
      `<div id="cookies" role="dialog"><h2>Your privacy</h2><p>We use cookies to keep you logged in.</p><button>Accept</button><button>Reject</button></div>${STORY}`,
    ),
    { has: ['faces north'], not: ['Your privacy', 'keep you logged in', 'Accept'] },
  ],
  [
    'the login form, the menu and the copyright of a page are left out',
    page(
      `<div id="menu"><a href="/">Start</a> <a href="/map">Chart room</a></div><div id="login"><form><label>Name of user <input></label><button>Enter</button></form></div>${STORY}<div id="copyright">© 2024 Kelm Press. All rights reserved.</div>`,
    ),
    { has: ['faces north'], not: ['Chart room', 'Name of user', 'All rights reserved'] },
  ],
];

testCases([...CONTENT, ...FRAME]);
