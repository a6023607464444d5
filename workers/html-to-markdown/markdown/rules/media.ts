import type { TreeNode } from '../../parse/tree.ts';
import { escapeText, writeTitle } from '../text/escape.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { isMathImage, readMathImage } from './math.ts';
import type { MarkdownRule, RuleOptions } from './rule.ts';

/** Addresses that can be of an image. Links may have other schemes too. */
const IMAGE_ADDRESS = /^(?:https?:|[^:]*$|[^:]*[/?#])/i;

export const mediaRules: Readonly<Record<string, MarkdownRule>> = {
  image: {
    filter: ['img'],
    kind: 'leaf',
    kindOf: (node) => (isMathImage(node) ? 'skip' : 'leaf'),
    replacement: (_, node, options) => {
      const formula = readMathImage(node);
      if (formula !== null) return formula;
      const alternative = readLine(node, 'alt');
      const address = readSource(node, options);
      if (address === null) return alternative;
      const title = withoutMarks(writeTitle(node.getAttribute('title')));
      return verbatim(`![${escapeText(alternative)}](${address}${title})`);
    },
  },
  // The content of the element is for browsers that cannot play it.
  playable: {
    filter: ['video', 'audio'],
    kind: 'leaf',
    replacement: (_, node, options) => {
      const address = readSource(node, options) ?? readFirstSource(node, options);
      if (address === null || isWithinLink(node)) return '';
      const label = readLine(node, 'aria-label') || readLine(node, 'title');
      // Without a name and controls it is a background animation.
      if (label === '' && node.getAttribute('controls') === null) return '';
      return verbatim(`[${escapeText(label || node.tagName)}](${address})`);
    },
  },
};

function readLine(node: TreeNode, name: string): string {
  const value = node.getAttribute(name);
  return value === null ? '' : withoutMarks(value).replace(/\s+/g, ' ').trim();
}

function readSource(node: TreeNode, { resolve }: RuleOptions): string | null {
  const source = node.getAttribute('src');
  const address = source === null ? null : resolve(source);
  return address !== null && IMAGE_ADDRESS.test(address) ? address : null;
}

function readFirstSource(node: TreeNode, options: RuleOptions): string | null {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeName !== 'SOURCE') continue;
    const address = readSource(child, options);
    if (address !== null) return address;
  }
  return null;
}

function isWithinLink(node: TreeNode): boolean {
  for (let at = node.parentNode; at !== null; at = at.parentNode) if (at.nodeName === 'A') return true;
  return false;
}
