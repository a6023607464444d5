import { readEmbed } from '../embeds/embeds.ts';
import { ELEMENT, TEXT, type TreeNode, walk } from '../parse/tree.ts';
import { isContentButton, removeSigns } from './buttons.ts';
import { keepSource } from './formulas.ts';
import { hidingOf } from './hidden.ts';
import { isTrackingPixel, restoreImage } from './images.ts';
import { ShadowTrees } from './shadow.ts';
import { StreamedParts } from './streamed.ts';

const UNREAD = new Set('STYLE TEMPLATE SVG CANVAS DATALIST'.split(' '));
/** Elements without text of the page. They stay without it, since they tell what the part around them is for. */
const CONTROLS = new Set('SELECT TEXTAREA BUTTON'.split(' '));
/** If a page has less text than this outside its noscript elements, scripts make the page, and these elements are its text. */
const LEAST_CHARACTERS = 200;
/** Least share of the text outside noscript elements. One that is not closed contains the rest of the page. */
const LEAST_SHARE = 0.5;
/** A page with so many times more hidden text than text that is hardly any text is shown by a script. */
const MOST_HIDDEN = 10;
/** A page with more than this share of its text without size, color or place on the screen shows it later. */
const MOST_STYLED = 0.2;
/** Classes of links that open the editor of a wiki or of the source of a page. */
const EDIT_CLASS =
  /(?:^|[\s_-])(?:edit-?section|secedit|edit-?(?:this-?)?(?:page|link)|edit-?on-?git(?:hub|lab)?)(?:$|[\s_-])/i;
/** Addresses of such editors. */
const EDIT_ADDRESS = /[?&](?:ve)?action=edit(?:&|$)|^https?:\/\/(?:github|gitlab)\.com\/.{1,200}\/edit\//i;

/**
 * Removes what no reader of the page sees, hidden text included: text for programs alone may be hostile. Parts that a reader
 * can open (tabs, accordions) stay. Images that scripts load later get their address.
 */
export function removeUnread(body: TreeNode): void {
  const noscripts: TreeNode[] = [];
  const hidden: TreeNode[] = [];
  const styled: TreeNode[] = [];
  const streamed = new StreamedParts();
  const shadows = new ShadowTrees();
  let unread: TreeNode | undefined;
  /** The element without size, color or place that the walk is in. */
  let outer: TreeNode | undefined;
  walk(body, {
    enter(node) {
      if (node.nodeType !== ELEMENT) return 'past';
      if (streamed.passPlace(node)) return 'past';
      if (isUnread(node)) {
        if (node.nodeName === 'TEMPLATE') shadows.place(node);
        else if (node.nodeName === 'SVG') keepSource(node);
        unread = node;
        return 'past';
      }
      if (CONTROLS.has(node.nodeName) || isLinkedButton(node)) {
        if (node.nodeName !== 'SELECT' && node.nodeName !== 'TEXTAREA' && isContentButton(node)) removeSigns(node);
        else node.removeChildren();
      }
      const hiding = hidingOf(node);
      if (hiding === 'whole' && !streamed.passHidden(node)) {
        hidden.push(node);
        return 'past';
      }
      if (hiding === 'styled' && outer === undefined) {
        outer = node;
        styled.push(node);
      }
      if (node.nodeName === 'IMG') restoreImage(node);
      else if (node.nodeName === 'NOSCRIPT') noscripts.push(node);
      return 'into';
    },
    leave(node) {
      if (node === outer) outer = undefined;
      if (node === unread) node.remove();
    },
  });
  streamed.moveAll();
  removeHidden(hidden, body);
  removeStyled(styled, body);
  if (noscripts.length > 0 && readsWithout(noscripts, body)) for (const part of noscripts) part.remove();
}

function isUnread(node: TreeNode): boolean {
  const { nodeName } = node;
  if (UNREAD.has(nodeName)) return true;
  if (nodeName === 'IFRAME') return readEmbed(node) === null;
  if (nodeName === 'SCRIPT') return !isMath(node);
  if (nodeName === 'DIALOG') return node.getAttribute('open') === null;
  if (nodeName === 'A' || nodeName === 'SPAN' || nodeName === 'DIV') return isEditLink(node);
  return nodeName === 'IMG' && isTrackingPixel(node);
}

/** Whether a link is a button: it leads nowhere. */
function isLinkedButton(node: TreeNode): boolean {
  if (node.nodeName !== 'A' || node.getAttribute('role') !== 'button') return false;
  const href = node.getAttribute('href')?.trim();
  return href === undefined || href === '' || href === '#' || href.startsWith('javascript:');
}

function isEditLink(node: TreeNode): boolean {
  if (node.attributes.length === 0) return false;
  const { classes } = node;
  if (classes.includes('dit') && EDIT_CLASS.test(classes)) return true;
  const address = node.nodeName === 'A' ? node.getAttribute('href') : null;
  return address !== null && EDIT_ADDRESS.test(address);
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

/** Removes elements without size, color or place on the screen, unless they have much of the text: then a script shows them. */
function removeStyled(styled: readonly TreeNode[], body: TreeNode): void {
  if (styled.length === 0) return;
  const all = countText(body);
  const inside = styled.reduce((sum, part) => sum + countText(part), 0);
  if (inside > all * MOST_STYLED) return;
  for (const part of styled) part.remove();
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
