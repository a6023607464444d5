import type { ParsedHtml } from '../parse/parse-html.ts';
import type { TreeNode } from '../parse/tree.ts';
import { dropAsides } from './asides.ts';
import { dropBoilerplate } from './boilerplate.ts';
import { findMainContent } from './main-content.ts';
import { dropRepeats } from './repeats.ts';
import { Survey } from './survey.ts';
import { removeUnread } from './unread.ts';

/**
 * What of a page is converted. `full`: all that a reader sees; `article`: the main content; `auto`: the main content of
 * a page, all of a fragment.
 */
export type Extraction = 'auto' | 'full' | 'article';

export interface Page {
  /** Below it is what is to be converted, and nothing else. */
  readonly content: TreeNode;
  /** What `<base>` says. */
  readonly base: string | null;
}

/** Finds what is worth reading in a page, and leaves the rest out of its tree. */
export function readPage({ document, isFragment }: ParsedHtml, extraction: Extraction): Page {
  const [base] = document.getElementsByTagName('BASE');
  const [body = document] = document.getElementsByTagName('BODY');
  removeUnread(body);
  const isWhole = extraction === 'full' || (extraction === 'auto' && isFragment);
  const content = isWhole ? body : selectContent(body);
  return { content, base: base?.getAttribute('href') ?? null };
}

function selectContent(body: TreeNode): TreeNode {
  const survey = new Survey(body);
  dropBoilerplate(survey);
  dropAsides(survey);
  const root = findMainContent(survey);
  dropRepeats(survey, root);
  // A page with text is never converted to nothing.
  if (survey.text[root] === 0) return body;
  removeDropped(survey, root);
  return survey.elements[root] ?? body;
}

function removeDropped({ elements, ends, dropped }: Survey, root: number): void {
  const end = ends[root] ?? 0;
  for (let index = root + 1; index < end; ) {
    const node = elements[index];
    if (dropped[index] === 1) node?.parentNode?.removeChild(node);
    index = dropped[index] === 1 ? (ends[index] ?? end) : index + 1;
  }
}
