import test from 'ava';
import { PURE_TOOLS } from '../../../../workers/plan/pure-tools.ts';
import { respondsAs } from '../../../../workers/verdict/replay/run-pure-tool.ts';

const HTML = new Map([['html', '<p>Refunded <b>80.00</b>.']]);
const MARKDOWN = 'Refunded **80.00**.\n';

function responds(recorded: unknown, args = HTML) {
  const tool = PURE_TOOLS.get('html-to-markdown@1.5.0');
  return tool !== undefined && respondsAs(tool, args, recorded);
}

const WHOLE = { markdownCharacters: 20, markdown: MARKDOWN, title: null, byline: null, excerpt: null };

test('the whole output of the tool is its response, in any order of members', (t) => {
  t.true(responds(WHOLE));
});

test('a part of the output is not the response', (t) => {
  t.false(responds({}));
  t.false(responds({ markdown: MARKDOWN }));
  const { title: _, ...rest } = WHOLE;
  t.false(responds(rest));
});

test('another value, an added member, or a value that is not an object is not the response', (t) => {
  t.false(responds({ ...WHOLE, markdown: MARKDOWN.replace('8', '9') }));
  t.false(responds({ ...WHOLE, title: 'Refund' }));
  t.false(responds({ ...WHOLE, paid: true }));
  for (const none of [null, undefined, [], MARKDOWN]) t.false(responds(none));
});

test('links are resolved if the source is given', (t) => {
  const args = new Map([
    ['html', '<a href="/toll">Toll'],
    ['sourceUrl', 'https://example.com/roads'],
  ]);
  const markdown = '[Toll](https://example.com/toll)\n';
  t.true(responds({ ...WHOLE, markdown, markdownCharacters: markdown.length }, args));
});

test('arguments that the tool refuses have no response', (t) => {
  t.false(responds({ markdown: '' }, new Map([['html', '<div>'.repeat(200_000)]])));
});
