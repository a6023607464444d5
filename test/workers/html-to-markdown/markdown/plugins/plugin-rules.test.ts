import { createRequire } from 'node:module';
import test from 'ava';
import { htmlToMarkdown } from '../../../../../workers/html-to-markdown/html-to-markdown.ts';
import {
  PluginRules,
  type TurndownPlugin,
} from '../../../../../workers/html-to-markdown/markdown/plugins/plugin-rules.ts';
import { ConversionError } from '../../../../../workers/html-to-markdown/parse/conversion-error.ts';

interface Gfm {
  readonly gfm: TurndownPlugin;
}

const { gfm }: Gfm = createRequire(import.meta.url)('turndown-plugin-gfm');
type Service = Parameters<TurndownPlugin>[0];
type Rule = Parameters<Service['addRule']>[1];
type Filter = Parameters<Service['keep']>[0];

/** Turndown's types know only the names of HTML elements. */
const named = (name: string) => name as unknown as Filter;
const rule =
  (name: string, replacement: NonNullable<Rule['replacement']>): TurndownPlugin =>
  (service) =>
    service.addRule(name, { filter: named(name), replacement });
const card = rule('x-card', (content, node) => `\n\n::: ${node.getAttribute('kind')}\n${content.trim()}\n:::\n\n`);
const mark = rule('mark', (content) => `==${content}==`);
const write = (html: string, ...plugins: readonly TurndownPlugin[]) =>
  htmlToMarkdown({ html }, new PluginRules(plugins)).markdown;

const WRITTEN: readonly (readonly [string, string, string, readonly TurndownPlugin[]])[] = [
  [
    'a table of turndown-plugin-gfm',
    '<p>a<table><thead><tr><th align=right>A</th>\n<th>B</th></thead>\n<tbody>\n<tr><td>1<td><b>y</b>\n<tr><td>2<td>3</table><p>z',
    'a\n\n| A |  B |\n| --: | --- |\n| 1 | **y** |\n| 2 | 3 |\n\nz\n',
    [gfm],
  ],
  [
    'a table that turndown-plugin-gfm keeps',
    '<table><tr><td>a<td title="&quot;">b</table>',
    '<table><tbody><tr><td>a</td><td title="&quot;">b</td></tr></tbody></table>\n',
    [gfm],
  ],
  [
    'tasks, code and struck text of turndown-plugin-gfm',
    '<ul><li><input type=checkbox checked>done<li><input type=checkbox>open</ul><div class=highlight-source-js><pre>a\n  b</pre></div><s>c <i>d</i></s> e',
    '- [x] done\n- [ ] open\n\n```js\na\n  b\n```\n\n~c *d*~ e\n',
    [gfm],
  ],
  [
    'a custom element within ours, and ours within it',
    '<ul><li>a<x-card kind=1><h2>T</h2><p>1. [a](b)<x-card kind=2>in</x-card></x-card><li>b</ul>',
    '- a\n\n  ::: 1\n  ## T\n\n  1\\. \\[a\\](b)\n\n  ::: 2\n  in\n  :::\n  :::\n\n- b\n',
    [card],
  ],
  [
    'the white space around an inline element',
    '<p>a <mark> b\n c </mark>d<mark>e</mark>.',
    'a ==b c== d==e==.\n',
    [mark],
  ],
  [
    'the items of our list, and the cells of our table',
    '<ul><li>a<li>b<p>c</ul><table><tr><th>a<th>b<tr><td>x|<td>y</table>',
    '+ a\n+ b\n\nc\n\n| a | b |\n| --- | --- |\n| x\\|! | y! |\n',
    [
      rule('li', (content, node) => `+ ${content.trim()}${node.nextSibling === null ? '' : '\n'}`),
      rule('td', (content) => `${content}!`),
    ],
  ],
  [
    'what is kept and removed, if Turndown has no rule for it',
    '<p>H<sub>2</sub>O <b>b</b><output>gone</output>',
    'H<sub>2</sub>O **b**\n',
    [(service) => void service.keep(['sub', 'b']).remove('output')],
  ],
  ['no element that is blank, as in Turndown', '<p>a<x-card kind=1> <b></b></x-card>', 'a\n', [card]],
  ['the last rule that was added', '<p><mark>a</mark>', '2\n', [rule('mark', () => '1'), rule('mark', () => '2')]],
  ['no control characters', '<p><mark>a</mark>', 'b\n', [rule('mark', () => '\x0eb\x0f\x00')]],
];

