import { ELEMENT, moveChildren, nextOutside, TreeNode } from '../parse/tree.ts';
import { holdsBlock } from './rules/registry.ts';

/** Elements of tables for the roles of others (WAI-ARIA 1.2). */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['row', 'tr'],
  ['cell', 'td'],
  ['gridcell', 'td'],
  ['columnheader', 'th'],
  ['rowheader', 'th'],
]);
const TABLES = new Set(['table', 'grid', 'treegrid']);
const HTML_TABLE = /^(?:TABLE|TR|TD|TH|TBODY|THEAD|TFOOT|UL|OL)$/;

/** An element that is a table or a list by its role becomes one. @returns the element that stands in its place */
export function takeRole(node: TreeNode): TreeNode {
  const role = node.getAttribute('role');
  if (role === null || HTML_TABLE.test(node.nodeName)) return node;
  if (TABLES.has(role)) return takeTable(node);
  return role === 'list' ? takeList(node) : node;
}

function takeTable(root: TreeNode): TreeNode {
  const parts: [TreeNode, string][] = [];
  let rows = 0;
  let at = root.firstChild;
  while (at !== null) {
    const role = at.nodeType === ELEMENT ? (at.getAttribute('role') ?? '') : '';
    const isInner = TABLES.has(role) || at.nodeName === 'TABLE';
    const name = HTML_TABLE.test(at.nodeName) ? undefined : PARTS.get(role);
    if (name !== undefined) parts.push([at, name]);
    if (name === 'tr') rows += 1;
    at = (isInner ? null : at.firstChild) ?? nextOutside(at, root);
  }
  if (rows === 0 || parts.length === rows) return root;
  for (const [part, name] of parts) rename(part, name);
  return rename(root, 'table');
}

/** Items that are more than a line and a list are cards, which are no list in Markdown. */
function takeList(root: TreeNode): TreeNode {
  const items = root.children.filter((child) => child.getAttribute('role') === 'listitem');
  if (items.length === 0 || items.length < root.children.length) return root;
  if (items.some((item) => holdsBlock(item, (child) => child.getAttribute('role') === 'list'))) return root;
  for (const item of items) rename(item, 'li');
  return rename(root, 'ul');
}

function rename(node: TreeNode, name: string): TreeNode {
  const renamed = new TreeNode(
    ELEMENT,
    name,
    '',
    node.attributes.filter((attribute) => attribute.name !== 'role'),
  );
  moveChildren(node, renamed);
  node.parentNode?.insertBefore(renamed, node);
  node.remove();
  return renamed;
}
