import test from 'ava';
import { NAME } from '../../../../workers/html-to-markdown/page/names.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose, surveyOf } from './pages.ts';

const namesIn = ({ elements }: Survey) => elements.map(({ nodeName }) => nodeName);

function counts(html: string, of: 'text' | 'content' | 'prose' | 'before' | 'proseBefore'): readonly number[] {
  return surveyOf(html)[of];
}

test('elements are listed in document order, the root first', (t) => {
  t.deepEqual(namesIn(surveyOf('<ul><li><b>a</b><li>b</ul><p>c')), ['BODY', 'UL', 'LI', 'B', 'LI', 'P']);
});

test('each element has its parent and the end of its content', (t) => {
  const { parents, ends } = surveyOf('<ul><li><b>a</b><li>b</ul><p>c');
  t.deepEqual(parents, [-1, 0, 1, 2, 1, 0]);
  t.deepEqual(ends, [6, 5, 4, 4, 5, 6]);
});

test('an empty root has no content', (t) => {
  const survey = surveyOf('');
  t.deepEqual(namesIn(survey), ['BODY']);
  t.deepEqual(survey.ends, [1]);
  t.deepEqual(survey.text, [0]);
});

test('text is counted in UTF-16 code units, for all elements around it', (t) => {
  t.deepEqual(counts('<div>ab<p>c<b>😀</b></p></div>d', 'text'), [6, 5, 3, 2]);
});

test('white space around a text does not count', (t) => {
  t.deepEqual(counts(' \n<p>\u00a0 a  b \n</p>\t', 'text'), [4, 4]);
});

test('comments do not count', (t) => {
  t.deepEqual(counts('<p>a<!-- bcd --></p>', 'text'), [1, 1]);
});

test('the text before an element is counted', (t) => {
  t.deepEqual(counts('ab<p>c<b>d</b></p><i>e</i>', 'before'), [0, 2, 3, 4]);
});

test('links are not content', (t) => {
  t.deepEqual(counts('<p>ab<a>cd<b>e</b></a>f</p>', 'content'), [3, 3, 0, 0]);
});

test('a heading is content, also in a link or around one', (t) => {
  t.deepEqual(counts('<h2><a>ab</a></h2>', 'content'), [2, 2, 2]);
  t.deepEqual(counts('<a><h2>ab</h2></a>', 'content'), [2, 2, 2]);
});

test('links after a heading are not content', (t) => {
  t.deepEqual(counts('<h2>a</h2><a>bc</a>', 'content'), [1, 1, 0]);
});

test('a link around a block is a card, and all its text is content', (t) => {
  t.deepEqual(counts('<a><div>ab<b>c</b></div>d</a>', 'content'), [4, 4, 3, 1]);
});

test('the link after a card is not a card', (t) => {
  t.deepEqual(counts('<a><div>ab</div></a><a>cd</a>', 'content'), [2, 2, 2, 0]);
});

test('prose is a run of 100 characters or more', (t) => {
  t.deepEqual(counts(`<p>${prose('A', 99)}</p>`, 'prose'), [0, 0]);
  t.deepEqual(counts(`<p>${prose('A', 100)}</p>`, 'prose'), [100, 100]);
});

test('several short runs are not prose', (t) => {
  t.deepEqual(counts(`<p>${prose('A', 60)}<br>${prose('B', 60)}</p>`, 'prose'), [0, 0, 0]);
});

test('long links and cards are not prose', (t) => {
  t.is(counts(`<a>${prose('A', 200)}</a>`, 'prose')[0], 0);
  t.is(counts(`<a><p>${prose('A', 200)}</p></a>`, 'prose')[0], 0);
});

test('the prose before an element is counted, without links', (t) => {
  const [a, b] = [prose('A', 100), prose('B', 150)];
  t.deepEqual(counts(`${a}<a>${b}</a>short<p>${b}</p><i></i>`, 'proseBefore'), [0, 100, 100, 250]);
});

test('each element has the names that its tag and classes give it', (t) => {
  t.deepEqual(surveyOf('<nav></nav><div class=sidebar><p></div>').names, [0, NAME.frame, NAME.weakFrame, 0]);
});

test('a dropped element no longer counts for the elements around it, and keeps its own counts', (t) => {
  const survey = surveyOf(`<div>a<p>${prose('A', 100)}<b>bc</b></p></div>d`);
  survey.drop(2);
  t.deepEqual(survey.text, [2, 1, 102, 2]);
  t.deepEqual(survey.content, [2, 1, 102, 2]);
  t.deepEqual(survey.prose, [0, 0, 100, 0]);
});

test('the content of a dropped element is dropped, and nothing else', (t) => {
  const survey = surveyOf('<div><p>a<b>b</b></p><i>c</i></div>');
  survey.drop(2);
  t.deepEqual(survey.dropped, [0, 0, 1, 1, 0]);
});

test('dropping does not change the tree', (t) => {
  const body = bodyOf('<p>a<p>b');
  Survey.of(body).drop(1);
  t.is(body.textContent, 'ab');
});

test('deep and wide trees are surveyed', (t) => {
  const deep = surveyOf(`${'<div>'.repeat(400)}a`);
  t.is(deep.elements.length, 401);
  t.true(deep.text.every((characters) => characters === 1));
  t.is(surveyOf('<br>a'.repeat(5000)).text[0], 5000);
});
