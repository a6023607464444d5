import { defined } from '../../exact/defined.ts';
import { Part } from './part.ts';
import { ALL_KINDS, leadTo, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** A longer line says more than where it leads. */
const MAX_CHARACTERS = 25;
/** Most characters from the beginning of the link before to the line: a title and an excerpt. */
const MAX_BETWEEN = 500;
/** Items and cells stay, because their number says something. */
const LINES = new Set(['P', 'DIV']);

/**
 * Lines that lead where the longer link before them leads: "Read more" below a title. A label with a number is a price or a rating,
 * and labels that differ from each other tell what is in stock.
 */
export const sameLinks: Rule = {
  name: 'same link',
  kinds: ALL_KINDS,
  begin({ survey }) {
    const labels = labelsOf(survey);
    const at = leadTo(survey, new Set(labels.values()).size === 1 ? [...labels.keys()] : []);
    return {
      find(index) {
        const found = at(index);
        return found === 'it' ? new Part(survey, [index]) : found;
      },
      isFrame: () => true,
      isContent: ({ start }) => /\d/.test(defined(labels.get(start))),
    };
  },
};

/** The words of such lines. */
function labelsOf(survey: Survey): ReadonlyMap<number, string> {
  const { elements, text, before, links, dropped } = survey;
  const labels = new Map<number, string>();
  let title = 0;
  let address = '';
  for (const link of links) {
    const characters = defined(text[link]);
    if (dropped[link] === 1 || characters === 0) continue;
    const href = defined(elements[link]).getAttribute('href') ?? '';
    const isSame = href !== '' && !href.startsWith('#') && href === address;
    const isNear = defined(before[link]) - defined(before[title]) <= MAX_BETWEEN;
    if (isSame && isNear && characters < defined(text[title])) {
      const line = characters <= MAX_CHARACTERS ? lineOf(survey, link) : 0;
      if (line > 0) labels.set(line, defined(elements[line]).textContent.trim());
    } else [title, address] = [link, href];
  }
  return labels;
}

/** The line whose text is a link without pictures. 0 if there is none. */
function lineOf({ elements, ends, parents, text }: Survey, link: number): number {
  let at = link;
  while (at > 0 && !LINES.has(defined(elements[at]).nodeName)) {
    at = text[defined(parents[at])] === text[link] ? defined(parents[at]) : 0;
  }
  return elements.slice(at, ends[at]).some(({ nodeName }) => nodeName === 'IMG') ? 0 : at;
}
