import { ELEMENT, elementFrom, previousElement, TEXT, type TreeNode, walk } from '../../parse/tree.ts';
import { declarationsOf } from '../../style/declarations.ts';
import { fenceFor, writeSpan } from '../text/code-span.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { readText } from '../text/read-text.ts';
import { firstText, isBesideLines, isControl, isLabel, isNextLine, languageOf, readCodeBox } from './code-box.ts';
import { changeOf, writeChanges } from './code-changes.ts';
import { readLanguage } from './code-language.ts';
import { isGutter } from './code-parts.ts';
import type { MarkdownRule } from './rule.ts';

const BLANK = /^[\s\u200b]*$/;
const CODE_CELL = /(?:^|\s)(?:blob-code|hljs-ln-code|js-file-line)(?:\s|$)/;
const BLOCKS = new Set('DIV P UL OL LI TABLE HEADER FIGCAPTION BUTTON'.split(' '));
/** Elements in which code stays in its line. */
const ONE_LINE = /^(?:H[1-6]|A|DT|SUMMARY|PRE|TH|CAPTION)$/;
const HIGHLIGHTED = /(?:^|\s)(?:hljs|prettyprint|lang(?:uage)?-\S+)(?:\s|$)/;
const MAX_LEVELS = 3;

export const codeRules: Readonly<Record<string, MarkdownRule>> = {
  fencedCode: {
    filter: ['pre', 'listing', 'xmp', 'plaintext'],
    kind: 'leafBlock',
    kindOf: (node) => (isColumnOfNumbers(node) ? 'skip' : 'leafBlock'),
    replacement: (_, node) => writeFence(node),
  },
  code: {
    filter: ['code', 'samp', 'tt'],
    kind: 'leaf',
    kindOf: (node) => (isLines(node) ? 'leafBlock' : 'leaf'),
    replacement: (_, node) => (isLines(node) ? writeFence(node) : writeCodeSpan(node)),
  },
  key: { filter: ['kbd'], kind: 'leaf', replacement: (_, node) => writeCodeSpan(node) },
  // An element that only separates paragraphs, if it is not the box of some code.
  codeBox: {
    filter: ['div', 'figure', 'p'],
    kind: 'block',
    kindOf: (node) => (readCodeBox(node) === null ? 'block' : 'leafBlock'),
    replacement: (_, node) => {
      const box = readCodeBox(node);
      return box === null ? '' : writeFence(box.code, box.language);
    },
  },
  // A button beside code copies it.
  button: {
    filter: ['button'],
    kind: 'skip',
    kindOf: (node) => (isBesideCode(node) ? 'skip' : null),
    replacement: () => '',
  },
};

/** A fenced block with the text below a node, without line numbers and controls. '' if there are only line numbers. */
export function writeFence(node: TreeNode, label = ''): string {
  const around: ReadonlySet<TreeNode> = node.nodeName === 'PRE' ? codeAndAround(node) : new Set();
  let named = '';
  /** Whether a space may part each line from its number, as in Doxygen. */
  let isParted = false;
  const isLeftOut = (part: TreeNode) => {
    if (part.nodeType !== ELEMENT) return false;
    if (isGutter(part) || part.nodeName === 'BUTTON') {
      isParted ||= part.classes === 'lineno';
      return true;
    }
    if (node.nodeName !== 'PRE') return isBesideLines(part, node);
    if (around.size === 0 || around.has(part)) return false;
    const isForUse = isControl(part);
    if ((!isForUse && !BLOCKS.has(part.nodeName) && !isLabel(part)) || isWithinCode(part, node)) return false;
    if (!isForUse) named ||= languageOf(firstText(part));
    return true;
  };
  const text = readText(node, isLeftOut, (part) => isNextLine(part) || isShownAsBlock(part), changeOf);
  const lines = withoutMarks(writeChanges(text)).replace(/\r\n?/g, '\n').replace(/\n$/, '');
  const spaced = node.nodeName === 'PRE' ? lines : lines.replaceAll('\u00a0', ' ');
  const code = isParted && !/^[^ \n]/m.test(spaced) ? spaced.replace(/^ | +$/gm, '') : spaced;
  if (BLANK.test(code) && !BLANK.test(readText(node))) return '';
  const fence = fenceFor(code, 3);
  return `${fence}${readLanguage(node) || label || named}\n${code}${code === '' ? '' : '\n'}${fence}`;
}

export function writeCodeSpan(node: TreeNode): string {
  const code = withoutMarks(readText(node, isGutter)).replace(/[\r\n]+/g, ' ');
  if (BLANK.test(code)) return ' ';
  return verbatim(writeSpan(code));
}

