import test from 'ava';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { findTextBody } from '../../../../workers/html-to-markdown/page/text-body.ts';
import { bodyOf, prose } from './pages.ts';

const part = (characters: number, attributes = '') => `<div ${attributes}><p>${prose('Part', characters)}</p></div>`;
const BODY = part(1200, 'id=text class=text');

/** The id of the element with the body of a text. '' for the whole. */
function found(html: string): string {
  const survey = Survey.of(bodyOf(html));
  return survey.elements[findTextBody(survey, 0, () => 0)]?.getAttribute('id') ?? '';
}

test('sections after the body of a text are left out', (t) => {
  t.is(found(`${BODY}${part(800)}`), 'text');
  t.is(found(`<section>${BODY}${part(400)}</section>${part(400)}`), 'text');
});

test('a part with too little of the prose is not the body', (t) => {
  t.is(found(`${BODY}${part(801)}`), '');
});

test('a part with too little of the text is not the body', (t) => {
  const cells = (characters: number) => `<table><tr><td>${'cell '.repeat(characters / 5)}`;
  t.is(found(`${BODY}<div>${'<b>cell</b>'.repeat(300)}</div>`), 'text');
  t.is(found(`${BODY}<div>${'<b>cell</b>'.repeat(301)}</div>`), '');
  t.is(found(`${BODY}<div>${cells(50)}</table></div>`), 'text');
});

test('a lead is part of the text', (t) => {
  t.is(found(`<p>${prose('Lead', 100)}</p>${part(3233, 'id=text')}`), '');
  t.is(found(`<p>${prose('Lead', 100)}</p>${part(3234, 'id=text')}`), 'text');
});

test('a text continues in elements of the same class', (t) => {
  t.is(found(`${BODY}${part(300, 'class=text')}`), '');
  t.is(found(`${part(1200, 'id=text')}${part(300)}`), 'text');
});

test('a text continues with answers to expected questions', (t) => {
  const answers = (...titles: string[]) => `<div>${titles.map((title) => title + part(200)).join('')}</div>`;
  t.is(found(`${BODY}${answers('<h3>Who pays?</h3>', '<h3>Who opens? </h3>')}`), '');
  t.is(found(`${BODY}${answers('<dl><dt>Πόσο;</dt>', '<summary>誰が払いますか？</summary>')}`), '');
  t.is(found(`${BODY}${answers('<h3>Who pays?</h3>', '<h3>Keepers</h3>')}`), 'text');
  const long = `<h3>${prose('Who', 300)}?</h3>`;
  t.is(found(`${BODY}<div>${long}${long}</div>`), 'text');
  t.is(found(`${BODY}<div class=faq-list>${part(300)}</div>`), '');
});
