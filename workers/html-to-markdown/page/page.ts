import type { ParsedHtml } from '../parse/parse-html.ts';
import type { TreeNode } from '../parse/tree.ts';
import { dropAsides } from './asides.ts';
import { dropBoilerplate } from './boilerplate.ts';
import { dropEmptyItems } from './empty-items.ts';
import { findMainContent } from './main-content.ts';
import { dropRepeats } from './repeats.ts';
import { Survey } from './survey.ts';
import { removeUnread } from './unread.ts';

/**
 * What of a page is converted. `full`: all that a reader sees; `article`: the main content; `auto`: the main content of
 * a page, all of a fragment.
 */
export type Extraction = 'auto' | 'full' | 'article';

/** Finds what is worth reading in a page, and leaves the rest out of its tree: what is below the result is to be written. */
export function readPage({ document, isFragment }: ParsedHtml, extraction: Extraction): TreeNode {
  const body = childOf(childOf(document, 'HTML'), 'BODY') ?? document;
  removeUnread(body);
  const isWhole = extraction === 'full' || (extraction === 'auto' && isFragment);
  return isWhole ? body : selectContent(body);
}

function childOf(node: TreeNode | null, nodeName: string): TreeNode | null {
  let child = node?.firstChild ?? null;
  while (child !== null && child.nodeName !== nodeName) child = child.nextSibling;
  return child;
}

function selectContent(body: TreeNode): TreeNode {
  const survey = Survey.of(body);
  dropBoilerplate(survey);
  dropAsides(survey);
  const root = findMainContent(survey);
  dropRepeats(survey, root);
  dropEmptyItems(survey, root);
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
