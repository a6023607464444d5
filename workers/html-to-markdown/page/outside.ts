import { defined } from '../../exact/defined.ts';
import { isAsideHeading } from './aside-words.ts';
import { holdsTeasers } from './card-lists.ts';
import { isBlock } from './elements.ts';
import { findCore } from './main-content.ts';
import { holdsMedia } from './media.ts';
import { NAME } from './names.ts';
import { type Belief, headingAt, Part, sectionBelow } from './part.ts';
import type { Rule } from './rule.ts';
import { isContact, isSource } from './sources.ts';
import type { Survey } from './survey.ts';
import { isBesideText } from './topics.ts';

/** A part with more of the content than this is content. */
const MOST_OF_CONTENT = 0.4;
/** Characters of prose with which a part before the text is a lead. */
const LEAST_LEAD = 200;
/** On pages of reference, a part leads away with this share of its text in links. */
const LEAST_LINKED = 0.85;
/** A part about the author begins with the name, after so many characters at most: "Written by". */
const MAX_BEFORE_NAME = 40;
const ITEMS = new Set('LI DT TR'.split(' '));
const MAX_LABEL_CHARACTERS = 60;
const MAX_ABOUT_AUTHOR = 1000;
const MAX_OFFER = 500;
const BUTTON = NAME.articleDetail | NAME.offer;

/**
 * What stands around the core of the content, in containers of its own, and leads away. Other parts beside the core are content:
 * the second half of an article, a table of data, a price.
 */
export const outside: Rule = {
  name: 'outside the text',
  // On pages that list other pages, what leads away is the content.
  kinds: ['article', 'product', 'thread', 'other'],
  begin({ survey, about: { kind, host, metadata }, root }) {
    const { ends, parents, text, linked } = survey;
    const core = findCore(survey, root);
    /** Elements whose children are judged one by one. */
    const open = new Set([root]);
    /** The one child that holds the core, of each element around it. */
    const inner = new Map<number, number>();
    for (let at = core; at > root; at = defined(parents[at])) {
      open.add(at);
      inner.set(defined(parents[at]), at);
    }
    const belief = kind === 'other' ? beliefOf(new Part(survey, [core])) : {};
    const isOfOther = (part: Part) => {
      if (part.text <= MAX_LABEL_CHARACTERS && isAsideHeading(defined(survey.elements[part.start]).textContent))
        return true;
      if (kind === 'article' && namesAuthor(survey, part, metadata.byline)) return true;
      if (kind === 'article' && part.start > core && isOffer(survey, part, host)) return true;
      return (kind === 'article' || kind === 'product') && holdsTeasers(survey, part, host);
    };
    const most = defined(survey.content[root]) * MOST_OF_CONTENT;
    let judged = 0;
    return {
      find(index) {
        if (index >= core && index < defined(ends[core])) return 'past';
        if (open.has(index)) return 'into';
        if (index < judged || !open.has(defined(parents[index]))) return 'past';
        const part = new Part(survey, sectionAt(survey, index, core));
        if (part.roots.length > 1) judged = part.end;
        return part;
      },
      isFrame(part) {
        if (part.text === 0) return !holdsMedia(survey, part);
        // A line after the content is about the page.
        const isLine = part.start > core && part.heading < 0 && !holdsItems(survey, part);
        return part.leadsAway(isLine ? { ...belief, leastLinked: undefined } : belief) || isOfOther(part);
      },
      isContent(part) {
        const { start, heading } = part;
        if (part.content > most) return true;
        const isBefore = start < core;
        if (heading >= 0 && part.text <= defined(text[heading])) {
          const isTitle = survey.nameAt(heading) === 'H1';
          return isTitle || ((isBefore || kind === 'other') && defined(linked[heading]) * 2 < part.text);
        }
        const sibling = inner.get(defined(parents[start]));
        if (sibling !== undefined && isOfClass(survey, start, sibling)) return true;
        const holdsMore = isBefore && (part.prose >= LEAST_LEAD || holdsTitle(survey, part));
        if (holdsMore) open.add(start);
        return holdsMore;
      },
    };
  },
};

/** What leads away on pages of reference and the like: their content links to more of it. */
function beliefOf(core: Part): Belief {
  return { leastLinked: LEAST_LINKED, believesButtons: false, believesTeasers: !core.signs.ofTeasers };
}

/** An element, or a heading with its siblings up to the next heading of its rank, if the core is not among them. */
function sectionAt(survey: Survey, index: number, core: number): readonly number[] {
  const { ends, text } = survey;
  const heading = headingAt(survey, index);
  if (heading < 0 || survey.nameAt(heading) === 'H1' || defined(text[index]) > defined(text[heading])) return [index];
  const section = sectionBelow(survey, index, survey.nameAt(heading));
  const isAroundCore = core > index && core < defined(ends[defined(section.at(-1))]);
  return isAroundCore ? [index] : section;
}

/** Whether an element has the same classes as another one, which has some. */
function isOfClass({ elements }: Survey, index: number, other: number): boolean {
  const { classes } = defined(elements[other]);
  return classes !== '' && classes === defined(elements[index]).classes;
}

function holdsItems(survey: Survey, { start, end }: Part): boolean {
  for (let index = start; index < end; index += 1) if (ITEMS.has(survey.nameAt(index))) return true;
  return false;
}

function holdsTitle(survey: Survey, { start, end }: Part): boolean {
  for (let index = start + 1; index < end; index += 1) {
    if (survey.dropped[index] !== 1 && survey.nameAt(index) === 'H1' && survey.text[index] !== 0) return true;
  }
  return false;
}

/** Whether a part begins with the name of the author. */
function namesAuthor({ elements }: Survey, { start, text }: Part, byline: string | null): boolean {
  if (byline === null || text > MAX_ABOUT_AUTHOR) return false;
  const at = defined(elements[start]).textContent.trim().replace(/\s+/g, ' ').indexOf(byline);
  return at >= 0 && at <= MAX_BEFORE_NAME;
}

/** Whether a part after an article is short, and sends readers to another page of the site with a button. */
function isOffer(survey: Survey, part: Part, host: string | null): boolean {
  const { start, end, text, signs } = part;
  if (text > MAX_OFFER || signs.ofContent || signs.staying > 0 || holdsItems(survey, part)) return false;
  let isOffered = false;
  for (let at = start; at < end; at += 1) {
    const characters = defined(survey.text[at]);
    if (survey.dropped[at] === 1 || characters === 0) continue;
    const node = defined(survey.elements[at]);
    // A date, a price, a number to call.
    if (characters <= MAX_LABEL_CHARACTERS && /\d/.test(node.textContent)) return false;
    isOffered ||= node.nodeName === 'A' && !isSource(node, host) && !isContact(node) && isButton(survey, at);
  }
  return isOffered;
}

/** Whether a link, or an element around it without more text, is named as a button, and is no part of a sentence. */
function isButton({ elements, names, parents, text }: Survey, link: number): boolean {
  let at = link;
  let bits = defined(names[at]);
  for (let up = defined(parents[at]); up > 0 && text[up] === text[link]; up = defined(parents[up])) {
    at = up;
    bits |= defined(names[at]);
  }
  const node = defined(elements[at]);
  return (bits & BUTTON) !== 0 && (isBlock(node.nodeName) || !isBesideText(node));
}
