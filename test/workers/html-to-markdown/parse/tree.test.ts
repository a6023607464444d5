import test from 'ava';
import { ELEMENT, FRAGMENT, nextOutside, TEXT, TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

function element(name: string, ...children: TreeNode[]): TreeNode {
  const node = new TreeNode(ELEMENT, name);
  for (const child of children) node.appendChild(child);
  return node;
}

const text = (data: string) => new TreeNode(TEXT, '#text', data);

/** The names of the children, read forwards, after the same was read backwards. */
function namesIn(parent: TreeNode): string {
  const backwards: string[] = [];
  for (let child = parent.lastChild; child !== null; child = child.previousSibling) {
    if (child.parentNode === parent) backwards.unshift(child.tagName);
  }
  const names = parent.childNodes.map((node) => node.tagName).join(' ');
  return names === backwards.join(' ') ? names : `${names} but ${backwards.join(' ')}`;
}

test('node names are in upper case, and tag names as written', (t) => {
  for (const name of ['p', 'x-y', 'p']) {
    t.is(element(name).nodeName, name.toUpperCase());
    t.is(element(name).tagName, name);
  }
});

test('appendChild puts a node last', (t) => {
  t.is(namesIn(element('p', element('a'), element('b'), element('c'))), 'a b c');
});

test('insertBefore puts a node first, in between, or last', (t) => {
  const [a, c] = [element('a'), element('c')];
  const parent = element('p', c);
  parent.insertBefore(a, c);
  parent.insertBefore(element('b'), c);
  parent.insertBefore(element('d'), null);
  t.is(namesIn(parent), 'a b c d');
});

test('removeChild removes the first, the last, one in between, and the only child', (t) => {
  const [a, b, c, d] = [element('a'), element('b'), element('c'), element('d')];
  const parent = element('p', a, b, c, d);
  const left: string[] = [];
  for (const node of [a, c, d, b]) {
    parent.removeChild(node);
    left.push(namesIn(parent));
    t.deepEqual([node.parentNode, node.previousSibling, node.nextSibling], [null, null, null]);
  }
  t.deepEqual(left, ['b c d', 'b d', 'b', '']);
  t.deepEqual([parent.firstChild, parent.lastChild], [null, null]);
});

test('only elements are children, and the last one is found', (t) => {
  const b = element('b');
  const parent = element('p', text('x'), element('a'), b, text('y'));
  t.deepEqual(
    parent.children.map((node) => node.tagName),
    ['a', 'b'],
  );
  t.is(parent.lastElementChild, b);
  t.is(element('p', text('x')).lastElementChild, null);
});

test('an attribute has its value, also an empty one, and a missing one is null', (t) => {
  const node = new TreeNode(ELEMENT, 'p', '', [
    { name: 'a', value: '1' },
    { name: 'b', value: '' },
  ]);
  t.deepEqual([node.getAttribute('a'), node.getAttribute('b'), node.getAttribute('c')], ['1', '', null]);
});

test('the value of a text is its data, and that of an element is null', (t) => {
  t.is(text('x').nodeValue, 'x');
  t.is(element('p', text('x')).nodeValue, null);
});

test('textContent is all text below, in order', (t) => {
  const tree = element('p', text('a'), element('b', text('b'), element('i', text('c'))), element('br'), text('d'));
  t.is(tree.textContent, 'abcd');
  t.is(tree.textContent, 'abcd');
  t.is(element('p').textContent, '');
});

test('descendants come in document order, without nodes outside', (t) => {
  const inner = element('div', element('a', element('b')), element('c'));
  const root = element('body', inner, element('d'));
  const names = (node: TreeNode) => [...node.descendants()].map(({ tagName }) => tagName).join(' ');
  t.is(names(inner), 'a b c');
  t.is(names(root), 'div a b c d');
  t.is(names(element('p')), '');
});

test('getElementsByTagName finds the first', (t) => {
  const first = element('b');
  const root = new TreeNode(FRAGMENT, '#document');
  root.appendChild(element('p', first, element('b')));
  t.deepEqual(root.getElementsByTagName('B'), [first]);
  t.deepEqual(root.getElementsByTagName('I'), []);
});

test('nextOutside skips the content of a node, and ends at the root', (t) => {
  const a = element('a', element('b', element('c')));
  const d = element('d');
  const root = element('p', element('div', a), d);
  t.is(nextOutside(a, root), d);
  t.is(nextOutside(d, root), null);
  t.is(nextOutside(root, root), null);
});

test('a node is its own copy', (t) => {
  const node = element('p');
  t.is(node.cloneNode(), node);
});
