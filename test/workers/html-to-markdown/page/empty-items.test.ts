import test from 'ava';
import { dropEmptyItems } from '../../../../workers/html-to-markdown/page/empty-items.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf } from './pages.ts';

/** The ids of the elements that remain. @param dropped indexes of elements that were dropped before */
function left(html: string, dropped: readonly number[] = []): readonly string[] {
  const survey = Survey.of(bodyOf(html));
  for (const index of dropped) survey.drop(index);
  dropEmptyItems(survey, 0);
  return survey.elements.flatMap((node, index) => (survey.dropped[index] === 0 ? (node.getAttribute('id') ?? []) : []));
}

test('a list item without text is dropped', (t) => {
  t.deepEqual(left('<ul><li id=a>x<li id=b><li id=c> \n <b id=d></b><li id=e><a>y</a></ul>'), ['a', 'e']);
});

test('a list item whose text was dropped before is dropped', (t) => {
  t.deepEqual(left('<ul><li id=a>x</li><li id=b><b>y</b></li></ul>', [4]), ['a']);
});

test('a list item with only empty items is dropped', (t) => {
  t.deepEqual(left('<ul><li id=a><ul><li id=b></ul><li id=c>x</ul>'), ['c']);
});

for (const media of ['<img src=a>', '<video></video>', '<audio></audio>', '<input type=checkbox>']) {
  test(`a list item with ${media} in it stays`, (t) => {
    t.deepEqual(left(`<ul><li id=a><p>${media}</p></ul>`), ['a']);
  });
}

test('media that was dropped before does not keep an item', (t) => {
  t.deepEqual(left('<ul><li id=a><p><img src=a></p></ul>', [3]), []);
});

test('other elements may be empty', (t) => {
  t.deepEqual(left('<div id=a></div><ul id=b></ul><table><td id=c></table><dl><dt id=d><dd id=e></dl>'), [...'abcde']);
});

test('an item with text and an empty item loses the empty one', (t) => {
  t.deepEqual(left('<ul><li id=a>x<ul><li id=b><li id=c>y</ul></ul>'), ['a', 'c']);
});
