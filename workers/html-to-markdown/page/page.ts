import { defined } from '../../exact/defined.ts';
import type { About } from '../metadata/metadata.ts';
import type { ParsedHtml } from '../parse/parse-html.ts';
import type { TreeNode } from '../parse/tree.ts';
import { dropAsides } from './asides.ts';
import { dropBoilerplate } from './boilerplate.ts';
import { moveCaptions } from './captions.ts';
import { dropCardLists } from './card-lists.ts';
import { confidenceIn, measureWhole } from './confidence.ts';
import { dropDetails } from './details.ts';
import { dropEmptyItems } from './empty-items.ts';
import { dropLabeledLinks } from './labeled-links.ts';
import { findMainContent } from './main-content.ts';
import { dropNextArticles } from './next-articles.ts';
import { dropRepeats } from './repeats.ts';
import { Survey } from './survey.ts';
import { removeUnread } from './unread.ts';

/**
 * The part of a document that is converted. `full`: everything that a reader sees. `main`: the main content. `auto`: the
 * main content of a page, or a whole fragment.
 */
export type Extraction = 'auto' | 'full' | 'main';

export interface PageContent {
  /** The root of the nodes to write. */
  readonly root: TreeNode;
  /** How sure the choice of the main content is, from 0 to 1. Null if the whole document is written. */
  readonly confidence: number | null;
}

/** Removes from a document what is not converted. */
export function readPage({ document, isFragment }: ParsedHtml, extraction: Extraction, about: About): PageContent {
  const body = childOf(childOf(document, 'HTML'), 'BODY') ?? document;
  removeUnread(body);
  const isWhole = extraction === 'full' || (extraction === 'auto' && isFragment);
  return isWhole ? { root: body, confidence: null } : selectContent(body, about);
}

function childOf(node: TreeNode | null, nodeName: string): TreeNode | null {
  if (node === null) return null;
  let child = node.firstChild;
  while (child !== null && child.nodeName !== nodeName) child = child.nextSibling;
  return child;
}

function selectContent(body: TreeNode, about: About): PageContent {
  const { kind, metadata } = about;
  const survey = Survey.of(body);
  const whole = measureWhole(survey);
  dropBoilerplate(survey, kind);
  if (kind === 'article') dropNextArticles(survey, metadata.title);
  dropAsides(survey, kind);
  dropLabeledLinks(survey, kind);
  const root = findMainContent(survey, kind);
  dropCardLists(survey, root, kind);
  dropDetails(survey, root, about);
  moveCaptions(survey, root, kind);
  dropRepeats(survey, root);
  dropEmptyItems(survey, root);
  // A page with text is never converted to nothing.
  if (survey.text[root] === 0) return { root: body, confidence: 0 };
  const confidence = confidenceIn(survey, root, whole);
  removeDropped(survey, root);
  return { root: defined(survey.elements[root]), confidence };
}

function removeDropped({ elements, ends, dropped }: Survey, root: number): void {
  const end = defined(ends[root]);
  for (let index = root + 1; index < end; ) {
    const isDropped = dropped[index] === 1;
    if (isDropped) defined(elements[index]).remove();
    index = isDropped ? defined(ends[index]) : index + 1;
  }
}
