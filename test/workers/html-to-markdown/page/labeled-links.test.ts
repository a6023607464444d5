import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { dropLabeledLinks } from '../../../../workers/html-to-markdown/page/labeled-links.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

const TEXT = `<p id=text>${prose('Text', 1000)}</p>`;
const LINKS = '<ul id=links><li><a>one road</a><li><a>two roads</a></ul>';

/** The ids of the elements that remain when links under labels are dropped. */
function left(html: string, kind: PageKind = 'article'): readonly string[] {
  const survey = Survey.of(bodyOf(html));
  dropLabeledLinks(survey, kind);
  return survey.elements
    .filter((_, index) => survey.dropped[index] === 0)
    .flatMap((node) => node.getAttribute('id') ?? []);
}

for (const label of ['Read also:', 'Lesen Sie auch', 'あわせて読みたい', 'Tags']) {
  test(`the links under the label "${label}" are dropped`, (t) => {
    t.deepEqual(left(`${TEXT}<p id=label>${label}</p>${LINKS}<p id=end>End`), ['text', 'end']);
    t.deepEqual(left(`${TEXT}<div id=label><b>${label}</b></div><a id=one>one</a> <a id=two>two</a>`, 'product'), [
      'text',
    ]);
  });
}

test('a label ends its links: text, headings and other labels stay', (t) => {
  const html = `${TEXT}<p>Tags</p>${LINKS}<h2 id=heading><a>Road</a></h2><ul id=more><li><a>more</a></ul>`;
  t.deepEqual(left(html), ['text', 'heading', 'more']);
  t.deepEqual(left(`${TEXT}<p>Tags</p>${LINKS}<p id=after>After <a>x</a>`), ['text', 'after']);
});

test('links under other words, links that are much of the page, and links of a list stay', (t) => {
  t.deepEqual(left(`${TEXT}<p id=label>Sources</p>${LINKS}`), ['text', 'label', 'links']);
  t.deepEqual(left(`${TEXT}<p id=label>Tags</p>${LINKS}`, 'list'), ['text', 'label', 'links']);
  t.deepEqual(left(`<p id=label>Tags</p><p id=x>x</p>${LINKS}`), ['label', 'x', 'links']);
  const cards = `<div id=cards>${'<a><h3>A road to the sea</h3></a>'.repeat(30)}</div>`;
  t.deepEqual(left(`${TEXT}<p id=label>Tags</p>${cards}`), ['text', 'label', 'cards']);
});

test('a label that is a link, or that has no links after it, stays', (t) => {
  t.deepEqual(left(`${TEXT}<p id=label><a>Tags</a></p>${LINKS}`), ['text', 'label', 'links']);
  t.deepEqual(left(`${TEXT}<p id=label>Tags</p><p id=end>End`), ['text', 'label', 'end']);
});

test('within a sentence, the words of a label are not a label', (t) => {
  t.deepEqual(left(`${TEXT}<p id=p><b id=b>Share</b> <a id=a>this</a> is of each keeper.`), ['text', 'p', 'b', 'a']);
  t.deepEqual(left(`${TEXT}<p id=p><b id=b>Tags:</b> <a id=a>one</a>, <a id=c>two</a>`), ['text', 'p']);
});
