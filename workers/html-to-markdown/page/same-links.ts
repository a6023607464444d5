import { defined } from '../../exact/defined.ts';
import { isBlock, isHeading } from './elements.ts';
import { Part } from './part.ts';
import { ALL_KINDS, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** A longer line says more than where it leads. */
const MAX_CHARACTERS = 25;

/**
 * Lines that lead where the longer link before them leads: "Read more" below a title. A label with a number is a price or a rating,
 * and labels that differ from each other tell what is in stock.
 */
export const sameLinks: Rule = {
  name: 'same link',
  kinds: ALL_KINDS,
  begin({ survey }) {
    const labels = labelsOf(survey);
    const hasOne = new Set(labels.values()).size === 1;
    return {
      find: (index) => (labels.has(index) ? new Part(survey, [index]) : 'into'),
      isFrame: () => true,
      isContent: ({ start }) => !hasOne || /\d/.test(defined(labels.get(start))),
    };
  },
};

/** The words of such lines. */
function labelsOf(survey: Survey): ReadonlyMap<number, string> {
  const { elements, text, links, dropped } = survey;
  const labels = new Map<number, string>();
  let before: string | null = null;
  let charactersBefore = 0;
  for (const link of links) {
    const characters = defined(text[link]);
    if (dropped[link] === 1 || characters === 0) continue;
    const node = defined(elements[link]);
    const href = node.getAttribute('href');
    if (href === null || href !== before || characters >= charactersBefore) {
      [before, charactersBefore] = [href, characters];
      continue;
    }
    const line = lineOf(survey, link);
    if (characters <= MAX_CHARACTERS && line > 0 && !holdsPicture(survey, line))
      labels.set(line, node.textContent.trim());
  }
  return labels;
}

function holdsPicture(survey: Survey, index: number): boolean {
  for (let at = index; at < defined(survey.ends[index]); at += 1) if (survey.nameAt(at) === 'IMG') return true;
  return false;
}

/** The block, other than a heading, whose text is a link. 0 if there is none. */
function lineOf(survey: Survey, link: number): number {
  const { parents, text } = survey;
  let at = link;
  while (at > 0 && !isBlock(survey.nameAt(at)))
    at = text[defined(parents[at])] === text[link] ? defined(parents[at]) : 0;
  return isHeading(survey.nameAt(at)) ? 0 : at;
}
