import { readEmbed } from '../embeds/embeds.ts';
import { ELEMENT, TEXT, type TreeNode, walk } from '../parse/tree.ts';
import { isTrackingPixel, restoreImage } from './images.ts';
import { NAME, namesOf } from './names.ts';
import { StreamedParts } from './streamed.ts';

const UNREAD = new Set('STYLE TEMPLATE SVG CANVAS SELECT BUTTON TEXTAREA'.split(' '));
const HIDDEN = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** If a page has less text than this outside its noscript elements, scripts make the page, and these elements are its text. */
const LEAST_CHARACTERS = 200;
/** Least share of the text outside noscript elements. One that is not closed contains the rest of the page. */
const LEAST_SHARE = 0.5;
/** A page with so many times more hidden text than text that is hardly any text is shown by a script. */
const MOST_HIDDEN = 10;

/**
 * Removes what no reader of the page sees, hidden text included: text for programs alone may be hostile. Parts that a reader
 * can open (tabs, accordions) stay. Images that scripts load later get their address.
 */
export function removeUnread(body: TreeNode): void {
  const noscripts: TreeNode[] = [];
  const hidden: TreeNode[] = [];
  const streamed = new StreamedParts();
  let unread: TreeNode | undefined;
  walk(body, {
    enter(node) {
      if (node.nodeType !== ELEMENT) return 'past';
      if (streamed.passPlace(node)) return 'past';
      if (isUnread(node)) {
        unread = node;
        return 'past';
      }
      if (isHidden(node) && !streamed.passHidden(node)) {
        hidden.push(node);
        return 'past';
      }
      if (node.nodeName === 'IMG') restoreImage(node);
      else if (node.nodeName === 'NOSCRIPT') noscripts.push(node);
      return 'into';
    },
    leave(node) {
      if (node === unread) node.remove();
    },
  });
  streamed.moveAll();
  removeHidden(hidden, body);
  if (noscripts.length > 0 && readsWithout(noscripts, body)) for (const part of noscripts) part.remove();
}

function isUnread(node: TreeNode): boolean {
  const { nodeName } = node;
  if (UNREAD.has(nodeName)) return true;
  if (nodeName === 'IFRAME') return readEmbed(node) === null;
  if (nodeName === 'SCRIPT') return !isMath(node);
  return nodeName === 'IMG' && isTrackingPixel(node);
}

function isHidden(node: TreeNode): boolean {
  if (node.attributes.length === 0) return false;
  const style = node.getAttribute('style');
  const isHidden = (style !== null && HIDDEN.test(style)) || node.getAttribute('hidden') !== null;
  return isHidden && (namesOf(node) & NAME.disclosure) === 0;
}

function isMath(script: TreeNode): boolean {
  const type = script.getAttribute('type');
  return type !== null && /^\s*math\/tex/i.test(type);
}

/** Removes hidden elements, unless a script shows the page: then nearly all text is in them. */
function removeHidden(hidden: readonly TreeNode[], body: TreeNode): void {
  if (hidden.length === 0) return;
  const all = countText(body);
  const inside = hidden.reduce((sum, part) => sum + countText(part), 0);
  const outside = all - inside;
  if (outside < LEAST_CHARACTERS && inside > MOST_HIDDEN * Math.max(outside, LEAST_CHARACTERS)) return;
  for (const part of hidden) part.remove();
}

/** Whether a page has enough text outside its noscript elements. */
function readsWithout(noscripts: readonly TreeNode[], body: TreeNode): boolean {
  const parts = noscripts.reduce((sum, part) => sum + countText(part), 0);
  const outside = countText(body) - parts;
  return outside >= LEAST_CHARACTERS && outside >= LEAST_SHARE * (outside + parts);
}

/** Characters of the text below a node. */
function countText(root: TreeNode): number {
  let characters = 0;
  walk(root, {
    enter(node) {
      if (node.nodeType === TEXT) characters += node.data.trim().length;
      return 'into';
    },
  });
  return characters;
}
