import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { prose } from './pages.ts';

const read = (html: string) => htmlToMarkdown({ html }).markdown;

for (const html of [
  '<style>b</style>',
  '<template><p>b</template>',
  '<iframe>b</iframe>',
  '<svg><title>b</title><text>b</text></svg>',
  '<canvas>b</canvas>',
  '<select><option>b</select>',
  '<button>b</button>',
  '<textarea>b</textarea>',
  '<script>b</script>',
  '<script type="application/ld+json">{"b": "b"}</script>',
  '<script type="text/template"><p>b</script>',
]) {
  test(`${html} is not written`, (t) => {
    t.is(read(`<p>a</p>${html}<p>c</p>`), 'a\n\nc\n');
  });
}

for (const attribute of [
  'hidden',
  'style="display:none"',
  'style="color: red; DISPLAY : None !important"',
  'style="color:red;display:none"',
  'style="visibility:\nhidden"',
]) {
  test(`an element with ${attribute} and its content are not written`, (t) => {
    t.is(read(`<p>a</p><div ${attribute}><p>b<div style="display: block">b</div></div><p>c</p>`), 'a\n\nc\n');
    t.is(read(`<p>a <b ${attribute}>b</b>c</p>`), 'a c\n');
  });
}

for (const attribute of [
  'style="display:block"',
  'style="visibility:visible"',
  'style="-x-display:none"',
  'style="overflow:hidden"',
  'class=hidden',
  'aria-hidden=true',
  'style',
]) {
  test(`an element with ${attribute} is written`, (t) => {
    t.is(read(`<p>a</p><div ${attribute}>b</div>`), 'a\n\nb\n');
  });
}

for (const opened of [
  'div role=tabpanel hidden',
  'div class=tab-panel style="display:none"',
  'div class=accordionBody style="display:none"',
  'div id=faq_answer hidden',
  'div class="js-collapse" style="visibility:hidden"',
]) {
  test(`a part that can be opened is written: <${opened}>`, (t) => {
    t.is(read(`<p>a</p><${opened}>b</div>`), 'a\n\nb\n');
  });
}

test('hidden content of a part that can be opened is not written', (t) => {
  t.is(read('<div class=tabs hidden>a<p hidden>b</p></div>'), 'a\n');
});

test('closed details are written', (t) => {
  const markdown = read('<details><summary>a</summary><p>b</details>');
  t.true(markdown.includes('a') && markdown.includes('b'));
});

for (const type of ['math/tex', 'MATH/TeX; mode=display']) {
  test(`the formula of a script of type "${type}" is kept`, (t) => {
    t.true(read(`<p>a <script type="${type}">x^2</script> b`).includes('x^2'));
  });
}

test('a tracking pixel is not written, but a picture with the same address is', (t) => {
  t.is(read('<p>a <img alt=x src=http://h.example/p.png width=1 height=1> b'), 'a b\n');
  t.is(read('<p>a <img alt=x src=http://h.example/p.png> b'), 'a ![x](http://h.example/p.png) b\n');
});

test('a late image is written with its real address', (t) => {
  t.is(read('<p><img alt=x src=data:, data-src=http://h.example/p.png>'), '![x](http://h.example/p.png)\n');
});

test('a late image and its noscript copy are written once', (t) => {
  const twin = '<img alt=x><noscript><img alt=x src=http://h.example/p.png></noscript>';
  t.is(read(`<p>${prose('A', 250)}</p><p>${twin}`).match(/p\.png/g)?.length, 1);
});

test('a noscript part is written if the rest of the page has fewer than 200 characters', (t) => {
  const page = (characters: number) => `<p>${prose('A', characters)}</p><noscript><p>b</p></noscript>`;
  t.true(read(page(199)).endsWith('\n\nb\n'));
  t.false(read(page(200)).includes('b\n'));
});

test('the text of noscript parts does not count as text of the page', (t) => {
  const part = `<noscript><p>${prose('A', 300)}</p></noscript>`;
  t.is(read(`<p>b</p>${part}`), `b\n\n${prose('A', 300)}\n`);
});

test('neither white space nor hidden text counts as text of the page', (t) => {
  const markdown = read(`<p hidden>${prose('A', 300)}</p><p>${' \n'.repeat(300)}</p><noscript>b</noscript>`);
  t.is(markdown, 'b\n');
});

test('either all noscript parts are written or none', (t) => {
  const parts = '<div><noscript><p>b</p></noscript></div><p>c</p><noscript><p>d</p></noscript>';
  t.is(read(parts), 'b\n\nc\n\nd\n');
  t.is(read(`${parts}<p>${prose('A', 200)}`), `c\n\n${prose('A', 200)}\n`);
});

test('hidden content of a fragment or of the main content is not written', (t) => {
  const html = '<p>a</p><p hidden>b</p>';
  t.is(htmlToMarkdown({ html }).markdown, 'a\n');
  t.is(htmlToMarkdown({ html: `<body>${html}` }).markdown, 'a\n');
});

test('a noscript part that is never closed does not remove the page', (t) => {
  const text = prose('A', 150);
  const html = `<body><p>${text}</p><p>${prose('B', 150)}</p><noscript><div>No scripts.</noscript>${`<p>${text} end</p>`.repeat(9)}`;
  t.true(read(html).includes('end'));
});

test('a MathML formula in a script is not written', (t) => {
  t.is(read('<p>a</p><script type="math/mml"><math><mi>x</mi></math></script>'), 'a\n');
  t.is(read('<p>a <script type=" math/tex">x^2</script></p>'), 'a $x^2$\n');
});

test('a page that a script shows is read, although all of it is hidden', (t) => {
  const page = (shown: number, hidden: number) =>
    read(`<body><p>${prose('Shown', shown)}</p><div style="visibility:hidden"><p>${prose('Hidden', hidden)}</p></div>`);
  t.true(page(199, 2001).includes('Hidden'));
  t.false(page(200, 2001).includes('Hidden'));
  t.false(page(199, 2000).includes('Hidden'));
});

test('a link that leads nowhere and is called a button is not written, unless it is in a line of text', (t) => {
  const page = (link: string) => htmlToMarkdown({ html: `<p>a</p><div>${link}</div>` }).markdown;
  for (const href of ['', 'href="#"', 'href="javascript:void(0)"'])
    t.is(page(`<a role=button ${href}>b</a>`), 'a\n', href);
  t.is(page('<a role=button href=c>b</a>'), 'a\n\n[b](c)\n');
  t.is(page('size <a role=button href="#">b</a>'), 'a\n\nsize [b](#)\n');
});

test('links to the editor of a page are not written', (t) => {
  const page = (link: string) => htmlToMarkdown({ html: `<h2>a ${link}</h2>` }).markdown;
  for (const link of [
    '<span class="mw-editsection">[<a href=x>edit</a>]</span>',
    '<a class=edit-page-link href=x>edit</a>',
    '<a href="/w?title=a&amp;action=edit&amp;section=1">bearbeiten</a>',
    '<a href="https://github.com/toll/docs/edit/main/a.md">Edit</a>',
  ]) {
    t.is(page(link), '## a\n', link);
  }
  t.is(page('<a href="/docs/edit/a">edit</a>'), '## a [edit](/docs/edit/a)\n');
});
