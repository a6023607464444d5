import { Parser } from 'parse5';
import { FastTokenizer } from './fast-tokenizer.ts';
import { toSource } from './source.ts';
import { type TreeNode, walk } from './tree.ts';
import { CountingTreeAdapter, type TreeAdapterMap } from './tree-adapter.ts';

/** Deeper elements are moved up to this depth. Their text stays, and the stack of recursive code does not grow. */
const MAX_DEPTH = 512;

export interface ParsedHtml {
  readonly document: TreeNode;
  /** Whether the source has no html, head or body tag. A fragment is converted whole. */
  readonly isFragment: boolean;
  /** The `href` of the first `base` element that has one. */
  readonly base: string | null;
}

/**
 * Parses a document as browsers without scripts do (WHATWG HTML 13.2). A fragment is a document whose html, head and
 * body are implied. Elements below depth 512 become siblings at that depth.
 * @throws {ConversionError} DOCUMENT_TOO_COMPLEX
 */
export function parseHtml(source: string): ParsedHtml {
  const treeAdapter = new CountingTreeAdapter();
  const parser = new Parser<TreeAdapterMap>({ treeAdapter, scriptingEnabled: false });
  const tokenizer = new FastTokenizer(parser, treeAdapter, toSource(source));
  parser.tokenizer = tokenizer;
  tokenizer.run();
  // Text is one level deeper than its element.
  if (treeAdapter.maxDepth >= MAX_DEPTH) limitDepth(parser.document);
  return { document: parser.document, isFragment: !tokenizer.hasPageTags, base: treeAdapter.base };
}

function limitDepth(root: TreeNode): void {
  let depth = 0;
  walk(root, {
    enter(node) {
      depth += 1;
      if (depth === MAX_DEPTH) liftChildren(node);
      return 'into';
    },
    leave() {
      depth -= 1;
    },
  });
}

/** Moves the children of a node, text included, to the places right after it. The walk visits them there. */
function liftChildren(node: TreeNode): void {
  const parent = node.parentNode;
  if (parent === null) return;
  const after = node.nextSibling;
  for (const child of node.childNodes) {
    node.removeChild(child);
    parent.insertBefore(child, after);
  }
}
