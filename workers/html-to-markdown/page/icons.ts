import { isBadge } from '../metadata/plain-text.ts';
import { ELEMENT, nextOutside, TEXT, TreeNode } from '../parse/tree.ts';

/** Classes of text for screen readers, which says what an icon beside it shows. */
const SPOKEN =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-only|-text)?|assistive-text|a11y-text|u-hidden-visually|vh)(?:\s|$)/i;
/** Larger cells and links have text, or are not about an icon. */
const MAX_NODES = 60;
const MAX_LEVELS = 4;
/** Elements in an element that is a picture. */
const MAX_LAYERS = 10;
/** Elements whose title stands for an icon. Titles of others tell what a click does. */
const TITLED = new Set('A ABBR I SPAN SVG'.split(' '));
const SENTENCES = new Set(['P', 'DD']);
/** A link in these may be a button, unless there is text right beside it. */
const LINES = new Set(['LI', 'DIV', 'SPAN']);
const DRAWING = /\.svg(?:[?#]|$)/i;
const BACKGROUND = /url\(\s*["']?([^"')\s]+)/;

/** Writes what the icons in a cell, or in a link in a sentence, stand for, if it has no text and no picture. */
export function nameIcons(place: TreeNode): void {
  if (place.nodeName === 'A' && !isInLine(place)) return;
  for (const icon of findIcons(place)) write(icon);
}

function isInLine(link: TreeNode): boolean {
  const name = link.parentNode?.nodeName ?? '';
  if (!LINES.has(name) || link.getAttribute('href') === '#') return SENTENCES.has(name);
  return isBesideText(link, 'previousSibling') || isBesideText(link, 'nextSibling');
}

/** Whether text, or an element that begins with text and is no link, is right beside a link. */
function isBesideText(link: TreeNode, direction: 'previousSibling' | 'nextSibling'): boolean {
  let at = link[direction];
  if (at?.nodeType === TEXT && at.data.trim() === '') at = at[direction];
  const text = at?.nodeType === ELEMENT && at.nodeName !== 'A' ? at.firstChild : at;
  return text?.nodeType === TEXT && text.data.trim() !== '';
}

/** An element and the words that stand for it. Null: its own text does. */
interface Icon {
  readonly node: TreeNode;
  readonly words: string | null;
}

function findIcons(place: TreeNode): readonly Icon[] {
  const own = place.nodeName === 'A' ? wordsOf(place) : '';
  const icons: Icon[] = [];
  let nodes = 0;
  let node = place.firstChild;
  while (node !== null) {
    nodes += 1;
    if (nodes > MAX_NODES || isShown(node)) return [];
    const icon = node.nodeType === ELEMENT ? readIcon(node) : null;
    if (icon !== null) {
      // Icons come in document order, so only the last one can be around this one. Its own text says more than its title.
      const isInner = holds(icons.at(-1)?.node, icon.node, place);
      if (isInner && icon.words === null) icons.pop();
      if (!isInner || icon.words === null) icons.push(icon);
    }
    node = (icon?.words === null || node.nodeName === 'SVG' ? null : node.firstChild) ?? nextOutside(node, place);
  }
  return icons.length === 0 && own !== '' ? [{ node: place, words: own }] : icons;
}

function holds(around: TreeNode | undefined, node: TreeNode, place: TreeNode): boolean {
  let at = node.parentNode;
  while (at !== null && at !== around && at !== place) at = at.parentNode;
  return at === around;
}

function isShown({ nodeType, nodeName, data }: TreeNode): boolean {
  if (nodeType === TEXT) return data.trim() !== '';
  return nodeName === 'IMG' || nodeName === 'INPUT' || nodeName === 'TABLE';
}

function readIcon(node: TreeNode): Icon | null {
  if (node.nodeName !== 'SVG') {
    if (node.attributes.length === 0) return null;
    if (SPOKEN.test(node.classes)) return { node, words: null };
    const words = wordsOf(node);
    return words === '' ? null : { node, words };
  }
  const title = node.children.find(({ nodeName }) => nodeName === 'TITLE');
  const words = wordsOf(node) || (title?.firstChild?.data.trim() ?? '');
  return words === '' ? null : { node, words };
}

function wordsOf(node: TreeNode): string {
  const title = TITLED.has(node.nodeName) ? node.getAttribute('title') : null;
  return (node.getAttribute('aria-label') || title || '').trim();
}

function write({ node, words }: Icon): void {
  const { parentNode } = node;
  if (words === null) {
    for (const child of node.childNodes) {
      child.remove();
      parentNode?.insertBefore(child, node);
    }
  } else if (node.nodeName === 'A') node.appendChild(textNode(words));
  else parentNode?.insertBefore(textNode(words), node);
}

function textNode(text: string): TreeNode {
  return new TreeNode(TEXT, '#text', text);
}

/** Parts the marks in a title from the name that they follow. */
export function partBadges(title: TreeNode): void {
  for (let child = title.firstChild; child !== null; child = child.nextSibling) {
    if (child.previousSibling !== null && isBadge(child)) title.insertBefore(textNode(' '), child);
  }
}

/** Writes what an element without text or pictures shows, if it says that it is a picture. */
export function namePicture(node: TreeNode): void {
  if (node.getAttribute('role') !== 'img' || node.nodeName === 'SVG' || node.nodeName === 'IMG') return;
  const words = wordsOf(node);
  if (words === '' || isInControl(node)) return;
  let nodes = 0;
  for (const inside of node.descendants()) {
    nodes += 1;
    if (nodes > MAX_LAYERS || isShown(inside) || inside.nodeName === 'SVG') return;
  }
  const address = BACKGROUND.exec(node.getAttribute('style') ?? '')?.[1];
  if (address !== undefined) {
    if (DRAWING.test(address)) return;
    const attributes = [
      { name: 'src', value: address },
      { name: 'alt', value: words },
    ];
    node.appendChild(new TreeNode(ELEMENT, 'img', '', attributes));
  } else if (node.nodeName === 'DIV') node.appendChild(textNode(words));
}

/** Whether a picture is that of a link or a button, as a color to choose. */
function isInControl(node: TreeNode): boolean {
  let at = node.parentNode;
  for (let level = 0; level < MAX_LEVELS && at !== null; level += 1, at = at.parentNode) {
    if (at.nodeName === 'A' || at.nodeName === 'BUTTON') return true;
  }
  return false;
}
