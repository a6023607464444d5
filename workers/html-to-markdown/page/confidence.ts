import { defined } from '../../exact/defined.ts';
import type { Survey } from './survey.ts';

/** Counts of a page before anything is dropped from it. */
export interface WholePage {
  readonly text: readonly number[];
  readonly prose: number;
}

export function measureWhole({ text, prose }: Survey): WholePage {
  return { text: text.slice(), prose: defined(prose[0]) };
}

/**
 * How sure the choice of the main content is, from 0 to 1: the mean of what independent witnesses say. A page may lack some
 * of them. Without any, nothing speaks for the choice.
 */
export function confidenceIn(survey: Survey, root: number, whole: WholePage): number {
  const witnesses = [
    agreeOnProse(survey, root, whole),
    agreeOnElement(survey, root, whole),
    agreeOnHeading(survey, root),
  ];
  const known = witnesses.filter((witness) => witness !== null);
  return known.length === 0 ? 0 : known.reduce((sum, witness) => sum + witness, 0) / known.length;
}

/** The share of the page's prose that is written. */
function agreeOnProse({ prose }: Survey, root: number, whole: WholePage): number | null {
  return whole.prose === 0 ? null : defined(prose[root]) / whole.prose;
}

/** How much of the text in the main element or in what is written is in both. */
function agreeOnElement(survey: Survey, root: number, whole: WholePage): number | null {
  const { ends, text } = survey;
  const main = mainElement(survey);
  if (main === 0) return null;
  const own = defined(text[root]);
  const stated = defined(whole.text[main]);
  if (root >= main && root < defined(ends[main])) return own / stated;
  if (main > root && main < defined(ends[root])) return defined(text[main]) / (own + stated - defined(text[main]));
  return 0;
}

/** Index of the only main element with text, or else of the only article with text. 0 if the page has no such element, or several. */
function mainElement({ elements, text }: Survey): number {
  const found = { MAIN: { index: 0, count: 0 }, ARTICLE: { index: 0, count: 0 } };
  for (let index = 0; index < elements.length; index += 1) {
    const { nodeName } = defined(elements[index]);
    if ((nodeName !== 'MAIN' && nodeName !== 'ARTICLE') || text[index] === 0) continue;
    found[nodeName].index = index;
    found[nodeName].count += 1;
  }
  const { index, count } = found.MAIN.count > 0 ? found.MAIN : found.ARTICLE;
  return count === 1 ? index : 0;
}

/** Whether a first-level heading is in the content, or before it without prose between them. */
function agreeOnHeading({ elements, ends, proseBefore }: Survey, root: number): number | null {
  const end = defined(ends[root]);
  const start = defined(proseBefore[root]);
  let hasHeading = false;
  for (let index = 0; index < elements.length; index += 1) {
    if (defined(elements[index]).nodeName !== 'H1') continue;
    if (index < end && defined(proseBefore[index]) >= start) return 1;
    hasHeading = true;
  }
  return hasHeading ? 0 : null;
}
