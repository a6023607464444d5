import { defined } from '../../../workers/exact/defined.ts';

/** Text fragments that have caused faults in HTML converters. */
const PIECES = [
  ...['<p>', '</p>', '<div>', '<table>', '<td>', '<tr>', '<caption>', '<li>', '<ul>', '<ol start=9999999999>', '<dl>'],
  ...['<b>', '</b>', '<i>', '<a href="x">', '<font color=red>', '<nobr>', '<pre>', '<code>', '<q>', '<h1>', '<hr>'],
  ...['<svg>', '<math>', '<template>', '<select>', '<option>', '<noscript>', '<iframe>', '<textarea>', '<title>'],
  ...['<script>', '</script>', '<style>', '<plaintext>', '<!--', '-->', '<!doctype>', '<![CDATA[', ']]>', '<?', '</'],
  ...['<img src="data:image/png;base64,AA" alt="](x)">', '<a href="java\nscript:alert(1)">', '<base href="//x/">'],
  ...['<script type="application/ld+json">{"headline":', '<body hidden>', '<html>', '<td colspan=65535>', '<br>'],
  ...['&', '&amp', '&#0;', '&#xD800;', '&#x80;', '&nbsp;', '&NotEqualTilde;', '"', "'", '=', '<', '>', '/', '\\'],
  ...['*', '_', '`', '```', '~~', '[', '](', '|', '#', '1.', '- ', '\n', '\r\n', '\r', '\t', '\f', '\0', '\u00a0'],
  ...['\ud800', '\udc00', '\u200b', '\u202e', '\ufeff', 'ﷺ', '👨‍👩‍👧', 'a', ' ', '\n\n    ', '<a name=', ' class="'],
] as const;

export type Random = () => number;

/** The mulberry32 generator: numbers from 0 to 1, excluding 1. The same seed always gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MAX_CUT_CHARACTERS = 8000;
const MAX_CHANGES = 12;
const MAX_REPEATS = 200;

type Change = (html: string, random: Random) => string;

const at = (html: string, random: Random) => Math.floor(random() * (html.length + 1));
const piece = (random: Random) => defined(PIECES[Math.floor(random() * PIECES.length)]);

function cut(html: string, random: Random, longest: number): string {
  const from = at(html, random);
  return html.slice(from, from + Math.floor(random() * longest));
}

function insert(html: string, random: Random, text: string): string {
  const place = at(html, random);
  return html.slice(0, place) + text + html.slice(place);
}

const CHANGES: readonly Change[] = [
  (html, random) => insert(html, random, piece(random)),
  (html, random) => insert(html, random, piece(random)),
  (html, random) => insert(html, random, piece(random).repeat(Math.floor(random() * MAX_REPEATS))),
  (html, random) => insert(html, random, (piece(random) + piece(random)).repeat(Math.floor(random() * MAX_REPEATS))),
  (html, random) => insert(html, random, cut(html, random, 300)),
  (html, random) => insert(html, random, String.fromCharCode(Math.floor(random() * 0x10000))),
  (html, random) => html.replace(cut(html, random, 200), ''),
  (html, random) => html.slice(0, at(html, random)),
  (html, random) => html.slice(at(html, random)),
];

/** One input of a fuzz run: a part of one of the pages with up to twelve changes. The same seed gives the same input. */
export function mutate(pages: readonly string[], seed: number): string {
  const random = createRandom(seed);
  let html = cut(defined(pages[Math.floor(random() * pages.length)]), random, MAX_CUT_CHARACTERS);
  for (let left = 1 + Math.floor(random() * MAX_CHANGES); left > 0; left -= 1) {
    const change = defined(CHANGES[Math.floor(random() * CHANGES.length)]);
    html = change(html, random);
  }
  return html;
}
