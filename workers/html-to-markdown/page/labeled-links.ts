import { defined } from '../../exact/defined.ts';
import { isAsideHeading } from './aside-words.ts';
import { isBlock, isHeading } from './elements.ts';
import { Part } from './part.ts';
import type { Rule } from './rule.ts';
import type { Survey } from './survey.ts';

const LABELS = new Set('P DIV SPAN STRONG B LI DT LEGEND SUMMARY'.split(' '));
const LINES = new Set('P H2 H3 H4 H5 H6'.split(' '));
/** The label of a line ends with a colon. */
const LABEL = /^[^:：]*(?=[:：])/;
const MAX_LINE_CHARACTERS = 300;
const MIN_LABEL_CHARACTERS = 2;
const MAX_LABEL_CHARACTERS = 60;
/** An element with at least this share of its text in links is a list of links. */
const LEAST_LINKED = 0.7;
/** Links with more of the page's content than this are the content. */
const MOST_OF_PAGE = 0.3;
/** Signs between links, or after a label. */
const MOST_BETWEEN = 3;

/**
 * Links under labels such as "Read also" and "Tags" on pages about one thing. A label is not a heading element, and is directly
 * before its links, or begins their line.
 */
export const labeledLinks: Rule = {
  name: 'labeled links',
  kinds: ['article', 'product', 'thread'],
  begin({ survey }) {
    const { text, linked } = survey;
    return {
      find(index) {
        if (isLabeledLine(survey, index)) return new Part(survey, [index]);
        const characters = defined(text[index]);
        const mayBeLabel =
          linked[index] === 0 && characters >= MIN_LABEL_CHARACTERS && characters <= MAX_LABEL_CHARACTERS;
        if (!mayBeLabel || !LABELS.has(survey.nameAt(index))) return 'into';
        return linksAfter(survey, outermost(survey, index)) ?? 'into';
      },
      isFrame: () => true,
      isContent: (part) => part.content > defined(survey.content[0]) * MOST_OF_PAGE || isInLine(survey, part),
    };
  },
};

/** The outermost element with the same text. */
function outermost({ parents, text }: Survey, index: number): number {
  let at = index;
  for (let up = defined(parents[at]); up > 0 && text[up] === text[index]; up = defined(parents[up])) at = up;
  return at;
}

/** The label and the links after it, up to the next element that is not a list of links. Null if there are none. */
function linksAfter(survey: Survey, label: number): Part | null {
  const { elements, ends, parents, text, dropped } = survey;
  const parent = defined(parents[label]);
  const roots = [label];
  for (let at = defined(ends[label]); at < defined(ends[parent]); at = defined(ends[at])) {
    if (dropped[at] === 1 || text[at] === 0) continue;
    if (!isListOfLinks(survey, at) || (roots.length > 1 && isHeading(survey.nameAt(at)))) break;
    // Most labels are other words, so they are read late, but before many links are counted.
    if (roots.length === 1 && !isAsideHeading(defined(elements[label]).textContent)) return null;
    roots.push(at);
  }
  return roots.length === 1 ? null : new Part(survey, roots);
}

/** Whether a line is a label, a colon and links. */
function isLabeledLine(survey: Survey, index: number): boolean {
  const linked = defined(survey.linked[index]);
  if (linked === 0) return false;
  const text = defined(survey.text[index]);
  if (text - linked > MAX_LABEL_CHARACTERS || text > MAX_LINE_CHARACTERS || !LINES.has(survey.nameAt(index)))
    return false;
  const label = LABEL.exec(defined(survey.elements[index]).textContent)?.[0].trim() ?? '';
  return linked >= LEAST_LINKED * (text - label.length) && label.length <= text - linked && isAsideHeading(label);
}

/** Whether the label is within a line that has other text. Then it is part of a sentence. */
function isInLine(survey: Survey, { start, text }: Part): boolean {
  const line = defined(survey.text[defined(survey.parents[start])]);
  return !isBlock(survey.nameAt(start)) && line > text + MOST_BETWEEN;
}

function isListOfLinks(survey: Survey, index: number): boolean {
  return defined(survey.linked[index]) >= LEAST_LINKED * defined(survey.text[index]);
}
