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
function mainElement(survey: Survey): number {
  const { elements, text } = survey;
  for (const name of ['MAIN', 'ARTICLE']) {
    const found = elements.flatMap(({ nodeName }, index) => (nodeName === name && text[index] !== 0 ? [index] : []));
    if (found.length > 0) return found.length === 1 ? defined(found[0]) : 0;
  }
  return 0;
}

/** Whether a first-level heading is in the content, or before it without prose between them. */
function agreeOnHeading(survey: Survey, root: number): number | null {
  const { elements, ends, proseBefore } = survey;
  const headings = elements.flatMap(({ nodeName }, index) => (nodeName === 'H1' ? [index] : []));
  if (headings.length === 0) return null;
  const start = defined(proseBefore[root]);
  return headings.some((at) => at < defined(ends[root]) && defined(proseBefore[at]) >= start) ? 1 : 0;
}
