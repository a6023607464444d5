import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { defined } from '../../../../workers/exact/defined.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { toMarkdown } from './to-markdown.ts';

const INLINE = ['em', 'strong', 'del', 'span', 'a href="/x"', 'b', 'i', 'mark', 'u'];
const BLOCKS = [
  'p',
  'div',
  'ul',
  'ol',
  'li',
  'blockquote',
  'h2',
  'pre',
  'table',
  'tr',
  'td',
  'th',
  'dl',
  'dt',
  'dd',
  'details',
  'summary',
  'code',
  'sup',
  'sub',
  'section',
  'figure',
];

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab 1.-*_`[]()<>&!~#+=|\\:"\' é\u00a0。\n'), maxLength: 8 }),
  fc.constantFrom('a', ' b ', '&amp;', '<b>', '**', '__x__', '1. ', 'http://x.example', '![', '](', '[^1]', '$'),
);
const treeOf = (names: readonly string[], depth: number): fc.Arbitrary<string> =>
  fc.letrec<{ node: string; nodes: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: depth, withCrossShrink: true },
      word.map(escapeHtml),
      fc.constantFrom('<br>', '<img src=i.png alt="[a">', '<hr>', '<code>`x` |</code>'),
      fc
        .tuple(fc.constantFrom(...names), tie('nodes'))
        .map(([name, inner]) => `<${name}>${inner}</${name.split(' ')[0]}>`),
    ),
    nodes: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  })).nodes;

/** The visible text of HTML, without white space. */
function visibleText(html: string): string {
  const [body] = parseHtml(html).document.getElementsByTagName('BODY');
  return defined(body).textContent.replace(/\s+/g, '');
}

/** Every run tries the same inputs. `npm run fuzz` tries other inputs. */
const SEED = 20_261_121;

test('the text of inline elements survives Markdown and back', (t) => {
  fc.assert(
    fc.property(treeOf(INLINE, 5), (inner) => {
      const source = `<p>${inner.replaceAll('<hr>', '')}</p>`;
      const markdown = toMarkdown(source);
      // CommonMark has no strikethrough, so its delimiters become text.
      const withoutTildes = (text: string) => text.replaceAll('~', '');
      t.is(withoutTildes(visibleText(micromark(markdown))), withoutTildes(visibleText(source)), markdown);
    }),
    { numRuns: runs(600), seed: SEED },
  );
});

test('no line ends in a space, only code has two empty lines in a row, and no HTML is written', (t) => {
  fc.assert(
    fc.property(treeOf([...BLOCKS, ...INLINE], 6), (source) => {
      const markdown = toMarkdown(
        source.replace(/<(\/?)(?:pre|code)>/g, '<$1div>').replaceAll('<code>`x` |</code>', ''),
      );
      t.notRegex(markdown, /[ \t]$/m);
      t.notRegex(markdown, /\n\n\n/);
      t.notRegex(micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }), /<!--/);
      t.is(micromark(markdown), micromark(markdown, { allowDangerousHtml: true }));
    }),
    { numRuns: runs(600), seed: SEED },
  );
});

test('the output of any elements is well-formed', (t) => {
  fc.assert(
    fc.property(treeOf([...BLOCKS, ...INLINE], 8), fc.string({ unit: 'binary', maxLength: 10 }), (source, text) => {
      const markdown = toMarkdown(`${source}${escapeHtml(text)}\ud800<p>${text}`);
      t.true(markdown.isWellFormed());
      t.false(markdown.includes('\0'));
      t.false(markdown.includes('\r'));
      t.is(markdown, toMarkdown(`${source}${escapeHtml(text)}\ud800<p>${text}`));
    }),
    { numRuns: runs(500), seed: SEED },
  );
});

test('no link or image leads to a disguised script or to data', (t) => {
  const disguised = fc
    .tuple(
      fc.constantFrom('javascript:', 'vbscript:', 'data:text/html,'),
      fc.array(
        fc.tuple(
          fc.nat(20),
          fc.constantFrom('\t', '\n', '\r', '&Tab;', '&NewLine;', '&#9;', '&#x0a;', '\u0001', '&#1;', ' '),
        ),
        { maxLength: 4 },
      ),
      fc.array(fc.nat(20), { maxLength: 5 }),
      fc.array(fc.nat(20), { maxLength: 3 }),
    )
    .map(([scheme, insertions, capitals, references]) => {
      const characters = [...scheme].map((character, at) => {
        const cased = capitals.includes(at) ? character.toUpperCase() : character;
        return references.includes(at) ? `&#${cased.charCodeAt(0)};` : cased;
      });
      for (const [at, insertion] of insertions) characters.splice(at % (characters.length + 1), 0, insertion);
      return `${characters.join('')}alert(1)`;
    });
  fc.assert(
    fc.property(disguised, (address) => {
      const markdown = toMarkdown(
        `<a href="${address}">x</a> <img src="${address}" alt=y> <video controls src="${address}"></video> <a href=/z title="](${address})">z</a>`,
      );
      const [body] = parseHtml(micromark(markdown, { allowDangerousProtocol: true })).document.getElementsByTagName(
        'BODY',
      );
      for (const node of defined(body).descendants()) {
        if (node.nodeType !== 1) continue;
        const target = node.getAttribute('href') ?? node.getAttribute('src') ?? '';
        const protocol = URL.parse(target, 'https://base.invalid/')?.protocol ?? '';
        t.false(['javascript:', 'vbscript:', 'data:'].includes(protocol), `${address} became ${target}`);
      }
    }),
    { numRuns: runs(1500), seed: SEED },
  );
});
