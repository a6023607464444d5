import { defined } from '../../exact/defined.ts';
import type { About } from '../metadata/metadata.ts';
import type { ParsedHtml } from '../parse/parse-html.ts';
import type { TreeNode } from '../parse/tree.ts';
import { moveCaptions } from './captions.ts';
import { findMainContent } from './main-content.ts';
import { applyRule, type DropListener } from './rule.ts';
import { OF_CONTENT, OF_PAGE } from './rules.ts';
import { Survey } from './survey.ts';
import { removeUnread } from './unread.ts';

/**
 * Removes from a document what is not converted, and returns the root of the rest. A fragment is converted whole, a page without
 * its frame.
 */
export function readPage({ document, isFragment }: ParsedHtml, about: About, onDrop?: DropListener): TreeNode {
  const body = childOf(childOf(document, 'HTML'), 'BODY') ?? document;
  removeUnread(body);
  return isFragment ? body : selectContent(body, about, onDrop);
}

function childOf(node: TreeNode | null, nodeName: string): TreeNode | null {
  if (node === null) return null;
  let child = node.firstChild;
  while (child !== null && child.nodeName !== nodeName) child = child.nextSibling;
  return child;
}

function selectContent(body: TreeNode, about: About, onDrop?: DropListener): TreeNode {
  const survey = Survey.of(body);
  for (const rule of OF_PAGE) applyRule(rule, { survey, about, root: 0 }, onDrop);
  const page = { survey, about, root: findMainContent(survey) };
  for (const rule of OF_CONTENT) applyRule(rule, page, onDrop);
  // A page with text is never converted to nothing.
  if (survey.text[page.root] === 0) return body;
  moveCaptions(survey, page.root, about.kind);
  removeDropped(survey, page.root);
  return defined(survey.elements[page.root]);
}

function removeDropped({ elements, ends, dropped }: Survey, root: number): void {
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const isDropped = dropped[index] === 1;
    if (isDropped) defined(elements[index]).remove();
    index = isDropped ? defined(ends[index]) : index + 1;
  }
}
