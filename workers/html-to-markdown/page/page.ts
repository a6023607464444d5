import type { ParsedHtml } from '../parse/parse-html.ts';
import type { TreeNode } from '../parse/tree.ts';
import { removeBoilerplate } from './boilerplate.ts';
import { findMainContent } from './main-content.ts';
import { type Metadata, readMetadata } from './metadata.ts';
import { measureText } from './text-measure.ts';
import { removeNoscript, removeUnread } from './unread.ts';

/**
 * What of a page is converted. `full`: all that a reader sees; `article`: the main content; `auto`: the main content of
 * a page, all of a fragment.
 */
export type Extraction = 'auto' | 'full' | 'article';

export interface Page {
  readonly metadata: Metadata;
  /** Below it is what is to be converted, and nothing else. */
  readonly content: TreeNode;
  /** What `<base>` says. */
  readonly base: string | null;
}

/** Finds what is worth reading in a page, and leaves the rest out of its tree. */
export function readPage({ document, isFragment }: ParsedHtml, extraction: Extraction): Page {
  removeUnread(document);
  const [base] = document.getElementsByTagName('BASE');
  const [body = document] = document.getElementsByTagName('BODY');
  removeNoscript(body);
  const metadata = readMetadata(document);
  const isWhole = extraction === 'full' || (extraction === 'auto' && isFragment);
  const content = isWhole ? body : selectContent(body);
  return { metadata, content, base: base?.getAttribute('href') ?? null };
}

function selectContent(body: TreeNode): TreeNode {
  removeBoilerplate(body, measureText(body));
  return findMainContent(body, measureText(body));
}
