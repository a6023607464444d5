import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';

const convert = (html: string) => htmlToMarkdown({ html }).markdown;
const shadow = (tree: string, children = '', mode = 'open') =>
  `<toll-card><template shadowrootmode="${mode}">${tree}</template>${children}</toll-card>`;

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['the tree of an open root is shown', shadow('<p>a</p>'), 'a\n'],
  ['the tree of a closed root is shown', shadow('<p>a</p>', '', 'CLOSED'), 'a\n'],
  ['a template without a mode is not shown', '<toll-card><template><p>a</p></template></toll-card>', ''],
  ['children are in the slot', shadow('<p>a</p><slot></slot><p>c</p>', '<p>b</p>'), 'a\n\nb\n\nc\n'],
  ['children without a slot are not shown', shadow('<p>a</p>', '<p>b</p>'), 'a\n'],
  [
    'children are in the slots of their names',
    shadow('<slot name=x></slot><slot></slot>', '<p>b</p><p slot=x>a</p><p slot=y>c</p>'),
    'a\n\nb\n',
  ],
  ['an empty slot shows its own content', shadow('<slot>a</slot>', ' '), 'a\n'],
  ['a filled slot does not show its own content', shadow('<slot>a</slot>', '<p>b</p>'), 'b\n'],
  ['only the first slot of a name is filled', shadow('<slot>a</slot><slot>b</slot>', '<i>c</i>'), '*c*b\n'],
  ['a tree may be in a tree', shadow(`<p>a</p>${shadow('<p>b</p><slot></slot>', '<p>c</p>')}`), 'a\n\nb\n\nc\n'],
  [
    'a tree is shown instead of children before it',
    `<toll-card><p>b</p><template shadowrootmode=open>a</template></toll-card>`,
    'a\n',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(convert(html), markdown));

test('trees in trees are placed up to a bound', (t) => {
  const html = Array.from({ length: 300 }, (_, at) => at).reduce(
    (inside, at) => shadow(`<p>${at}</p>${inside}`),
    'last',
  );
  t.true(convert(html).startsWith('299\n\n298\n\n'));
});
