import type { TreeNode } from '../parse/tree.ts';
import { takeList } from './lists.ts';
import { takePlacedTable } from './placed-tables.ts';
import { takeRole } from './roles.ts';
import { takeWordList } from './word-lists.ts';

/** What programs and roles write in other elements becomes a list or a table. @returns what stands in place of the node */
export function takeWritten(node: TreeNode): TreeNode {
  switch (node.nodeName) {
    case 'UL':
    case 'OL':
      return takeList(node);
    case 'TABLE':
      return takePlacedTable(node);
    case 'P':
      return node.attributes.length > 0 ? takeWordList(node) : node;
    default:
      return node.attributes.length > 0 ? takeRole(node) : node;
  }
}
