import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import type { TreeNode } from '../parse/tree.ts';
import { isOfCards } from './card-lists.ts';
import { findCore } from './main-content.ts';
import { NAME } from './names.ts';
import { Part } from './part.ts';
import { ALL_KINDS, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';
import { findRegion, isTopic } from './topics.ts';

/** Elements that hold content whatever their classes say. */
const TRUSTED = new Set('BODY MAIN ARTICLE HTML H1 P PRE CODE TABLE TBODY TR TD TH'.split(' '));
/** An element with more of the page's content than this is not part of the frame, whatever its name. */
const MOST_OF_PAGE = 0.4;
/** A navigation or footer element, and comments, may have more: shops put whole directories there. */
const NEARLY_ALL_OF_PAGE = 0.9;
/** Each of several elements with the same class has at most this share of the page's content. */
const MOST_OF_ONE = 0.2;
/** There are no more than some hundreds of them. */
const LEAST_OF_ONE = 0.001;
/** Comments with more of the page's content than this are the subject of the page. */
const MOST_OF_DISCUSSION = 0.4;
/** A page with so many characters of prose outside its comments is about that prose. */
const MOST_PROSE_OUTSIDE = 2000;
/** The posts of a thread are named comments if less than this share of its prose is outside of them. */
const MOST_OUTSIDE_POSTS = 0.5;
/** An element with this share of prose is a column of the layout, not a menu. */
const LEAST_PROSE = 0.5;
/** Characters of a form for each of its fields and labels. */
const MOST_OF_FIELD = 60;
/** A main element with so many characters of content holds the content of the page. */
const LEAST_MAIN = 1500;
const WEAK = NAME.weakFrame | NAME.header | NAME.form;
const REPEATABLE = NAME.reviews | NAME.comments | NAME.hidden;

/** The frame of a page: navigation, sidebars, footers, banners and other elements with such names. */
export const frame: Rule = {
  name: 'frame',
  kinds: ALL_KINDS,
  begin({ survey, about }) {
    const { content, names } = survey;
    const ofPage = defined(content[0]);
    const main = findMainElement(survey);
    const comments = holdsDiscussion(survey, about.kind) ? 0 : NAME.comments;
    const believed = NAME.frame | NAME.beside | NAME.reviews | comments;
    const bitsOfFrame = believed | WEAK | NAME.hidden;
    let ofClasses: ReadonlyMap<string, number> | undefined;
    /** Whether an element is one of many with its classes, which hold much of the content of the page together. */
    const isOfList = ({ start, content: own }: Part) => {
      const { classes } = defined(survey.elements[start]);
      if (classes === '' || (defined(names[start]) & REPEATABLE) !== 0) return false;
      if (own > ofPage * MOST_OF_ONE || own < ofPage * LEAST_OF_ONE) return false;
      ofClasses ??= countByClasses(survey, bitsOfFrame);
      return (ofClasses.get(classes) ?? 0) > ofPage * MOST_OF_PAGE;
    };
    let known: number | undefined;
    const region = () => {
      known ??= findRegion(survey);
      return known;
    };
    let knownCore: number | undefined;
    /** Whether a part is where most of the text is. The posts of a thread have such words for what is said about them. */
    const isInCore = ({ start }: Part) => {
      if (about.kind === 'thread') return false;
      knownCore ??= findCore(survey, 0);
      return start > knownCore && start < defined(survey.ends[knownCore]);
    };
    return {
      find(index) {
        const isNamed = (defined(names[index]) & bitsOfFrame) !== 0;
        return isNamed && !TRUSTED.has(survey.nameAt(index)) ? new Part(survey, [index]) : 'into';
      },
      isFrame({ start }) {
        const bits = defined(names[start]);
        if (isHidden(bits) || (bits & believed) !== 0) return true;
        return (bits & WEAK) !== 0 && (isMenu(survey, start) || isPageHeader(survey, start));
      },
      isContent(part) {
        const { start } = part;
        const bits = defined(names[start]);
        const name = survey.nameAt(start);
        const mayBeMost = name === 'NAV' || name === 'FOOTER' || isHidden(bits) || (bits & comments) !== 0;
        const most = ofPage * (mayBeMost ? NEARLY_ALL_OF_PAGE : MOST_OF_PAGE);
        if (part.content > most && !isApart(survey, start, main)) return true;
        // On home pages and lists, cards are the content.
        const mayBeCards = (bits & NAME.frame) !== 0 && about.kind !== 'home' && about.kind !== 'list';
        const mayBeTopic = !isHidden(bits) && isTopic(survey, part, region(), isInCore);
        return (mayBeTopic && !(mayBeCards && isOfCards(survey, start, about.host))) || isOfList(part);
      },
    };
  },
};

function isHidden(names: number): boolean {
  return (names & (NAME.hidden | NAME.disclosure)) === NAME.hidden;
}

/** Content of the elements with the same classes, of those whose names have one of some bits. */
function countByClasses({ elements, names, content }: Survey, bits: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let index = 1; index < elements.length; index += 1) {
    if ((defined(names[index]) & bits) === 0) continue;
    const { classes } = defined(elements[index]);
    counts.set(classes, (counts.get(classes) ?? 0) + defined(content[index]));
  }
  return counts;
}

