import { ELEMENT, elementFrom, TEXT, type TreeNode, walk } from '../parse/tree.ts';
import { NAME, namesOf } from './names.ts';

/** Elements that are about one thing. A button that is all of their text names that thing. */
const TITLES = new Set('H1 H2 H3 H4 H5 H6 TH TD DT SUMMARY CAPTION LEGEND'.split(' '));
/** Elements whose text is sentences. */
const SENTENCES = new Set('P LI DD TD FIGCAPTION BLOCKQUOTE'.split(' '));
const PICTURES = new Set(['FIGURE', 'P']);
const MAX_WRAPPERS = 4;
const WORD = /[\p{L}\p{N}]/u;
/** Signs that open a note or a menu. */
const SIGN = /^\s*[^\s\p{L}\p{N}]{1,2}\s*$/u;
const VIEW_SOURCE = /view-?source/i;
const OPENS = /accordion|collaps|disclosure|expand|faq|question/i;
const ENLARGES = /zoom|lightbox|enlarge|gallery|thumb|image|photo|picture/i;
const ICON = /\.svg(?:[?#]|$)|icon|logo/i;
const LEAST_PICTURE = 64;
/** Nodes of a panel, or beside a button, that are looked at. */
const MAX_NODES = 100;

/** Whether a button is part of the content: a title, a word of a sentence, a picture that it enlarges, what opens a panel of text. */
export function isContentButton(button: TreeNode): boolean {
  const words = readWords(button);
  if (!WORD.test(words)) return showsPicture(button);
  return isInSentence(button) || isTitle(button) || opensText(button);
}

/** Whether a label only switches something on the page: a note in the margin, the source of a function. */
export function isSwitch(label: TreeNode): boolean {
  return label.getAttribute('for') !== null && (VIEW_SOURCE.test(label.classes) || SIGN.test(readWords(label)));
}

/** Removes the signs of a button that is content, such as the plus of a question that can be opened. */
export function removeSigns(button: TreeNode): void {
  for (const child of button.childNodes) {
    if (child.nodeType === ELEMENT && child.nodeName !== 'IMG' && !isRead(child)) child.remove();
  }
}

function isRead(node: TreeNode): boolean {
  return WORD.test(readWords(node)) || node.getElementsByTagName('IMG').length > 0;
}

/** Whether the button is the first one of a heading, a cell or a term that has no text besides its buttons. */
function isTitle(button: TreeNode): boolean {
  const title = titleAround(button);
  if (title === null) return false;
  let first: TreeNode | null = null;
  let hasText = false;
  let nodes = 0;
  walk(title, {
    enter(node) {
      nodes += 1;
      hasText ||= nodes > MAX_NODES || (node.nodeType === TEXT && WORD.test(node.data));
      if (hasText) return 'stop';
      if (node.nodeName !== 'BUTTON') return 'into';
      if (first === null && WORD.test(readWords(node))) first = node;
      return 'past';
    },
  });
  return !hasText && first === button;
}

function titleAround(button: TreeNode): TreeNode | null {
  let at = button.parentNode;
  for (let level = 0; level < MAX_WRAPPERS && at !== null; level += 1, at = at.parentNode) {
    if (TITLES.has(at.nodeName) || at.getAttribute('role') === 'heading') return at;
  }
  return null;
}

/** Whether a sentence goes on after the button. Controls stand at the end of a line. */
function isInSentence(button: TreeNode): boolean {
  let at: TreeNode | null = button;
  for (let level = 0; level < MAX_WRAPPERS && at?.parentNode != null; level += 1, at = at.parentNode) {
    const { nextSibling, parentNode } = at;
    if (SENTENCES.has(parentNode.nodeName)) return nextSibling?.nodeType === TEXT && nextSibling.data.trim() !== '';
    if (nextSibling !== null) return false;
  }
  return false;
}

/** Whether the button opens the text after it: the question of an answer. A menu has links, and tabs stand side by side. */
function opensText(button: TreeNode): boolean {
  const target = button.getAttribute('aria-controls');
  const toggles = button.getAttribute('data-bs-toggle') ?? button.getAttribute('data-toggle') ?? '';
  const opens =
    target !== null || button.getAttribute('aria-expanded') !== null || OPENS.test(`${button.classes} ${toggles}`);
  if (!opens || button.getAttribute('role') === 'tab') return false;
  const next = elementFrom(button.nextSibling);
  const panel = next ?? elementFrom(button.parentNode?.nextSibling ?? null);
  if (panel === null || panel.nodeName === 'BUTTON') return false;
  const isPanel = (namesOf(panel) & NAME.disclosure) !== 0 || (target !== null && panel.getAttribute('id') === target);
  return isPanel && isText(panel);
}

/** Whether a part has more text outside links than in links. */
function isText(panel: TreeNode): boolean {
  let nodes = 0;
  let text = 0;
  let linked = 0;
  walk(panel, {
    enter(node) {
      nodes += 1;
      if (nodes > MAX_NODES) return 'stop';
      if (node.nodeType === TEXT) text += node.data.trim().length;
      if (node.nodeName !== 'A') return 'into';
      linked += readWords(node).length;
      return 'past';
    },
  });
  return text > linked;
}

function showsPicture(button: TreeNode): boolean {
  let image: TreeNode | null = null;
  let nodes = 0;
  for (const node of button.descendants()) {
    nodes += 1;
    if (nodes > MAX_NODES) break;
    if (node.nodeName === 'IMG') image = node;
  }
  if (image === null || ICON.test(image.getAttribute('src') ?? '') || isSmall(image)) return false;
  if (ENLARGES.test(button.classes)) return true;
  let at = button.parentNode;
  for (let level = 0; level < MAX_WRAPPERS && at !== null; level += 1, at = at.parentNode) {
    if (PICTURES.has(at.nodeName)) return true;
  }
  return false;
}

function isSmall(image: TreeNode): boolean {
  return ['width', 'height'].some((name) => Number.parseInt(image.getAttribute(name) ?? '', 10) < LEAST_PICTURE);
}

/** The beginning of the text below a node. */
function readWords(root: TreeNode): string {
  if (root.nodeType === TEXT) return root.data;
  if (root.nodeType !== ELEMENT) return '';
  let text = '';
  let nodes = 0;
  walk(root, {
    enter(node) {
      nodes += 1;
      if (nodes > MAX_NODES) return 'stop';
      if (node.nodeType === TEXT) text += node.data;
      return node.nodeName === 'STYLE' || node.nodeName === 'SVG' ? 'past' : 'into';
    },
  });
  return text;
}
