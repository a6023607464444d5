import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { isAsideHeading } from './aside-words.ts';
import { isHeading } from './elements.ts';
import { Part, sectionBelow } from './part.ts';
import { ALL_KINDS, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** Phrases of headings of parts that English pages add to their content. */
const PHRASES = startsWith([
  'you (?:may|might|could) (?:also )?(?:like|enjoy|be interested|want)',
  '(?:customers|people|shoppers|others|frequently) .{0,40}(?:also |viewed|bought|together)',
  'also (?:bought|viewed|like)|similar (?:threads?|items?|products?|questions?|topics?|posts?|articles?|jobs?)',
  'recommended (?:for|reading|posts|articles|products)|products? related|up next|recently viewed',
  'more (?:from|like|articles|stories|posts|news|products|to (?:explore|read|love|consider))|keep (?:reading|exploring)',
  '(?:read|view|explore) (?:next|also|related|similar)|start asking|most (?:popular|read|viewed)|recent (?:posts|articles|comments|news|threads)',
  'complete (?:the|your) (?:look|set)|pairs well|goes well|follow us|share this|about the author|what customers',
  'stay (?:connected|in touch|up to date|updated)|join (?:our|the) (?:newsletter|mailing|community)',
  'customers say|leave a (?:reply|comment)|post a comment|\\d+ (?:comments?|reviews?|responses?)',
]);
const REFERENCE = 'related|suggested|similar to|compare (?:with|similar)';
/** Words with which such headings begin, and others too: "Related" and "Related Work". */
const WORDS = startsWith([
  REFERENCE,
  'subscribe|sign up|newsletter|sponsored|advertisement|(?:customer )?(?:reviews|questions)|ratings|comments?',
]);
/** Words with which headings of references begin. */
const REFERENCES = startsWith([REFERENCE]);
/** What sites show more of. */
const SHOWN =
  /\b(?:articles?|posts?|stories|news|products?|items?|searches|content|categories|videos?|events?|offers?|deals?)\b/i;
/** Shares of the text below a heading that are links, from which on its part is an aside. Links alone never make references one. */
const LEAST_LINKED = { phrases: 0.1, words: 0.5, references: Number.POSITIVE_INFINITY } as const;
const MAX_HEADING_CHARACTERS = 60;
const MIN_HEADING_CHARACTERS = 2;
/** Most characters before the heading within its part. */
const MAX_BEFORE = 40;
/** Characters of the sign of a link to the heading. */
const MAX_SIGN = 2;
/** A part with more of the page's content than this, or with this share of prose, is not an aside. */
const MOST_OF_PAGE = 0.3;
const LEAST_PROSE = 0.3;
/** If the whole heading is known, the part may have this share of prose, or at least so much prose. */
const LEAST_PROSE_OF_KNOWN = 0.5;
const LEAST_CHARACTERS_OF_KNOWN = 300;

/**
 * The parts of a page whose heading says that they are about something else. On pages about one thing, headings are known in
 * many languages. On others, the same words may be above the content: "Latest news".
 */
export const asides: Rule = {
  name: 'aside',
  kinds: ALL_KINDS,
  begin({ survey, about: { kind } }) {
    const { text } = survey;
    const limit = defined(survey.content[0]) * MOST_OF_PAGE;
    const isAboutOne = kind === 'article' || kind === 'product' || kind === 'thread';
    const headingOf = (part: Part) => textAt(survey, part.heading);
    const isKnown = (heading: string) => isAboutOne && isAsideHeading(heading);
    return {
      find(index) {
        if (!isHeading(survey.nameAt(index))) return 'into';
        const characters = defined(text[index]);
        if (characters < MIN_HEADING_CHARACTERS || characters > MAX_HEADING_CHARACTERS) return 'into';
        const heading = textAt(survey, index);
        return isKnown(heading) || mayBeAside(heading) ? partOf(survey, index) : 'into';
      },
      isFrame(part) {
        const heading = headingOf(part);
        return (
          part.leadsAway({ leastLinked: leastLinkedUnder(heading, kind) }) ||
          (isKnown(heading) && !isFollowed(survey, part) && !part.holdsLiterals)
        );
      },
      isContent: (part) => part.content > limit || part.prose > mostProse(part, isKnown(headingOf(part))),
    };
  },
};

function textAt({ elements }: Survey, heading: number): string {
  return defined(elements[heading]).textContent.replace(/\s+/g, ' ').trim();
}

function mayBeAside(heading: string): boolean {
  return PHRASES.test(heading) || WORDS.test(heading);
}

function leastLinkedUnder(heading: string, kind: PageKind): number {
  if (PHRASES.test(heading)) return LEAST_LINKED.phrases;
  return isReference(heading, kind) ? LEAST_LINKED.references : LEAST_LINKED.words;
}

/** Whether a heading may be of references, such as "Related commands" in a manual: it only begins like that of an aside. */
function isReference(heading: string, kind: PageKind): boolean {
  return kind === 'other' && REFERENCES.test(heading) && !SHOWN.test(heading) && !isAsideHeading(heading);
}

function startsWith(phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})\\b`, 'i');
}

/** The prose that a part may have without being content. */
function mostProse({ text }: Part, isKnown: boolean): number {
  return isKnown ? Math.max(text * LEAST_PROSE_OF_KNOWN, LEAST_CHARACTERS_OF_KNOWN) : text * LEAST_PROSE;
}

/**
 * Finds the largest element that begins with the heading. If it holds only the heading, its siblings up to the next heading of the
 * same rank belong to the part too.
 */
function partOf(survey: Survey, heading: number): Part {
  const { before, parents, content, text } = survey;
  const limit = defined(content[0]) * MOST_OF_PAGE;
  const start = defined(before[heading]);
  let root = heading;
  for (let up = defined(parents[heading]); up > 0; up = defined(parents[up])) {
    if (start - defined(before[up]) > MAX_BEFORE || defined(content[up]) > limit) break;
    root = up;
  }
  const isTitle = defined(text[root]) <= defined(text[heading]) + MAX_SIGN;
  return new Part(survey, isTitle ? sectionBelow(survey, root, survey.nameAt(heading)) : [root], heading);
}

/** Whether the content goes on after a part, with another heading that is not of an aside. */
function isFollowed({ elements, ends, parents, text, dropped }: Survey, { start, end }: Part): boolean {
  const last = defined(ends[defined(parents[start])]);
  for (let at = end; at < last; at += 1) {
    const node = defined(elements[at]);
    if (dropped[at] === 1 || !isHeading(node.nodeName) || text[at] === 0) continue;
    const heading = node.textContent.trim();
    return !isAsideHeading(heading) && !mayBeAside(heading);
  }
  return false;
}
