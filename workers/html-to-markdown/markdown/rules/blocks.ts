import type { TreeNode } from '../../parse/tree.ts';
import { MARK } from '../text/marks.ts';
import type { MarkdownRule } from './rule.ts';

/** Elements that only separate paragraphs. */
const PARTING = (
  'address article aside body center dd details dialog dir fieldset figcaption footer form header hgroup ' +
  'html legend li main menu nav noscript optgroup option search section tbody tfoot thead tr td th caption dl'
).split(' ');

/** Nodes of a term that are looked at. */
const MAX_NODES = 40;

export const blockRules: Readonly<Record<string, MarkdownRule>> = {
  parting: { filter: PARTING, kind: 'block', replacement: (content) => content },
  // Markdown has no definition lists: a term is a bold line, and its definitions are the paragraphs below it.
  term: {
    filter: ['dt', 'summary'],
    kind: 'line',
    kindOf: (node) => (holdsHeading(node) ? 'block' : 'line'),
    replacement: (content) => `${MARK.strongOpen}${content}${MARK.strongClose}`,
  },
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    kind: 'frame',
    replacement: (content, node) => {
      const line = content.replace(/\\\n|\n+/g, ' ').replace(/(^|\s)(#+)$/, '$1\\$2');
      return `${'#'.repeat(Number(node.nodeName.charAt(1)))} ${line}`;
    },
  },
  blockquote: {
    filter: ['blockquote'],
    kind: 'frame',
    replacement: (content) => `> ${content.replace(/\n/g, '\n> ')}`.replace(/^> $/gm, '>'),
  },
  horizontalRule: {
    filter: ['hr'],
    kind: 'leafBlock',
    // After the marker of a list item, hyphens and the marker would form a rule together.
    replacement: (_, { parentNode }) => (parentNode?.nodeName === 'LI' ? '***' : '---'),
  },
  list: { filter: ['ul', 'ol', 'menu', 'dir'], kind: 'frame', replacement: (content) => content },
  listItem: {
    filter: ['li'],
    kind: 'frame',
    replacement: (content, _, { marker }) => {
      const indent = ' '.repeat(marker.length);
      return `${marker}${content.replace(/\n(?!\n|$)/g, `\n${indent}`)}`;
    },
  },
  unread: {
    filter: ['style', 'template', 'head', 'title', 'svg', 'select', 'textarea', 'canvas'],
    kind: 'skip',
    replacement: () => '',
  },
};

/** Whether a term or a summary has a heading, which is heavy by itself. */
function holdsHeading(node: TreeNode): boolean {
  let nodes = 0;
  for (const { nodeName } of node.descendants()) {
    nodes += 1;
    if (nodes > MAX_NODES) break;
    if (/^H[1-6]$/.test(nodeName)) return true;
  }
  return false;
}
