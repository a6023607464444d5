import { defined } from '../../exact/defined.ts';
import { readEmbed } from '../embeds/embeds.ts';
import { hostOf } from '../metadata/hosts.ts';
import { ELEMENT, TEXT, type TreeNode, walk } from '../parse/tree.ts';
import { isContentButton, isSwitch, removeSigns } from './buttons.ts';
import { keepSource } from './formulas.ts';
import { hidingBy, hidingOf } from './hidden.ts';
import { nameIcons, namePicture } from './icons.ts';
import { isTrackingPixel, repeatsImage, restoreImage } from './images.ts';
import { restoreMailAddress } from './mail-address.ts';
import { ShadowTrees } from './shadow.ts';
import { StreamedParts } from './streamed.ts';

type Kind = 'place' | 'label' | 'unread' | 'control' | 'script' | 'frame' | 'dialog' | 'image' | 'noscript';
/** Elements that may not be read, or of which more is read than their attributes. */
const KINDS = new Map<string, Kind>([
  ...'STYLE TEMPLATE SVG CANVAS DATALIST'.split(' ').map((name): [string, Kind] => [name, 'unread']),
  ...'TD TH DD A'.split(' ').map((name): [string, Kind] => [name, 'place']),
  ['LABEL', 'label'],
  ['SELECT', 'control'],
  ['TEXTAREA', 'control'],
  ['BUTTON', 'control'],
  ['SCRIPT', 'script'],
  ['IFRAME', 'frame'],
  ['DIALOG', 'dialog'],
  ['IMG', 'image'],
  ['NOSCRIPT', 'noscript'],
]);
/** If a page has less text than this outside its noscript elements, scripts make the page, and these elements are its text. */
const LEAST_CHARACTERS = 200;
/** Least share of the text outside noscript elements. One that is not closed contains the rest of the page. */
const LEAST_SHARE = 0.5;
/** A page with so many times more hidden text than text that is hardly any text is shown by a script. */
const MOST_HIDDEN = 10;
/** A page with more than this share of its text without size, color or place on the screen shows it later. */
const MOST_STYLED = 0.2;
/** Classes of links to the source of an item. */
const SOURCE_CLASS = /(?:^|\s)(?:src|srclink)(?:\s|$)/;
/** What rustdoc writes above a description and beside a name, and what Doxygen shows over a name. */
const MAX_NOISE_CLASS = 15;
const NOISE_CLASS = /^(?:hideme|ttc|src(?:link| rightside)?)$/;
const SEPARATOR = /^\s*[·•|]\s*$/;
/** Classes of links that open the editor of a wiki or of the source of a page. */
const EDIT_CLASS =
  /(?:^|[\s_-])(?:edit-?section|secedit|edit-?(?:this-?)?(?:page|link)|edit-?on-?git(?:hub|lab)?)(?:$|[\s_-])/i;
const WAYS = new Set('next prev previous up contents index start first last top help'.split(' '));
const PANELS = new Set(['P', 'DIV', 'TD']);
/** Characters beside the links to the pages around a page: "Next:", "Up:". */
const MAX_PANEL = 60;
const MAX_PANEL_NODES = 30;
/** Addresses of such editors, and of the forms of a board. */
const EDIT_ADDRESS =
  /[?&](?:ve)?action=edit(?:&|$)|^\.\/posting\.php|^https?:\/\/(?:github|gitlab)\.com\/.{1,200}\/edit\//i;

/**
 * Removes what no reader of the page sees, hidden text included: text for programs alone may be hostile. Parts that a reader
 * can open (tabs, accordions) stay. Images that scripts load later get their address.
 */
