import test from 'ava';
import { ELEMENT, TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';
import { declarationsOf } from '../../../../workers/html-to-markdown/style/declarations.ts';

function read(style: string): Record<string, string> {
  return Object.fromEntries(declarationsOf(new TreeNode(ELEMENT, 'p', '', [{ name: 'style', value: style }])));
}

test('names and values are in lower case and trimmed', (t) => {
  t.deepEqual(read(' Font-Weight : BOLD ;color:Red'), { 'font-weight': 'bold', color: 'red' });
});

test('a node without a style has no declarations', (t) => {
  t.is(declarationsOf(new TreeNode(ELEMENT, 'p')).size, 0);
  t.deepEqual(read(''), {});
  t.deepEqual(read(' ; nothing; 1:2'), {});
});

test('the last declaration of a property counts, and an important one before others', (t) => {
  t.deepEqual(read('color:red;color:blue'), { color: 'blue' });
  t.deepEqual(read('color:red ! important;color:blue'), { color: 'red' });
  t.deepEqual(read('color:red!important;color:blue !IMPORTANT'), { color: 'blue' });
});

test('semicolons in strings, brackets and comments end no declaration', (t) => {
  t.deepEqual(read('background:url(data:a;b);color:red'), { background: 'url(data:a;b)', color: 'red' });
  t.deepEqual(read(`font:7pt "A;B:c";content:'\\;)';top:0`), { font: '7pt "a;b:c"', content: "'\\;)'", top: '0' });
  t.deepEqual(read('color:/* a;b */red;/* top:1 */left:2'), { color: 'red', left: '2' });
});

test('a long style is read in part, and broken ones end', (t) => {
  t.is(read(`color:red;${'('.repeat(1_000_000)};top:0`)['color'], 'red');
  t.is(read(`color:red;${'/*'.repeat(1_000_000)}`)['color'], 'red');
  t.is(read('color:red;content:"')['color'], 'red');
});
