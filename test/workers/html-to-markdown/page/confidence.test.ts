import test from 'ava';
import { confidenceIn, measureWhole } from '../../../../workers/html-to-markdown/page/confidence.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

/** The confidence that the element with the id `it` is the main content. The elements with the id `not` are dropped. */
function confidence(html: string): number {
  const survey = Survey.of(bodyOf(html));
  const whole = measureWhole(survey);
  const withId = (id: string) =>
    survey.elements.flatMap((node, index) => (node.getAttribute('id') === id ? [index] : []));
  for (const index of withId('not')) survey.drop(index);
  return confidenceIn(survey, withId('it')[0] ?? 0, whole);
}

test('the share of the prose is a witness', (t) => {
  t.is(confidence(`<p>${prose('P', 300)}</p><div id=it>${prose('A', 100)}</div>`), 0.25);
  t.is(confidence(`<div id=it>${prose('A', 300)}<p id=not>${prose('B', 100)}</p></div>`), 0.75);
});

test('the main element, or else the only article, is a witness', (t) => {
  for (const name of ['main', 'article']) {
    t.is(confidence(`<${name} id=it>abc</${name}>`), 1);
    t.is(confidence(`<${name}>a<p id=it>abc</p></${name}>`), 0.75);
    t.is(confidence(`<div id=it>a<${name}>abc</${name}></div>`), 0.75);
    t.is(confidence(`<div id=it>a</div><${name}>abc</${name}>`), 0);
  }
  t.is(confidence('<main id=it><article>a</article><article>b</article></main>'), 1);
  t.is(confidence(`<article>a</article><article>b</article><p id=it>${prose('A', 100)}`), 1);
});

test('a heading in the content, or right before it, is a witness', (t) => {
  t.is(confidence('<div id=it><h1>a</h1></div>'), 1);
  t.is(confidence('<h1>a</h1><p>b</p><div id=it>c</div>'), 1);
  t.is(confidence('<div id=it>c</div><h1>a</h1>'), 0);
  t.is(confidence(`<h1>a</h1><p>${prose('P', 100)}</p><div id=it>${prose('A', 100)}</div>`), 0.25);
});

test('nothing speaks for a choice without witnesses', (t) => {
  t.is(confidence('<div id=it>a</div>'), 0);
});
