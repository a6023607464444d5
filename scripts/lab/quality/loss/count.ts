import type { Block } from './blocks.ts';
import { squeeze } from './squeeze.ts';

export interface Converted {
  readonly title: string | null;
  readonly markdown: string;
}

/** What of a page is not in its Markdown. */
export interface Loss {
  readonly blocks: readonly Block[];
  readonly lost: readonly Block[];
}

/** Shorter text is found by chance. Headings are looked for in lines of their own, so they may be short. */
const MIN_LETTERS = 8;
/** A long part may differ in places. It is kept if this share of its pieces is there. */
const LONG_PART_LETTERS = 120;
const PIECE_LETTERS = 24;
const MIN_PIECES = 0.8;
const NEAR_LETTERS = 2000;

const IMAGE = /!\[(?:[^[\]\\]|\\.){0,1000}\]\([^()\s]{0,4000}(?:\s+"(?:[^"\\]|\\.){0,1000}")?\)/g;
const TARGET = /\]\(<?[^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000}){0,9}>?(?:\s+"(?:[^"\\]|\\.){0,1000}")?\)/g;

/** Looks for each block. A block that the page repeats must be in the Markdown as often. */
export function countLoss(blocks: readonly Block[], { title, markdown }: Converted): Loss {
  const counted = blocks.filter(
    ({ kind, parts }) => kind === 'heading' || squeeze(parts.join('')).length >= MIN_LETTERS,
  );
  const text = markdown.replace(IMAGE, ' ').replace(TARGET, ']');
  const isHeadingLeft = headingFinder([title ?? '', ...text.split('\n')]);
  const isPartLeft = partFinder(squeeze(text));
  // Code may look like a link.
  const isCodeLeft = partFinder(squeeze(markdown));
  const isLeft = ({ kind, parts }: Block) => {
    if (kind === 'heading') return isHeadingLeft(parts);
    const isThere = kind === 'code' ? isCodeLeft : isPartLeft;
    return parts
      .map(squeeze)
      .filter((part) => part.length >= MIN_LETTERS)
      .every(isThere);
  };
  return { blocks: counted, lost: counted.filter((block) => !isLeft(block)) };
}

type Finder<T> = (wanted: T) => boolean;

/** A heading is a line of its own, or in a line of a table or an item. */
function headingFinder(lines: readonly string[]): Finder<readonly string[]> {
  const whole = new Map<string, number>();
  const others: string[] = [];
  for (const line of lines) {
    const text = squeeze(line);
    if (text === '') continue;
    whole.set(text, (whole.get(text) ?? 0) + 1);
    if (/^\s*(?:[#|>*+-]|\d+[.)])/.test(line)) others.push(text);
  }
  return (parts) => {
    const heading = squeeze(parts.join(''));
    const times = whole.get(heading) ?? 0;
    if (times > 0) {
      whole.set(heading, times - 1);
      return true;
    }
    const texts = parts.map(squeeze);
    return others.some((line) => line !== heading && texts.every((part) => line.includes(part)));
  };
}

/**
 * The same part is looked for behind the place where it was found before. The search begins near the part before it,
 * because most parts are in the order of the page: a search from the start for each of them takes minutes.
 */
function partFinder(text: string): Finder<string> {
  const ends = new Map<string, number>();
  let last = 0;
  return (part) => {
    const from = ends.get(part) ?? 0;
    const near = from <= last ? text.slice(last, last + part.length + NEAR_LETTERS).indexOf(part) : -1;
    const start = near >= 0 ? last + near : text.indexOf(part, from);
    if (start < 0) return from === 0 && arePiecesIn(text, part);
    last = start + part.length;
    ends.set(part, last);
    return true;
  };
}

function arePiecesIn(text: string, part: string): boolean {
  if (part.length < LONG_PART_LETTERS) return false;
  const count = Math.floor(part.length / PIECE_LETTERS);
  const pieces = Array.from({ length: count }, (_, at) => part.slice(at * PIECE_LETTERS, (at + 1) * PIECE_LETTERS));
  return pieces.filter((piece) => text.includes(piece)).length >= MIN_PIECES * count;
}
