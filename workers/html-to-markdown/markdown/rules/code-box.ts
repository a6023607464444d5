import { ELEMENT, TEXT, type TreeNode, walk } from '../../parse/tree.ts';
import { declarationsOf } from '../../style/declarations.ts';
import { isGutter } from './code-parts.ts';

/** Classes that highlighters and themes give to the element around code. */
const BOX =
  /(?:^|\s)(?:highlight|fragment|codehilite|chroma|syntaxhighlighter|crayon-(?:syntax|plain-wrap|main)|EnlighterJS\w*|enlighter\w*|hljs|shiki|prism\S*|sourceCode|language-\S+|code-?(?:block|box|toolbar|wrap|wrapper|container|snippet|example|area|frame)\S*)(?:\s|$)/i;
/** Classes of a line of code. */
const LINE = /(?:^|\s)(?:line|crayon-line|code-line|token-line|view-line|enlighter-line)(?:\s|$)/;
/** Names of controls beside code. */
const CONTROL =
  /(?:^|[\s_-])(?:copy|copied|clipboard|clip|toolbar|buttons?|btn|actions?|controls?|tooltip)(?:$|[\s_-])/i;
/** Names of a line above code that names its language. */
const LABEL = /(?:^|[\s_-])(?:head|header|lang|language|label|title)(?:$|[\s_-])/i;
const LANGUAGE_NAME = /^[a-z][a-z\d+#-]{0,15}(?:\.js|\.net)?$/i;
const NO_LANGUAGE = /^(?:copy|copied|code|example|output|plain|plaintext|text|snippet|raw|edit|run|source)$/i;
const MEDIA = new Set('IMG VIDEO AUDIO IFRAME MATH HR'.split(' '));
const MONOSPACE = /mono|courier|consolas|menlo|fixedsys|hack|fira code|inconsolata/;
const PRESERVED = /^(?:pre|pre-wrap|break-spaces)$/;
/** Larger boxes are layout. It limits the time for boxes in boxes. */
const MAX_NODES = 4000;
const MAX_CONTROL_NODES = 50;
/** Elements around a part of a line of code. */
const MAX_LEVELS = 8;

interface CodeBox {
  /** The element whose text is the code. */
  readonly code: TreeNode;
  /** The language that a label in the box names. '' if none. */
  readonly language: string;
}

/** The code in an element that holds nothing else, besides line numbers, controls and the name of its language. */
export function readCodeBox(box: TreeNode): CodeBox | null {
  if (box.attributes.length === 0) return null;
  if (isMonospace(box)) return { code: box, language: '' };
  return BOX.test(box.classes) ? readParts(box) : null;
}

/** The name of a language in a label. '' if the text is something else. */
export function languageOf(label: string): string {
  const name = label.trim();
  return LANGUAGE_NAME.test(name) && !NO_LANGUAGE.test(name) ? name.toLowerCase() : '';
}

/** Whether an element labels the code beside it. */
export function isLabel(node: TreeNode): boolean {
  return node.attributes.length > 0 && LABEL.test(node.classes);
}

/** Whether an element is a control of the code beside it. */
export function isControl(node: TreeNode): boolean {
  return node.nodeName === 'BUTTON' || (node.attributes.length > 0 && CONTROL.test(node.classes));
}

/** Whether a part of a box is a control, or names the language, and is not part of a line of code. */
export function isBesideLines(part: TreeNode, box: TreeNode): boolean {
  if (!isControl(part) && !(isLabel(part) && languageOf(firstText(part)) !== '')) return false;
  let at: TreeNode | null = part;
  for (let level = 0; level < MAX_LEVELS && at !== null && at !== box; level += 1, at = at.parentNode) {
    if (LINE.test(at.classes)) return false;
  }
  return true;
}

/** Whether an element is a line of code, and the line before it ends where it begins. */
export function isNextLine(node: TreeNode): boolean {
  if (node.attributes.length === 0 || !LINE.test(node.classes)) return false;
  const before = node.previousSibling;
  return before?.nodeType === ELEMENT && LINE.test(before.classes);
}

/** The first text below a node. */
export function firstText(root: TreeNode): string {
  for (const node of root.descendants()) if (node.nodeType === TEXT && node.data.trim() !== '') return node.data;
  return '';
}

function readParts(box: TreeNode): CodeBox | null {
  let pre: TreeNode | null = null;
  let language = '';
  let nodes = 0;
  let lines = 0;
  let isPure = true;
  walk(box, {
    enter(node) {
      nodes += 1;
      if (nodes > MAX_NODES) isPure = false;
      if (!isPure) return 'stop';
      if (node.nodeType === TEXT) {
        isPure = node.data.trim() === '';
        return 'into';
      }
      if (isGutter(node)) return 'past';
      if (MEDIA.has(node.nodeName)) isPure = false;
      if (node.nodeName === 'PRE') {
        isPure = pre === null && lines === 0;
        pre = node;
        return 'past';
      }
      if (node.attributes.length === 0) return 'into';
      if (LINE.test(node.classes)) {
        lines += 1;
        isPure = pre === null;
        return 'past';
      }
      if (!LABEL.test(node.classes)) {
        if (!isControl(node)) return 'into';
        language ||= languageIn(node);
        return 'past';
      }
      const label = languageOf(firstText(node));
      if (label === '') return 'into';
      language ||= label;
      return 'past';
    },
  });
  if (!isPure) return null;
  if (pre !== null) return { code: pre, language };
  return lines > 0 ? { code: box, language } : null;
}

/** The language that a toolbar names. */
function languageIn(control: TreeNode): string {
  let nodes = 0;
  for (const node of control.descendants()) {
    nodes += 1;
    if (nodes > MAX_CONTROL_NODES) break;
    const language = isLabel(node) ? languageOf(firstText(node)) : '';
    if (language !== '') return language;
  }
  return '';
}

/** Whether an element shows several lines in a font of fixed width, as editors copy code. */
function isMonospace(node: TreeNode): boolean {
  if (!node.getAttribute('style')?.includes('white-space')) return false;
  const declarations = declarationsOf(node);
  if (!PRESERVED.test(declarations.get('white-space') ?? '')) return false;
  const font = declarations.get('font-family') ?? declarations.get('font') ?? '';
  if (!MONOSPACE.test(font)) return false;
  let lines = 0;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    const { nodeName, nodeType } = child;
    if (nodeName === 'BR' || nodeName === 'DIV' || nodeName === 'P') lines += 1;
    else if (nodeType === TEXT && child.data.trim().includes('\n')) lines += 2;
  }
  return lines > 1;
}