/** Whether a cell of a table is a line of code, as on GitHub. */
export function isCodeCell(cell: TreeNode): boolean {
  return CODE_CELL.test(cell.classes);
}

/** Whether a cell of a table holds the line numbers of the code beside it. */
export function isLineNumbers(cell: TreeNode): boolean {
  return isGutter(cell) && /^[\s\d]*$/.test(readText(cell));
}

/** Whether a block holds the numbers of the lines of the code in the next cell. */
function isColumnOfNumbers({ parentNode, firstChild }: TreeNode): boolean {
  if (parentNode?.nodeName !== 'TD' || firstChild?.nodeType !== TEXT || !/^[\s\d]+$/.test(firstChild.data))
    return false;
  const beside = elementFrom(parentNode.nextSibling);
  return beside !== null && elementFrom(beside.firstChild)?.nodeName === 'PRE';
}

/** Whether code is shown as lines of its own: it has line breaks that are seen, and no text goes on after it. */
function isLines(node: TreeNode): boolean {
  const { firstChild, lastChild } = node;
  if (firstChild === null) return false;
  const isPlain = firstChild === lastChild && firstChild.nodeType === TEXT;
  if (isPlain && !firstChild.data.includes('\n')) return false;
  if (!(isPlain ? keepsLines(node) : holdsLines(node) || keepsLines(node))) return false;
  if (isFollowedByText(node) || isInOneLine(node)) return false;
  return readText(node, isGutter, isShownAsBlock).trim().includes('\n');
}

function holdsLines(code: TreeNode): boolean {
  let found = false;
  walk(code, {
    enter(node) {
      found = node.nodeName === 'BR' || node.nodeName === 'DIV' || node.nodeName === 'P' || isShownAsBlock(node);
      return found ? 'stop' : 'into';
    },
  });
  return found;
}

/** Whether line breaks in the text of code are shown. */
function keepsLines(code: TreeNode): boolean {
  if (code.attributes.length > 0 && HIGHLIGHTED.test(code.classes)) return true;
  let at: TreeNode | null = code;
  for (let level = 0; level < MAX_LEVELS && at !== null; level += 1, at = at.parentNode) {
    const space = declarationsOf(at).get('white-space');
    if (space !== undefined) return space.startsWith('pre') || space === 'break-spaces';
  }
  return false;
}

function isFollowedByText(code: TreeNode): boolean {
  let next = code.nextSibling;
  while (next?.nodeType === TEXT && next.data.trim() === '') next = next.nextSibling;
  return (
    next !== null &&
    next !== undefined &&
    (next.nodeType === TEXT || /^(?:CODE|A|B|I|EM|STRONG|SPAN)$/.test(next.nodeName))
  );
}

function isInOneLine(code: TreeNode): boolean {
  let at = code.parentNode;
  for (let level = 0; level < MAX_LEVELS && at !== null; level += 1, at = at.parentNode) {
    if (ONE_LINE.test(at.nodeName)) return true;
  }
  return false;
}

/** The search for the word comes first, because most styles of code are colors. */
function isShownAsBlock(node: TreeNode): boolean {
  if (node.attributes.length === 0) return false;
  const style = node.getAttribute('style');
  return style?.includes('block') === true && declarationsOf(node).get('display') === 'block';
}

/** The code elements below a block, and the elements between. */
function codeAndAround(pre: TreeNode): ReadonlySet<TreeNode> {
  const around = new Set<TreeNode>();
  for (const node of pre.descendants()) {
    if (node.nodeName !== 'CODE') continue;
    for (let at: TreeNode | null = node; at !== null && at !== pre && !around.has(at); at = at.parentNode)
      around.add(at);
  }
  return around;
}

function isWithinCode(part: TreeNode, pre: TreeNode): boolean {
  for (let at = part.parentNode; at !== null && at !== pre; at = at.parentNode) if (at.nodeName === 'CODE') return true;
  return false;
}

/** Whether a button is beside a block of code, and opens nothing. Elements that hold it alone count as the button. */
function isBesideCode(button: TreeNode): boolean {
  if (button.getAttribute('aria-expanded') !== null) return false;
  let at: TreeNode | null = button;
  for (let level = 0; level < MAX_LEVELS && at !== null; level += 1) {
    const before = previousElement(at);
    const after = elementFrom(at.nextSibling);
    if (before?.nodeName === 'PRE' || after?.nodeName === 'PRE') return true;
    const parent: TreeNode | null = at.parentNode;
    const isAlone: boolean =
      before === null && after === null && (parent?.nodeName === 'DIV' || parent?.nodeName === 'SPAN');
    at = isAlone ? parent : null;
  }
  return false;
}
