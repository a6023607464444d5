import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import type { TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

/** Sentences without links, of just so many characters, that differ by their first word. */
export function prose(name: string, characters: number): string {
  const words = ' goes the keeper of the toll house, who opens the gate for all who paid';
  const text = name + words.repeat(Math.ceil(characters / words.length));
  return `${text.slice(0, characters - 1)}.`;
}

/** The body of the page whose body holds `html`. */
export function bodyOf(html: string): TreeNode {
  return elementIn(parseHtml(`<body>${html}`).document, 'body');
}

/** The first element of that name. */
export function elementIn(root: TreeNode, name: string): TreeNode {
  for (const node of root.descendants()) if (node.nodeName === name.toUpperCase()) return node;
  throw new Error(`no ${name} there`);
}
