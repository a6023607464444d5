import { isHeading } from './elements.ts';
import type { Survey } from './survey.ts';

/** Headings of what pages add below their content, as English pages write them. */
const HEADING = new RegExp(
  `^(?:${[
    'you (?:may|might|could) (?:also )?(?:like|enjoy|be interested|want)',
    '(?:customers|people|shoppers|others|frequently) .{0,40}(?:also |viewed|bought|together)',
    'also (?:bought|viewed|like)|similar (?:threads?|items?|products?|questions?|topics?|posts?|articles?|jobs?|to)',
    'related|recommended (?:for|reading|posts|articles|products)|suggested|products? related|up next|recently viewed',
    'more (?:from|like|articles|stories|posts|news|products|to (?:explore|read|love|consider))|keep (?:reading|exploring)',
    '(?:read|view|explore) (?:next|also)|most (?:popular|read|viewed)|recent (?:posts|articles|comments|news|threads)',
    'complete (?:the|your) (?:look|set)|pairs well|goes well|compare (?:with|similar)|follow us|share this|subscribe',
    'stay (?:connected|in touch|up to date|updated)|sign up|join (?:our|the) (?:newsletter|mailing|community)',
    'newsletter|sponsored|advertisement|about the author|(?:customer )?(?:reviews|questions)|ratings|what customers',
    'customers say|leave a (?:reply|comment)|post a comment|comments?|\\d+ (?:comments?|reviews?|responses?)',
  ].join('|')})\\b`,
  'i',
);
const MAX_HEADING_CHARACTERS = 60;
const MIN_HEADING_CHARACTERS = 4;
/** Characters that may stand before the heading of a part, in the same part. */
const MAX_BEFORE = 40;
/** What holds more of the page's content than this is no aside, nor is what holds this share of prose. */
const MOST_OF_PAGE = 0.3;
const LEAST_PROSE = 0.3;

/** Drops parts of a page whose heading says that they are about something else. */
export function dropAsides(survey: Survey): void {
  const { elements, text, dropped } = survey;
  const limit = (survey.content[0] ?? 0) * MOST_OF_PAGE;
  for (let index = 1; index < elements.length; index += 1) {
    const node = elements[index];
    if (node === undefined || dropped[index] === 1 || !isHeading(node.nodeName)) continue;
    const characters = text[index] ?? 0;
    if (characters < MIN_HEADING_CHARACTERS || characters > MAX_HEADING_CHARACTERS) continue;
    if (!HEADING.test(node.textContent.replace(/\s+/g, ' ').trim())) continue;
    const part = partOf(survey, index);
    if (part.content > limit || part.prose > part.text * LEAST_PROSE) continue;
    for (const root of part.roots) survey.drop(root);
  }
}

interface Part {
  readonly roots: readonly number[];
  readonly text: number;
  readonly content: number;
  readonly prose: number;
}

/** The largest element that begins with the heading; where there is none, what follows it up to the next of its rank. */
function partOf(survey: Survey, heading: number): Part {
  const { before, parents, content } = survey;
  const limit = (content[0] ?? 0) * MOST_OF_PAGE;
  let root = heading;
  for (let up = parents[heading] ?? 0; up > 0; up = parents[up] ?? 0) {
    if ((before[heading] ?? 0) - (before[up] ?? 0) > MAX_BEFORE || (content[up] ?? 0) > limit) break;
    root = up;
  }
  return sum(survey, root === heading ? section(survey, heading) : [root]);
}

function section({ elements, ends, parents, dropped }: Survey, heading: number): readonly number[] {
  const roots = [heading];
  const rank = elements[heading]?.nodeName ?? '';
  const last = ends[parents[heading] ?? 0] ?? 0;
  for (let at = ends[heading] ?? last; at < last; at = ends[at] ?? last) {
    const name = elements[at]?.nodeName ?? '';
    if (isHeading(name) && name <= rank) break;
    if (dropped[at] !== 1) roots.push(at);
  }
  return roots;
}

function sum({ text, content, prose }: Survey, roots: readonly number[]): Part {
  const total = (counts: readonly number[]) => roots.reduce((result, root) => result + (counts[root] ?? 0), 0);
  return { roots, text: total(text), content: total(content), prose: total(prose) };
}
