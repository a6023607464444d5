import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { COMMONMARK_EXAMPLES } from './commonmark-examples.ts';
import { GFM_CASES } from './gfm-cases.ts';
import { strictHtml } from './strict-html.ts';
import { toMarkdown } from './to-markdown.ts';

/** The examples of CommonMark 0.31.2 that do not come back exactly, by reason. `docs/html-to-markdown.md` states the policy. */
const CHANGED: Readonly<Record<string, readonly number[]>> = {
  'an element without content is not written': [
    21, 31, 79, 150, 153, 154, 187, 218, 239, 240, 476, 477, 484, 487, 613, 614, 615, 616, 623, 630, 631, 642, 643,
  ],
  'elements that Markdown does not have leave their content, and attributes without a place in Markdown are left out': [
    152, 163, 164, 169, 175, 184, 188, 201, 491, 524, 536, 617,
  ],
  'text outside a paragraph becomes a paragraph, and a div too': [
    151, 155, 159, 161, 162, 165, 174, 177, 178, 180, 185, 186, 189,
  ],
  'a table with one column is layout, and its cells become paragraphs': [148, 149, 160, 190, 191],
  'of emphasis within the same emphasis only the outer is written': [
    369, 373, 389, 407, 408, 409, 417, 418, 419, 425, 426, 427, 432, 461, 463, 464, 465, 466, 468,
  ],
  'of emphasis and strong emphasis within a word the stronger is kept, because parsers read *** within words differently':
    [416],
  'an address is written as browsers resolve it, with parentheses and backticks encoded': [
    20, 194, 344, 346, 492, 495, 496, 498, 499, 500, 501, 526, 594, 597,
  ],
  'a link without an address is written as its text': [200, 485, 486, 567],
  'a scheme other than http, https, mailto and tel is not kept': [596, 598, 599, 601],
  'white space in a title is folded': [196],
  'code of white space alone is a space': [138, 334],
  'strikethrough is of GFM, and not read by a CommonMark parser': [166, 167, 168],
  'fields of forms are not written': [171],
  'an image without an alternative text gets an empty one': [475],
  'b is written as strong': [494],
};

test('the CommonMark examples come back exactly, except those that the policy changes', (t) => {
  const changed = COMMONMARK_EXAMPLES.flatMap((html, index) => {
    const back = micromark(toMarkdown(html), { allowDangerousProtocol: true });
    return strictHtml(back) === strictHtml(html) ? [] : [index + 1];
  });
  t.deepEqual(
    changed,
    Object.values(CHANGED)
      .flat()
      .toSorted((a, b) => a - b),
  );
});

/** The cases of GFM that do not come back exactly, by reason. */
const CHANGED_GFM: Readonly<Record<string, readonly string[]>> = {
  'the first row of a table without a head becomes its head, and b and i in it strong and em': [
    'a table without a head',
    'a table with short rows',
    'a pipe in a cell',
    'a pipe in code in a cell',
    'emphasis in cells',
    'an image in a cell',
    'text after a table',
    'two tables',
    'a table in a quote',
  ],
  's is written as del': ['strikethrough of a word in a sentence'],
};

test('the cases of GFM come back exactly, except those that the policy changes', (t) => {
  const changed = GFM_CASES.filter(([, html]) => {
    const back = micromark(toMarkdown(html), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    return strictHtml(back) !== strictHtml(html);
  });
  t.deepEqual(new Set(changed.map(([name]) => name)), new Set(Object.values(CHANGED_GFM).flat()));
});
