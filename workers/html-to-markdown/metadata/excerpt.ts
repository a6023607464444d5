import { type TreeNode, walk } from '../parse/tree.ts';
import { toPlainString } from './plain-string.ts';
import { readText } from './plain-text.ts';

const MAX_CHARACTERS = 300;
/** Shorter paragraphs are labels, dates and the like. Chinese, Japanese and Korean say the same in fewer characters. */
const LEAST_CHARACTERS = 80;
const LEAST_EAST_ASIAN = 30;
const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
/** Parts of a page that are not its content, if the whole page is converted. */
const FRAME: ReadonlySet<string> = new Set(['NAV', 'FOOTER', 'FORM', 'DIALOG', 'ASIDE']);

/** Reads the start of the first long paragraph of the content, or null if there is none. */
export function firstParagraph(root: TreeNode): string | null {
  let paragraph: string | null = null;
  walk(root, {
    enter(node) {
      if (FRAME.has(node.nodeName)) return 'past';
      if (node.nodeName !== 'P') return 'into';
      const text = readText(node).trim();
      if (text.length < (EAST_ASIAN.test(text) ? LEAST_EAST_ASIAN : LEAST_CHARACTERS)) return 'past';
      paragraph = toPlainString(text, MAX_CHARACTERS);
      return 'stop';
    },
  });
  return paragraph;
}
