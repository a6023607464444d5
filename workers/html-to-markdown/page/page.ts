import { defined } from '../../exact/defined.ts';
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
 * The part of a document that is converted. `full`: everything that a reader sees. `article`: the main content. `auto`: the
 * main content of a page, or a whole fragment.
 */
export type Extraction = 'auto' | 'full' | 'article';

/** Removes from a document what is not converted. @returns the root of the nodes to write */
export function readPage({ document, isFragment }: ParsedHtml, extraction: Extraction): TreeNode {
  const body = childOf(childOf(document, 'HTML'), 'BODY') ?? document;
  removeUnread(body);
  const isWhole = extraction === 'full' || (extraction === 'auto' && isFragment);
  return isWhole ? body : selectContent(body);
}

function childOf(node: TreeNode | null, nodeName: string): TreeNode | null {
  if (node === null) return null;
  let child = node.firstChild;
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
  return defined(survey.elements[root]);
}

function removeDropped({ elements, ends, dropped }: Survey, root: number): void {
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const isDropped = dropped[index] === 1;
    if (isDropped) defined(elements[index]).remove();
    index = isDropped ? defined(ends[index]) : index + 1;
  }
}
