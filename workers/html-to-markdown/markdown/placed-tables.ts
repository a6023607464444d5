import { ELEMENT, elementFrom, moveChildren, TEXT, TreeNode } from '../parse/tree.ts';
import { readText } from './text/read-text.ts';

/** The letter, number or sign of a clause. */
const MARKER = /^(?:\(?(?:\d{1,3}|[a-z]{1,2}|[ivxlc]{1,6})[.)]|\d{1,3}(?:\.\d{1,3}){0,4}\.?|[•·▪◦–—-])$/i;
const MAX_MARKER = 12;
const HEADING = /^H[1-6]$/;
const MAX_WRAPPERS = 4;

/**
 * Makes text of what a table only places: a heading in a row of its own ends a table, a clause goes on after its letter, and
 * the signature of a function is one line.
 * @returns the table, or what stands in its place
 */
export function takePlacedTable(table: TreeNode): TreeNode {
  const rows = rowsOf(table);
  const headings = rows.filter((row) => headingIn(row) !== null);
  if (headings.length > 0 && headings.length < rows.length) return split(table, rows);
  if (rows.length === 1) for (const row of rows) joinClause(row);
  return /(?:^|\s)memname(?:\s|$)/.test(table.classes) ? joinSignature(table, rows) : table;
}

function rowsOf(table: TreeNode): TreeNode[] {
  const rows: TreeNode[] = [];
  for (let child = table.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeName === 'TR') rows.push(child);
    else if (child.nodeName === 'TBODY') rows.push(...child.children.filter(({ nodeName }) => nodeName === 'TR'));
    else if (child.nodeName === 'THEAD' && child.firstChild !== null) return [];
  }
  return rows;
}

/** The cell of a row that holds a heading and nothing else. */
function headingIn(row: TreeNode): TreeNode | null {
  const cell = elementFrom(row.firstChild);
  if (cell === null || elementFrom(cell.nextSibling) !== null) return null;
  const heading = elementFrom(cell.firstChild);
  return heading !== null && HEADING.test(heading.nodeName) && elementFrom(heading.nextSibling) === null ? cell : null;
}

/** Parts a table at the headings in it. */
function split(table: TreeNode, rows: readonly TreeNode[]): TreeNode {
  const place = new TreeNode(ELEMENT, 'div');
  table.parentNode?.insertBefore(place, table);
  let part: TreeNode | null = null;
  for (const row of rows) {
    row.remove();
    const cell = headingIn(row);
    if (cell !== null) {
      part = null;
      moveChildren(cell, place);
      continue;
    }
    if (part === null) {
      part = new TreeNode(ELEMENT, 'table', '', table.attributes);
      place.appendChild(part);
    }
    part.appendChild(row);
  }
  table.remove();
  return place;
}

/** Doxygen writes the parts of a signature in cells, with the spaces between them. */
function joinSignature(table: TreeNode, rows: readonly TreeNode[]): TreeNode {
  const line = new TreeNode(ELEMENT, 'p');
  table.parentNode?.insertBefore(line, table);
  for (const row of rows) for (const cell of row.children) moveChildren(cell, line);
  table.remove();
  return line;
}

function joinClause(row: TreeNode): void {
  let first = elementFrom(row.firstChild);
  // Empty cells only indent it.
  while (first?.nodeName === 'TD' && first.firstChild === null) first = elementFrom(first.nextSibling);
  const second = first === null ? null : elementFrom(first.nextSibling);
  if (first?.nodeName !== 'TD' || second?.nodeName !== 'TD' || elementFrom(second.nextSibling) !== null) return;
  for (const inside of first.descendants()) {
    if (inside.nodeName === 'TABLE' || inside.data.length > 10 * MAX_MARKER) return;
  }
  const marker = readText(first).trim();
  if (marker.length > MAX_MARKER || !MARKER.test(marker)) return;
  let place = second;
  for (let level = 0; level < MAX_WRAPPERS; level += 1) {
    const inner = firstPart(place);
    if (inner?.nodeName !== 'P' && inner?.nodeName !== 'DIV') break;
    place = inner;
  }
  place.insertBefore(new TreeNode(TEXT, '#text', `${marker} `), place.firstChild);
  first.remove();
}

/** The first child, if no text comes before it. */
function firstPart({ firstChild }: TreeNode): TreeNode | null {
  let child = firstChild;
  while (child !== null && child.nodeType !== ELEMENT && child.data.trim() === '') child = child.nextSibling;
  return child;
}
