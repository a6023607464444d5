import { ELEMENT, nextOutside, TEXT, type TreeNode } from '../parse/tree.ts';
import { isTrackingPixel, restoreImage } from './images.ts';
import { NAME, namesOf } from './names.ts';

const UNREAD = new Set('STYLE TEMPLATE IFRAME OBJECT SVG CANVAS SELECT BUTTON TEXTAREA'.split(' '));
const HIDDEN = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Less text than this beside its noscript parts: the page is made by scripts, and they are what there is to read. */
const LEAST_CHARACTERS = 200;
/** A part that was never closed holds what follows it. */
const LEAST_SHARE = 0.5;

/**
 * Takes out what nobody who looks at the page reads, hidden text too: who writes for programs alone has no good reason
 * to. What can be opened (a tab, an accordion) stays. Images that are loaded late get their address.
 */
export function removeUnread(body: TreeNode): void {
  const noscripts: TreeNode[] = [];
  for (let node = body.firstChild; node !== null; ) {
    const at: TreeNode = node;
    if (at.nodeType !== ELEMENT) node = nextOutside(at, body);
    else if (isUnread(at)) {
      node = nextOutside(at, body);
      at.parentNode?.removeChild(at);
    } else {
      if (at.nodeName === 'IMG') restoreImage(at);
      else if (at.nodeName === 'NOSCRIPT') noscripts.push(at);
      node = at.firstChild ?? nextOutside(at, body);
    }
  }
  if (noscripts.length > 0 && readsWithout(noscripts, body)) {
    for (const part of noscripts) part.parentNode?.removeChild(part);
  }
}

function isUnread(node: TreeNode): boolean {
  const { nodeName } = node;
  if (UNREAD.has(nodeName)) return true;
  if (nodeName === 'SCRIPT') return !/^\s*math\/tex/i.test(node.getAttribute('type') ?? '');
  if (nodeName === 'IMG') return isTrackingPixel(node);
  if (node.attributes.length === 0) return false;
  const style = node.getAttribute('style');
  const isHidden = (style !== null && HIDDEN.test(style)) || node.getAttribute('hidden') !== null;
  return isHidden && (namesOf(node) & NAME.disclosure) === 0;
}

function readsWithout(noscripts: readonly TreeNode[], body: TreeNode): boolean {
  const parts = noscripts.reduce((sum, part) => sum + countText(part, false), 0);
  const outside = countText(body, true);
  return outside >= LEAST_CHARACTERS && outside >= LEAST_SHARE * (outside + parts);
}

function countText(root: TreeNode, isOutside: boolean): number {
  let characters = 0;
  for (let node = root.firstChild; node !== null; ) {
    const at: TreeNode = node;
    if (at.nodeType === TEXT) characters += at.data.trim().length;
    const isSkipped = isOutside && at.nodeName === 'NOSCRIPT';
    node = isSkipped ? nextOutside(at, root) : (at.firstChild ?? nextOutside(at, root));
  }
  return characters;
}
