import { elementFrom, type TreeNode } from '../../parse/tree.ts';
import { declarationsOf } from '../../style/declarations.ts';
import { verbatim } from '../text/marks.ts';

/** Most elements between the checkbox of a task and its list item, such as a label or a paragraph. */
const MAX_WRAPPERS = 4;

/** The class of a box that is drawn by a style sheet, as Notion writes it. */
const DRAWN = /(?:^|\s)checkbox-(on|off)(?:\s|$)/;

/** The box of a task in Markdown, with a space after it. */
export function writeBox(isChecked: boolean): string {
  return `${verbatim(isChecked ? '[x]' : '[ ]')} `;
}

/** Whether a list item that says its state itself is done. Null for other items. */
export function readItemState(item: TreeNode): boolean | null {
  const list = item.parentNode;
  if (item.attributes.length === 0 && (list === null || list.attributes.length === 0)) return null;
  const state =
    item.getAttribute('data-checked') ??
    (item.getAttribute('role') === 'checkbox' ? item.getAttribute('aria-checked') : null) ??
    list?.getAttribute('data-checked') ??
    declarationsOf(item).get('--en-checked') ??
    item.getAttribute('data-list') ??
    DRAWN.exec(elementFrom(item.firstChild)?.classes ?? '')?.[1];
  if (state === 'on') return true;
  if (state === 'off') return false;
  if (state === 'true' || state === 'checked' || state === '') return true;
  return state === 'false' || state === 'unchecked' ? false : null;
}

/** Whether the checkbox of a task is checked. Null for elements that are none, and for boxes outside list items and cells. */
export function readCheckbox(node: TreeNode): boolean | null {
  if (node.nodeName === 'LI') return null;
  const isInput = node.nodeName === 'INPUT';
  const kind = isInput ? node.getAttribute('type')?.toLowerCase() : node.getAttribute('role');
  if (kind !== 'checkbox' || !isInItem(node)) return null;
  if (isInput && node.getAttribute('checked') !== null) return true;
  return node.getAttribute('aria-checked') === 'true';
}

/** Whether a checkbox is that of a list item, or all of a cell. Others belong to forms. An item that says its state has no other box. */
function isInItem(node: TreeNode): boolean {
  // Others in cells select rows.
  const isFixed = ['checked', 'disabled', 'readonly'].some((name) => node.getAttribute(name) !== null);
  let at = node.parentNode;
  for (let level = 0; level < MAX_WRAPPERS && at !== null; level += 1, at = at.parentNode) {
    if (at.nodeName === 'LI') return readItemState(at) === null;
    if (at.nodeName === 'TD') return isFixed && at.textContent.trim() === '';
  }
  return false;
}
