import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { readPage } from '../../../../workers/html-to-markdown/page/page.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { prose } from './pages.ts';

const convert = (body: string) => htmlToMarkdown({ html: `<body>${body}</body>` }).markdown;
const ARTICLE = prose('Article', 600);
const ABOUT = { kind: 'other', metadata: { title: null, byline: null, description: null }, host: null } as const;

test('a page with text never becomes empty, whatever the classes of its parts', (t) => {
  const tag = fc.constantFrom(...'div nav aside footer header main article p li form h2 table'.split(' '));
  const name = fc.constantFrom('', 'sidebar', 'comments', 'related', 'nav', 'tabs', 'cookie-banner', 'reviews');
  const text = fc.constantFrom('x', 'Related posts', 'Comments', '<a href=a>link</a>', prose('A', 45), prose('B', 300));
  const { part } = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 4 },
      text,
      fc
        .tuple(tag, name, fc.array(tie('part'), { minLength: 1, maxLength: 4 }))
        .map(([of, called, parts]) => `<${of} class="${called}">${parts.join('')}</${of}>`),
    ),
  }));
  fc.assert(
    fc.property(part, (body) => convert(body) !== ''),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('a page whose text is all in its frame keeps the frame', (t) => {
  t.is(convert('<nav>Roads</nav><footer>Imprint</footer>'), 'Roads\n\nImprint\n');
  t.is(convert('<main></main><div class=cookies>Roads</div>'), 'Roads\n');
  t.is(convert('<h2>Related</h2><ul><li><a href=a>Roads</a></ul>'), '## Related\n\n- [Roads](a)\n');
});

test('a page without text becomes empty', (t) => {
  t.is(convert(''), '');
  t.is(convert('<main><p hidden>x</p></main>'), '');
});

test('an article is written without its frame, its asides and its repeats', (t) => {
  const frame = '<nav>Roads</nav><div class=siteBanner>Offers</div>';
  const aside = '<section><h3>Related posts</h3><ul><li><a href=a>Bridges</a></ul></section>';
  const repeat = `<div class=narrow><p>${ARTICLE}</p></div>`;
  t.is(
    convert(`${frame}<main><h1>Tolls</h1><p>${ARTICLE}</p>${repeat}${aside}</main><aside>Ads</aside>`),
    `# Tolls\n\n${ARTICLE}\n`,
  );
});

test('comments are written for a forum, and not for an article', (t) => {
  const comments = `<div class=comments><div class=comment>${prose('Comment', 150)}</div><div class=comment>${prose('Comment', 151)}</div></div>`;
  t.true(convert(`<p>Short question?</p>${comments}`).includes('Comment'));
  t.false(convert(`<p>${ARTICLE}</p>${comments}`).includes('Comment'));
});

test('all tab panels of a page are written', (t) => {
  const panel = (name: string, attributes: string) =>
    `<div role=tabpanel ${attributes}><p>${prose(name, 150)}</p></div>`;
  const markdown = convert(
    `<main>${panel('First', '')}${panel('Second', 'hidden')}${panel('Third', 'style=display:none')}</main>`,
  );
  for (const name of ['First', 'Second', 'Third']) t.true(markdown.includes(name), name);
});

test('a fragment is read whole, and of a page its main content', (t) => {
  const html = `<nav>Roads</nav><main><p>${ARTICLE}</p></main>`;
  const dropped: string[] = [];
  t.is(readPage(parseHtml(html), ABOUT).nodeName, 'BODY');
  const root = readPage(parseHtml(`<body>${html}`), ABOUT, ({ name }, { roots }) => dropped.push(`${name} ${roots}`));
  t.is(root.nodeName, 'MAIN');
  t.deepEqual(dropped, ['frame 1']);
});

test('a frameset has no body and nothing to read', (t) => {
  const markdown = htmlToMarkdown({ html: '<html><frameset><frame src=a></frameset></html>' }).markdown;
  t.is(markdown, '');
});
