import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import { isFile } from './sources.ts';
import type { Survey } from './survey.ts';

/** A part with at least this share of its text in links, besides its heading, leads to other pages. */
const LEAST_LINKED = 0.5;
/** Elements between a part and its heading that are looked at. */
const MAX_STEPS = 20;
const FIELDS = new Set('INPUT TEXTAREA SELECT'.split(' '));
/** A part with so little text is a line with a date. */
const MAX_DATE_CHARACTERS = 60;
const SIGN_NAMES = NAME.author | NAME.offer;
/** A heading with at least this share of its text in links announces what they lead to. */
const LEAST_ANNOUNCED = 0.5;
/** Most levels between a heading and its link. */
const MAX_LEVELS = 4;

/** What tells frame from content in a part of a page. */
interface Signs {
  /** Characters of links that lead to no other page: to files, and to places in the page. */
  readonly staying: number;
  /** Fields, dates, authors and offers. */
  readonly ofFrame: boolean;
  /** Buttons for programs. */
  readonly ofButtons: boolean;
  /** Headings that are links to other pages. */
  readonly ofTeasers: boolean;
  /** Code and tables. */
  readonly ofContent: boolean;
}

/** What is taken for a sign of a frame. */
export interface Belief {
  /** Least share of the text in links. */
  readonly leastLinked?: number | undefined;
  readonly believesButtons?: boolean;
  readonly believesTeasers?: boolean;
}

/** A part of a page: elements in document order that stay or go together. Its counts are those of the survey when it was made. */
export class Part {
  readonly survey: Survey;
  /** Indices of sibling elements, at least one. */
  readonly roots: readonly number[];
  /** Index of the first element, and the index after the last one inside. */
  readonly start: number;
  readonly end: number;
  readonly text: number;
  readonly content: number;
  readonly prose: number;
  readonly linked: number;
  private knownHeading: number | undefined;
  private knownSigns: Signs | undefined;

  constructor(survey: Survey, roots: readonly number[], heading?: number) {
    const sum = (counts: readonly number[]) => roots.reduce((total, root) => total + defined(counts[root]), 0);
    this.survey = survey;
    this.roots = roots;
    this.start = defined(roots[0]);
    this.end = defined(survey.ends[defined(roots.at(-1))]);
    this.text = sum(survey.text);
    this.content = sum(survey.content);
    this.prose = sum(survey.prose);
    this.linked = sum(survey.linked);
    this.knownHeading = heading;
  }

  /** Index of the heading that it begins with. -1 if it begins with other text. */
  get heading(): number {
    this.knownHeading ??= headingAt(this.survey, this.start);
    return this.knownHeading;
  }

  /** Whether it is code or data: it has code or tables, no fields or dates, and is no list of links. */
  get holdsLiterals(): boolean {
    const { ofFrame, ofButtons, ofTeasers, ofContent } = this.signs;
    return ofContent && !(ofFrame || ofButtons || ofTeasers) && this.linked < this.text * LEAST_LINKED;
  }

  /** Whether it has signs of a frame: links rather than text, fields, controls, posts. A part without text has them too. */
  leadsAway({ leastLinked = LEAST_LINKED, believesButtons = true, believesTeasers = true }: Belief = {}): boolean {
    const { ofFrame, ofButtons, ofTeasers, ofContent, staying } = this.signs;
    if (ofContent) return false;
    if (ofFrame || (ofButtons && believesButtons) || (ofTeasers && believesTeasers)) return true;
    const { heading, survey } = this;
    const [ownText, ownLinked] =
      heading < 0 ? [0, 0] : [defined(survey.text[heading]), defined(survey.linked[heading])];
    const text = this.text - ownText;
    return text === 0 || this.linked - ownLinked - staying >= Math.max(1, text * leastLinked);
  }

  get signs(): Signs {
    this.knownSigns ??= signsIn(this.survey, this);
    return this.knownSigns;
  }
}

/** Index of the heading that an element begins with, or -1. */
export function headingAt(survey: Survey, index: number): number {
  const { ends, before } = survey;
  const end = Math.min(defined(ends[index]), index + MAX_STEPS);
  for (let at = index; at < end && before[at] === before[index]; at += 1) if (isHeading(survey.nameAt(at))) return at;
  return -1;
}

/** The element of a title, and its siblings up to the next heading of the same rank. */
export function sectionBelow(survey: Survey, title: number, rank: string): readonly number[] {
  const { ends, parents, dropped } = survey;
  const roots = [title];
  const last = defined(ends[defined(parents[title])]);
  for (let at = defined(ends[title]); at < last; at = defined(ends[at])) {
    const heading = headingAt(survey, at);
    if (heading >= 0 && survey.nameAt(heading) <= rank) break;
    if (dropped[at] !== 1) roots.push(at);
  }
  return roots;
}

/** The signs in a part: from its first element, which is not a sign itself, to the end of the last one. */
function signsIn(survey: Survey, { start, end, text, linked }: Part): Signs {
  let ofFrame = false;
  let ofButtons = false;
  let ofTeasers = false;
  let ofContent = false;
  let staying = 0;
  // The entries of a report have dates, too. A date counts beside links, or where it is nearly all of the part.
  const believesDates = linked > 0 || text <= MAX_DATE_CHARACTERS;
  for (let index = start + 1; index < end && !ofContent; index += 1) {
    const node = defined(survey.elements[index]);
    const { nodeName } = node;
    ofContent ||= nodeName === 'PRE' || nodeName === 'TABLE';
    if (nodeName === 'A' && (isFile(node) || isInPage(node))) staying += defined(survey.text[index]);
    ofFrame ||= FIELDS.has(nodeName) || (nodeName === 'TIME' && believesDates) || isNamed(defined(survey.names[index]));
    // A button with text is content: the text of others was removed.
    ofButtons ||= nodeName === 'BUTTON' && survey.text[index] === 0;
    ofTeasers ||= nodeName === 'A' && announces(survey, index);
  }
  return { ofFrame, ofButtons, ofTeasers, ofContent, staying };
}

function isInPage(link: TreeNode): boolean {
  return /^\s*#./.test(link.getAttribute('href') ?? '');
}

function isNamed(names: number): boolean {
  return (names & SIGN_NAMES) !== 0 && (names & NAME.fromId) === 0;
}

/** Whether a link to another page is around a heading, or is most of one: it announces that page. */
function announces(survey: Survey, index: number): boolean {
  const { elements, parents, text, linked } = survey;
  const href = defined(elements[index]).getAttribute('href');
  if (href === null || href.includes('#')) return false;
  let up = defined(parents[index]);
  for (let level = 0; level < MAX_LEVELS && up > 0; level += 1, up = defined(parents[up])) {
    if (isHeading(defined(elements[up]).nodeName)) return defined(linked[up]) >= LEAST_ANNOUNCED * defined(text[up]);
  }
  return holdsHeading(survey, index);
}

function holdsHeading({ elements, ends }: Survey, index: number): boolean {
  for (let inside = index + 1; inside < defined(ends[index]); inside += 1) {
    if (isHeading(defined(elements[inside]).nodeName)) return true;
  }
  return false;
}
