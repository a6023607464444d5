import type { TreeNode } from '../../parse/tree.ts';
import type { MarkdownRule } from './rule.ts';

const HOLDS_BLOCKS = new Set('H1 H2 H3 H4 H5 H6 UL OL DL TABLE BLOCKQUOTE PRE HR'.split(' '));

export const tableRules: Readonly<Record<string, MarkdownRule>> = {
  table: { filter: ['table'], kind: 'frame', replacement: (content) => content },
  row: { filter: ['tr'], kind: 'frame', replacement: (content) => `|${content}` },
  cell: {
    filter: ['td', 'th'],
    kind: 'frame',
    replacement: (content) => ` ${content.replace(/\\\n|\n+/g, ' ').replace(/\|/g, '\\|')} |`,
  },
};

/** Whether a table only places blocks on the page: one column, or blocks that no cell of a Markdown table can hold. */
export function isLayout(table: TreeNode): boolean {
  let cells = 0;
  let rows = 0;
  for (const node of table.descendants()) {
    if (HOLDS_BLOCKS.has(node.nodeName)) return true;
    if (node.nodeName === 'TR') rows += 1;
    else if (node.nodeName === 'TD' || node.nodeName === 'TH') cells += 1;
  }
  return cells <= rows;
}

/** Rows, of which the first is the head. GFM takes as many columns as the head has. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const [head = [], ...body] = rows;
  const write = (row: readonly string[]) => `|${row.join('')}`;
  const padded = [...head, ...Array<string>(width - head.length).fill('  |')];
  return [write(padded), `|${' --- |'.repeat(width)}`, ...body.map(write)].join('\n');
}