for (const [what, html, markdown, plugins] of WRITTEN) {
  test(`plugins write ${what}`, (t) => t.is(write(html, ...plugins), markdown));
}

test('a rule reads what Turndown documents of a node, and its neighbors', (t) => {
  const read: unknown[] = [];
  const reader = rule('x-read', (_, node) => {
    const { isBlock, isBlank, flankingWhitespace, isCode } = node as object as Record<string, unknown>;
    read.push(
      ...[node.nodeName, node.tagName, node.nodeType, node.id, node.className, node.textContent, node.innerHTML],
      ...[node.outerHTML, node.childNodes.length, node.children.length, node.firstChild?.nodeName],
      ...[node.lastChild?.nodeValue, node.parentNode?.nodeName, node.parentNode?.firstChild === node.previousSibling],
      ...[node.hasAttribute('ID'), node.attributes.length, node.nextSibling, node.previousSibling?.textContent],
      ...[isBlock, isBlank, isCode, flankingWhitespace],
    );
    return 'x';
  });
  write('<div><b>a</b>\n <x-read id=i class="c d"> <i>b</i>\nc </x-read> </div>', reader);
  t.deepEqual(read, [
    ...['X-READ', 'X-READ', 1, 'i', 'c d', ' b c ', ' <i>b</i>\nc '],
    ...['<x-read id="i" class="c d"> <i>b</i>\nc </x-read>', 3, 1, '#text'],
    ...[' c ', 'DIV', false, true, 2, null, ' '],
    ...[false, false, false, { leading: '', trailing: ' ' }],
  ]);
});

const FAILING: readonly (readonly [string, TurndownPlugin, RegExp])[] = [
  [
    'whose rule throws',
    rule('p', () => {
      throw new Error('no card');
    }),
    /Error: no card$/,
  ],
  [
    'whose rule throws a value without a text',
    rule('p', () => {
      throw Object.create(null);
    }),
    /without a text$/,
  ],
  [
    'whose filter throws',
    (service) =>
      void service.addRule('f', {
        filter: () => {
          throw new Error('no');
        },
      }),
    /no$/,
  ],
  [
    'whose rule returns no text',
    rule('p', (() => undefined) as object as () => string),
    /a rule for P returned no text$/,
  ],
  ['whose rule is asynchronous', rule('p', (async () => 'x') as object as () => string), /returned no text$/],
];

for (const [what, plugin, said] of FAILING) {
  test(`a plugin ${what} is PLUGIN_FAILED, and the next document is converted`, (t) => {
    const running = new Int32Array(new SharedArrayBuffer(4));
    const rules = new PluginRules([plugin]);
    rules.running = running;
    const error = t.throws(() => htmlToMarkdown({ html: '<p>a' }, rules), {
      instanceOf: ConversionError,
      message: said,
    });
    t.is(error.code, 'PLUGIN_FAILED');
    t.is(running[0], 0);
    t.is(htmlToMarkdown({ html: 'a' }, rules).markdown, 'a\n');
  });
}

test('what a plugin writes counts as output', (t) => {
  const error = t.throws(
    () =>
      write(
        '<p>a',
        rule('p', () => 'a'.repeat(100_000)),
      ),
    { instanceOf: ConversionError },
  );
  t.is(error.code, 'DOCUMENT_TOO_LARGE');
});

test('an element of a plugin may be nested to any depth', (t) => {
  t.true(
    write(
      `${'<x-card>'.repeat(20_000)}x`,
      rule('x-card', (content) => content),
    ).includes('x'),
  );
});
