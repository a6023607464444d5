import test from 'ava';
import { counterOfNotes } from '../../../../workers/html-to-markdown/page/notes.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf } from './pages.ts';

const count = (html: string) => counterOfNotes(Survey.of(bodyOf(html)))(0);

test('a note links back to its call, as by Word, Pandoc and MediaWiki', (t) => {
  t.is(count('<a name=r1 href=#f1>[1]</a><a name=f1 href=#r1>[1]</a>'), 1);
  t.is(count('<a id=r1 href=#f1>1</a><ol><li id=f1>x <a href=#r1>↩</a></ol>'), 1);
  t.is(count('<sup id=r1><a href=#f1>[1]</a></sup><li id=f1><a href=#r1>^</a></li>'), 1);
});

test('other links are no notes', (t) => {
  t.is(count('<h2 id=a><a href=#a>#</a></h2><a href=#a>One</a>'), 0, 'a contents list below');
  t.is(count('<a id=a href=#b>1</a><a href=#a>back to the call</a>'), 0, 'a long link');
  t.is(count('<a href=#b>1</a><a id=b href=#a>1</a>'), 0, 'a call without a name');
});

test('notes are counted by element', (t) => {
  const survey = Survey.of(bodyOf('<p><a id=r href=#f>1</a></p><div><a id=f href=#r>1</a></div>'));
  const notesIn = counterOfNotes(survey);
  const names = survey.elements.map(({ nodeName }) => nodeName);
  t.is(notesIn(names.indexOf('P')), 0);
  t.is(notesIn(names.indexOf('DIV')), 1);
});