export function removeUnread(body: TreeNode): void {
  const hidden: TreeNode[] = [];
  const styled = new Parts();
  const noscripts = new Parts();
  const streamed = new StreamedParts();
  const shadows = new ShadowTrees();
  let unread: TreeNode | undefined;
  let panel: TreeNode | null = null;
  /** Characters of the text that was read. */
  let read = 0;
  walk(body, {
    enter(node) {
      if (node.nodeType === TEXT) read += node.trimmedLength;
      if (node.nodeType !== ELEMENT) return 'past';
      const kind = KINDS.get(node.nodeName);
      if (kind === 'unread' && streamed.passPlace(node)) return 'past';
      const marks = node.attributes.length === 0 ? 0 : marksOf(node);
      if ((kind !== undefined && isUnread(node, kind)) || ((marks & MARK.editor) !== 0 && isEditLink(node))) {
        if (node.nodeName === 'TEMPLATE') shadows.place(node);
        else if (node.nodeName === 'SVG') keepSource(node);
        else if (node.nodeName === 'A') removeSeparators(node);
        unread = node;
        return 'past';
      }
      const hiding = (marks & MARK.hides) === 0 ? null : hidingOf(node);
      if (hiding === 'whole' && !streamed.passHidden(node)) {
        hidden.push(node);
        return 'past';
      }
      if (hiding === 'styled') styled.enter(node, read);
      if ((marks & MARK.way) !== 0 && node.nodeName === 'A') panel = panelAround(node) ?? panel;
      if ((marks & MARK.mail) !== 0) restoreMailAddress(node);
      if ((marks & MARK.role) !== 0) namePicture(node);
      if (kind === 'place') nameIcons(node);
      if (kind === 'control' || ((marks & MARK.role) !== 0 && isLinkedButton(node))) readControl(node);
      else if (kind === 'image') restoreImage(node);
      else if (kind === 'noscript') noscripts.enter(node, read);
      return 'into';
    },
    leave(node) {
      if (node === styled.open) styled.leave(read);
      else if (node === noscripts.open) noscripts.leave(read);
      if (node === unread || node === panel) node.remove();
    },
  });
  streamed.moveAll();
  if (!isShownByScript(hidden, read)) for (const part of hidden) part.remove();
  if (styled.characters <= read * MOST_STYLED) read -= styled.remove();
  const outside = read - noscripts.characters;
  if (outside >= LEAST_CHARACTERS && outside >= LEAST_SHARE * read) noscripts.remove();
}

/** Outermost elements of a kind, and the characters of the text in them. */
class Parts {
  characters = 0;
  /** The one that is not left yet. */
  open: TreeNode | undefined;
  private readonly nodes: TreeNode[] = [];
  private start = 0;

  /** `read`: the characters of the page before the element. */
  enter(node: TreeNode, read: number): void {
    if (this.open !== undefined) return;
    this.open = node;
    this.start = read;
    this.nodes.push(node);
  }

  leave(read: number): void {
    this.open = undefined;
    this.characters += read - this.start;
  }

  /** @returns the characters that are removed */
  remove(): number {
    for (const node of this.nodes) node.remove();
    return this.characters;
  }
}

function isUnread(node: TreeNode, kind: Kind): boolean {
  switch (kind) {
    case 'unread':
      return true;
    case 'script':
      return !isMath(node);
    case 'frame':
      return readEmbed(node) === null;
    case 'dialog':
      return node.getAttribute('open') === null;
    case 'image':
      return isTrackingPixel(node);
    case 'noscript':
      return repeatsImage(node);
    case 'label':
      return isSwitch(node);
    default:
      return false;
  }
}

/** Leaves only the text of a control that is content. The element stays, since it tells what the part around it is for. */
function readControl(node: TreeNode): void {
  const isButton = node.nodeName !== 'SELECT' && node.nodeName !== 'TEXTAREA';
  if (isButton && isContentButton(node)) removeSigns(node);
  else node.removeChildren();
}

/** Whether a link is a button: it leads nowhere, and stands beside no text. */
function isLinkedButton(node: TreeNode): boolean {
  if (node.nodeName !== 'A' || node.getAttribute('role') !== 'button') return false;
  if (isText(node.previousSibling) || isText(node.nextSibling)) return false;
  const href = node.getAttribute('href')?.trim();
  return href === undefined || href === '' || href === '#' || href.startsWith('javascript:');
}

function isText(node: TreeNode | null): boolean {
  return node !== null && node.nodeType === TEXT && node.data.trim() !== '';
}

