import test from 'ava';
import { PURE_TOOLS } from '../../../workers/replay/pure-tools.ts';
import { respondsAs } from '../../../workers/replay/replay-pure.ts';

const HTML = new Map([['html', '<p>Refunded <b>80.00</b>.']]);
const MARKDOWN = 'Refunded **80.00**.\n';

function responds(recorded: unknown, args = HTML) {
  const tool = PURE_TOOLS.get('html-to-markdown@1.0.0');
  return tool !== undefined && respondsAs(tool, args, recorded);
}

test('what comes out again is a response, in whole or in part', (t) => {
  t.true(responds({ markdown: MARKDOWN }));
  t.true(responds({ markdownCharacters: 20, markdown: MARKDOWN, title: null, byline: null, excerpt: null }));
});

test('what does not come out is none, nor what the tool does not say, nor what is no object', (t) => {
  t.false(responds({ markdown: MARKDOWN.replace('8', '9') }));
  t.false(responds({ markdown: MARKDOWN, title: 'Refund' }));
  t.false(responds({ markdown: MARKDOWN, paid: true }));
  for (const none of [null, undefined, [], MARKDOWN]) t.false(responds(none));
});

test('links are resolved where the source is given', (t) => {
  const args = new Map([
    ['html', '<a href="/toll">Toll'],
    ['sourceUrl', 'https://example.com/roads'],
  ]);
  t.true(responds({ markdown: '[Toll](https://example.com/toll)\n' }, args));
});

test('what the tool refuses has no response', (t) => {
  t.false(responds({ markdown: '' }, new Map([['html', '<div>'.repeat(200_000)]])));
});
