import { labeledLinks } from '../../../../workers/html-to-markdown/page/labeled-links.ts';
import { prose, type Row, testRule } from './pages.ts';

const TEXT = `<p id=text>${prose('Text', 1000)}</p>`;
const LINKS = '<ul id=links><li><a>one road</a><li><a>two roads</a></ul>';
const CARDS = `<div id=cards>${'<a><h3>A road to the sea</h3></a>'.repeat(30)}</div>`;

testRule(labeledLinks, [
  ...['Read also:', 'Lesen Sie auch', 'あわせて読みたい', 'Tags'].flatMap((label): readonly Row[] => [
    [`links under "${label}" go`, `${TEXT}<p id=label>${label}</p>${LINKS}<p id=end>End`, 'text end'],
    [
      `links beside "${label}" go from a product page`,
      `${TEXT}<div id=label><b>${label}</b></div><a id=one>one</a> <a id=two>two</a>`,
      'text',
      { kind: 'product' },
    ],
  ]),
  [
    'a heading ends the links',
    `${TEXT}<p>Tags</p>${LINKS}<h2 id=heading><a>Road</a></h2><ul id=more><li><a>more</a></ul>`,
    'text heading more',
  ],
  ['text ends the links', `${TEXT}<p>Tags</p>${LINKS}<p id=after>After <a>x</a>`, 'text after'],
  ['links under other words stay', `${TEXT}<p id=label>Sources</p>${LINKS}`, 'text label links'],
  ['links of a list stay', `${TEXT}<p id=label>Tags</p>${LINKS}`, 'text label links', { kind: 'list' }],
  ['links that are much of the page stay', `<p id=label>Tags</p><p id=x>x</p>${LINKS}`, 'label x links'],
  ['so do cards', `${TEXT}<p id=label>Tags</p>${CARDS}`, 'text label cards'],
  ['a label that is a link stays', `${TEXT}<p id=label><a>Tags</a></p>${LINKS}`, 'text label links'],
  ['a label without links stays', `${TEXT}<p id=label>Tags</p><p id=end>End`, 'text label end'],
  [
    'the words of a label in a sentence are none',
    `${TEXT}<p id=p><b id=b>Share</b> <a id=a>this</a> is of each keeper.`,
    'text p b a',
  ],
  ['a line of links with a label goes', `${TEXT}<p id=p><b id=b>Tags:</b> <a id=a>one</a>, <a id=c>two</a>`, 'text'],
  ...(
    [
      ['a line that begins with a label goes', '<p id=p>Read also: <a>one road</a>', ''],
      ['so does a heading', '<h5 id=p>関連記事：<a>one road</a></h5>', ''],
      ['a line with other words before a colon stays', '<p id=p>Sources: <a>one road</a>', 'p'],
      ['a label within the link is its text', '<p id=p><a>Comments: one road</a>', 'p'],
      ['a label without a colon is a word', '<p id=p>Related <a>one road</a>', 'p'],
      ['a sentence after a label stays', '<p id=p>Comments: see <a>one road</a> here.', 'p'],
    ] as const
  ).map(([what, line, left]): Row => [what, TEXT + line, `text ${left}`.trim()]),
]);