function isEditLink(node: TreeNode): boolean {
  const { nodeName } = node;
  if ((nodeName === 'A' || nodeName === 'SPAN' || nodeName === 'DIV') && EDIT_CLASS.test(node.classes)) return true;
  if (nodeName === 'SUMMARY' && node.classes === 'hideme') return true;
  if (nodeName === 'DIV' && node.classes === 'ttc') return true;
  if (nodeName !== 'A') return false;
  const href = node.getAttribute('href') ?? '';
  // A link to the source on another site is a source.
  return (SOURCE_CLASS.test(node.classes) && hostOf(href) === null) || EDIT_ADDRESS.test(href);
}

/** Removes the signs that part a link from what is beside it. */
function removeSeparators({ previousSibling, nextSibling }: TreeNode): void {
  for (const beside of [previousSibling, nextSibling]) {
    if (beside?.nodeType === TEXT && SEPARATOR.test(beside.data)) beside.data = ' ';
  }
}

/** Whether a link leads to the next page of a manual, or another one around it. */
function isWayLink(node: TreeNode): boolean {
  return node.nodeName === 'A' && WAYS.has(node.getAttribute('rel') ?? '');
}

/** The line or cell of a manual's links to the pages around it, as Texinfo writes it. Null if it has other content. */
function panelAround({ parentNode }: TreeNode): TreeNode | null {
  if (parentNode === null || !PANELS.has(parentNode.nodeName)) return null;
  let characters = 0;
  let nodes = 0;
  for (let child = parentNode.firstChild; child !== null; child = child.nextSibling) {
    nodes += 1;
    if (child.nodeType === TEXT) characters += child.trimmedLength;
    else if (child.nodeType === ELEMENT && !isWayLink(child)) return null;
    if (characters > MAX_PANEL || nodes > MAX_PANEL_NODES) return null;
  }
  return parentNode;
}

/** What the attributes of an element may say. */
const MARK = { hides: 1, editor: 2, role: 4, mail: 8, way: 16 } as const;

/** Reads all attributes once, since most elements have none of these marks. */
function marksOf({ attributes }: TreeNode): number {
  let marks = 0;
  for (let index = 0; index < attributes.length; index += 1) {
    const { name, value } = defined(attributes[index]);
    // The length is tested first, because most names are others.
    const { length } = name;
    if (length === 5) {
      if (name === 'class' && (value.includes('dit') || (value.length < MAX_NOISE_CLASS && NOISE_CLASS.test(value))))
        marks |= MARK.editor;
      else if (name === 'style' && hidingBy(value) !== null) marks |= MARK.hides;
    } else if (length === 4) {
      if (name === 'href') {
        if (value.includes('edit') || value.startsWith('./posting.php') || value.includes('.rs.html'))
          marks |= MARK.editor;
        if (value.includes('email-protection')) marks |= MARK.mail;
      } else if (name === 'role') marks |= MARK.role;
    } else if (length === 3) {
      if (name === 'rel' && WAYS.has(value)) marks |= MARK.way;
    } else if (length === 12) {
      if (name === 'data-cfemail') marks |= MARK.mail;
    } else if (length === 6 && name === 'hidden') marks |= MARK.hides;
  }
  return marks;
}

function isMath(script: TreeNode): boolean {
  const type = script.getAttribute('type');
  return type !== null && /^\s*math\/tex/i.test(type);
}

/** Whether nearly all text of a page is in its hidden elements. `outside`: the characters of the text outside of them. */
function isShownByScript(hidden: readonly TreeNode[], outside: number): boolean {
  if (outside >= LEAST_CHARACTERS) return false;
  const inside = hidden.reduce((sum, part) => sum + countText(part), 0);
  return inside > MOST_HIDDEN * LEAST_CHARACTERS;
}

/** Characters of the text below a node. */
function countText(root: TreeNode): number {
  let characters = 0;
  walk(root, {
    enter(node) {
      if (node.nodeType === TEXT) characters += node.trimmedLength;
      return 'into';
    },
  });
  return characters;
}
