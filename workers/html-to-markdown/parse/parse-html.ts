import { Parser } from 'parse5';
import { FastTokenizer } from './fast-tokenizer.ts';
import type { TreeNode } from './tree.ts';
import { createTreeAdapter, type TreeAdapterMap } from './tree-adapter.ts';

/** Deeper elements are moved up to this depth: their text stays, the stack does not grow. */
const MAX_DEPTH = 512;

export interface ParsedHtml {
  readonly document: TreeNode;
  /** Whether the source has neither html, head nor body tag: a part of a page, of which nothing is left out. */
  readonly isFragment: boolean;
  /** What the first `base` element says. */
  readonly base: string | null;
}

/**
 * Parses a document as browsers without scripts do (WHATWG HTML 13.2). A fragment is a document whose html, head and
 * body are implied. Elements below depth 512 become siblings at that depth.
 * @throws {ConversionError} DOCUMENT_TOO_COMPLEX
 */
export function parseHtml(source: string): ParsedHtml {
  const treeAdapter = createTreeAdapter();
  const parser = new Parser<TreeAdapterMap>({ treeAdapter, scriptingEnabled: false });
  const tokenizer = new FastTokenizer({ sourceCodeLocationInfo: false }, parser);
  parser.tokenizer = tokenizer;
  tokenizer.write(source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source, true);
  // Text lies one deeper than its element.
  if (treeAdapter.maxDepth >= MAX_DEPTH) limitDepth(parser.document);
  const base = treeAdapter.base?.getAttribute('href') ?? null;
  return { document: parser.document, isFragment: !tokenizer.hasPageTags, base };
}

function limitDepth(root: TreeNode): void {
  let depth = 1;
  let node = root.firstChild;
  while (node !== null) {
    if (depth === MAX_DEPTH) liftChildren(node);
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode === root ? null : node.parentNode;
      depth -= 1;
    }
    node = node?.nextSibling ?? null;
  }
}

/** Moves what is in a node behind it, text as well; each is then looked at in its turn. */
function liftChildren(node: TreeNode): void {
  const parent = node.parentNode;
  if (parent === null) return;
  const after = node.nextSibling;
  for (const child of node.childNodes) {
    node.removeChild(child);
    parent.insertBefore(child, after);
  }
}
