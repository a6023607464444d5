import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { isAsideHeading } from './aside-words.ts';
import { isBlock, isHeading } from './elements.ts';
import type { Survey } from './survey.ts';

const LABELS = new Set('P DIV SPAN STRONG B LI DT LEGEND SUMMARY'.split(' '));
const MIN_LABEL_CHARACTERS = 2;
const MAX_LABEL_CHARACTERS = 60;
/** An element with at least this share of its text in links is a list of links. */
const LEAST_LINKED = 0.7;
/** Links with more of the page's content than this are the content. */
const MOST_OF_PAGE = 0.3;
/** Signs between links, or after a label. */
const MOST_BETWEEN = 3;

/**
 * Drops links under labels such as "Read also" and "Tags" from pages about one thing. A label is not a heading element, and is
 * directly before its links.
 */
export function dropLabeledLinks(survey: Survey, kind: PageKind): void {
  if (kind !== 'article' && kind !== 'product' && kind !== 'thread') return;
  const { elements, text, linked, dropped } = survey;
  for (let index = 1; index < elements.length; index += 1) {
    const characters = defined(text[index]);
    const mayBeLabel =
      dropped[index] !== 1 &&
      linked[index] === 0 &&
      characters >= MIN_LABEL_CHARACTERS &&
      characters <= MAX_LABEL_CHARACTERS &&
      LABELS.has(survey.nameAt(index));
    if (!mayBeLabel) continue;
    for (const root of linksAfter(survey, outermost(survey, index))) survey.drop(root);
  }
}

/** The outermost element with the same text. */
function outermost({ parents, text }: Survey, index: number): number {
  let at = index;
  for (let up = defined(parents[at]); up > 0 && text[up] === text[index]; up = defined(parents[up])) at = up;
  return at;
}

/** The label and the links after it, up to the next element that is not a list of links. Empty if they stay. */
function linksAfter(survey: Survey, label: number): readonly number[] {
  const { elements, ends, parents, text, content, dropped } = survey;
  const parent = defined(parents[label]);
  const roots = [label];
  for (let at = defined(ends[label]); at < defined(ends[parent]); at = defined(ends[at])) {
    if (dropped[at] === 1 || text[at] === 0) continue;
    if (!isListOfLinks(survey, at)) break;
    // Most labels are other words, so they are read late, but before many links are counted.
    if (roots.length === 1 && !isAsideHeading(defined(elements[label]).textContent)) return [];
    roots.push(at);
  }
  const sum = (counts: readonly number[]) => roots.reduce((total, root) => total + defined(counts[root]), 0);
  if (roots.length === 1 || sum(content) > defined(content[0]) * MOST_OF_PAGE) return [];
  // Within a line, the label is part of a sentence if the line has other text.
  const isInLine = !isBlock(survey.nameAt(label));
  return isInLine && defined(text[parent]) > sum(text) + MOST_BETWEEN ? [] : roots;
}

function isListOfLinks(survey: Survey, index: number): boolean {
  const isMostlyLinks = defined(survey.linked[index]) >= LEAST_LINKED * defined(survey.text[index]);
  return isMostlyLinks && !isHeading(survey.nameAt(index));
}
