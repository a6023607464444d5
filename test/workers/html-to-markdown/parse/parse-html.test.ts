import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { ConversionError } from '../../../../workers/html-to-markdown/parse/conversion-error.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import type { TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';
import { ourTree } from './trees.ts';

function elementsOf(html: string, name: string): TreeNode[] {
  return [...parseHtml(html).document.descendants()].filter((node) => node.nodeName === name);
}

function codeOf(html: string): string | null {
  try {
    parseHtml(html);
    return null;
  } catch (error) {
    if (error instanceof ConversionError) return error.code;
    throw error;
  }
}

function depthsOf(root: TreeNode): number[] {
  const depths = new Map([[root, 0]]);
  for (const node of root.descendants()) {
    if (node.parentNode !== null) depths.set(node, defined(depths.get(node.parentNode)) + 1);
  }
  return [...depths.values()];
}

const attributes = (count: number, prefix = 'a') =>
  Array.from({ length: count }, (_, at) => ` ${prefix}${at}`).join('');

for (const html of [
  '<p>x',
  'x',
  '',
  '<!-- <body> -->',
  '<p title="<body>">',
  '&lt;html>',
  '<textarea><head>',
  '<script><body></script>',
]) {
  test(`${html || 'nothing'} is a fragment`, (t) => {
    t.true(parseHtml(html).isFragment);
  });
}

for (const html of ['<html>', '<p>x</body>', '<BODY class=a>', '<head/>', '<title>x</title></HEAD >']) {
  test(`${html} is a page`, (t) => {
    t.false(parseHtml(html).isFragment);
  });
}

test('each kind of line end becomes a line feed', (t) => {
  const tree = ourTree('<p title="a\nb\nc">d\ne\nf\n\ng<pre>\nh');
  t.is(ourTree('<p title="a\r\nb\rc">d\r\ne\rf\n\rg<pre>\r\nh'), tree);
  t.false(tree.includes('\r'));
});

test('a carriage return by reference stays', (t) => {
  t.is(parseHtml('a&#13;b').document.textContent, 'a\rb');
});

test('an element may have 512 attributes, and no more', (t) => {
  t.is(elementsOf(`<p${attributes(512)}>`, 'P')[0]?.attributes.length, 512);
  t.is(codeOf(`<p${attributes(513)}>`), 'DOCUMENT_TOO_COMPLEX');
  t.is(codeOf(`<p${attributes(513, 'É')}>`), 'DOCUMENT_TOO_COMPLEX');
  t.is(codeOf(`x</p${attributes(600)}>`), 'DOCUMENT_TOO_COMPLEX');
});

for (const name of ['html', 'body']) {
  test(`${name} may have 512 attributes from several tags, and no more`, (t) => {
    const tags = `<${name}${attributes(512)}>${`<${name}${attributes(400)}>`.repeat(3)}`;
    t.is(elementsOf(tags, name.toUpperCase())[0]?.attributes.length, 512);
    t.is(codeOf(`${tags}<${name} b>`), 'DOCUMENT_TOO_COMPLEX');
  });
}

test('the first value of an attribute in several body tags counts', (t) => {
  const [body] = elementsOf('<body a=1><body a=2 b=3><body b=4 c=5>', 'BODY');
  t.deepEqual(
    body?.attributes.map(({ name, value }) => name + value),
    ['a1', 'b3', 'c5'],
  );
});

test('a document may have 100,000 elements, and no more', (t) => {
  // The parser adds html, head and body.
  t.is(codeOf('<br>'.repeat(99_997)), null);
  t.is(codeOf('<br>'.repeat(99_998)), 'DOCUMENT_TOO_COMPLEX');
});

test('elements of unclosed formatting, repeated in every paragraph, count too', (t) => {
  const fonts = Array.from({ length: 1500 }, (_, at) => `<font a${at}>`).join('');
  t.is(codeOf(`<p>${fonts}${'<p>x'.repeat(2000)}`), 'DOCUMENT_TOO_COMPLEX');
});

const NESTINGS = {
  'of one kind': '<div>',
  'of two kinds': '<ul><li>',
  'of spans': '<span>',
  'of tables': '<table><td>',
  'of forms closed too early': '<form><div></form>',
  misnested: '<b><div></b>',
  'with text before': 'x<div>y<i>',
} as const;

for (const [kind, opening] of Object.entries(NESTINGS)) {
  test(`no node is deeper than 512 in 2,000 nested elements ${kind}, and their text is kept in order`, (t) => {
    const words = Array.from({ length: 2000 }, (_, at) => `w${at} `);
    const { document } = parseHtml(words.map((word) => opening + word).join(''));
    t.true(Math.max(...depthsOf(document)) <= 512);
    const text: string[] = [];
    for (const node of document.descendants()) if (node.nodeType === 3) text.push(node.data);
    t.deepEqual(text.join('').match(/w\d+ /g), words);
  });
}

test('nodes that are less deep stay in place', (t) => {
  const { document } = parseHtml('<div>'.repeat(509));
  t.is(Math.max(...depthsOf(document)), 511);
});

test('the text of scripts and styles is kept for data and formulas only', (t) => {
  const kept = ['application/ld+json', ' APPLICATION/LD+JSON; charset=utf-8', 'math/tex', 'math/mml'];
  const dropped = ['', 'module', 'text/javascript', 'application/json', 'text/math', 'text/template'];
  for (const type of kept) t.is(elementsOf(`<script type="${type}">x</script>`, 'SCRIPT')[0]?.textContent, 'x', type);
  for (const type of dropped) t.is(elementsOf(`<script type="${type}">x</script>`, 'SCRIPT')[0]?.textContent, '', type);
  t.is(elementsOf('<script>x</script>', 'SCRIPT')[0]?.textContent, '');
  t.is(elementsOf('<style>x</style>', 'STYLE')[0]?.textContent, '');
});

test('the first base element with an address gives the base', (t) => {
  t.is(parseHtml('<base href=/a><base href=/b>').base, '/a');
  t.is(parseHtml('<base target=x><base href=/b><base href=/c>').base, '/b');
  t.is(parseHtml('<base href><base href=/b>').base, '');
  t.is(parseHtml('<base target=x>').base, null);
  t.is(parseHtml('<p>x').base, null);
});
