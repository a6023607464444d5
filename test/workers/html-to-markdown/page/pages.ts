import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import type { TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

/** A sentence without links, with exactly this number of characters. `name` is its first word. */
export function prose(name: string, characters: number): string {
  const words = ' goes the keeper of the toll house, who opens the gate for all who paid';
  const text = name + words.repeat(Math.ceil(characters / words.length));
  return `${text.slice(0, characters - 1)}.`;
}

/** The body element of a page with `html` as its body. */
export function bodyOf(html: string): TreeNode {
  return elementIn(parseHtml(`<body>${html}`).document, 'body');
}

/** The first element with a tag name. */
export function elementIn(root: TreeNode, name: string): TreeNode {
  for (const node of root.descendants()) if (node.nodeName === name.toUpperCase()) return node;
  throw new Error(`there is no element ${name}`);
}