/** Index of the first main element with content. 0 if no main element has content. */
function findMainElement(survey: Survey): number {
  return Math.max(
    0,
    survey.elements.findIndex(
      ({ nodeName }, index) => nodeName === 'MAIN' && defined(survey.content[index]) >= LEAST_MAIN,
    ),
  );
}

/** Whether an element is neither in the main element nor around it. */
function isApart({ ends }: Survey, index: number, main: number): boolean {
  return main > 0 && (index >= defined(ends[main]) || defined(ends[index]) <= main);
}

/** Whether an element is a menu, or a form to fill in. */
function isMenu(survey: Survey, index: number): boolean {
  const { names, prose, text } = survey;
  if (defined(prose[index]) >= LEAST_PROSE * defined(text[index])) return false;
  return (defined(names[index]) & NAME.weakFrame) !== 0 || isForm(survey, index);
}

/** Whether an element is a form with a field for every few words. Other forms are around posts or around whole pages. */
function isForm({ elements, ends, names, text }: Survey, index: number): boolean {
  if ((defined(names[index]) & NAME.form) === 0) return false;
  let fields = 0;
  const end = defined(ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) if (isField(defined(elements[inside]))) fields += 1;
  return defined(text[index]) <= fields * MOST_OF_FIELD;
}

function isField(node: TreeNode): boolean {
  return node.nodeName === 'LABEL' || (node.nodeName === 'INPUT' && node.getAttribute('type') !== 'hidden');
}

/** Whether an element is the header of the page, and not that of a section or of the main content. */
function isPageHeader(survey: Survey, index: number): boolean {
  const { names, parents } = survey;
  if ((defined(names[index]) & NAME.header) === 0) return false;
  for (let up = defined(parents[index]); up >= 0; up = defined(parents[up])) {
    if ((defined(names[up]) & NAME.main) !== 0 || survey.nameAt(up) === 'SECTION') return false;
  }
  return true;
}

function holdsDiscussion(survey: Survey, kind: PageKind): boolean {
  const { elements, ends, names, content, prose } = survey;
  let comments = 0;
  let outside = defined(prose[0]);
  for (let index = 1; index < elements.length; ) {
    const isNamed = (bits: number) => (defined(names[index]) & bits) !== 0 && !TRUSTED.has(survey.nameAt(index));
    const isComments = isNamed(NAME.comments);
    // Dialogs about cookies can have more prose than a short thread.
    const isPart = isComments || (kind === 'thread' && isNamed(NAME.frame | NAME.beside));
    if (isComments) comments += defined(content[index]);
    if (isPart) outside -= defined(prose[index]);
    index = isPart ? defined(ends[index]) : index + 1;
  }
  if (kind === 'thread') return outside < defined(prose[0]) * MOST_OUTSIDE_POSTS;
  return comments > defined(content[0]) * MOST_OF_DISCUSSION && outside < MOST_PROSE_OUTSIDE;
}
