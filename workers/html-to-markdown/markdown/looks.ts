import { defined } from '../../exact/defined.ts';
import { TEXT, type TreeNode } from '../parse/tree.ts';
import { byStyle, declarationsOf, readDeclarations } from '../style/declarations.ts';
import { MARK } from './text/marks.ts';

/** What a style attribute changes. Null: nothing is said. */
export interface Look {
  readonly isBold: boolean | null;
  readonly isItalic: boolean | null;
  readonly isStruck: boolean | null;
  /** The element that raises or lowers text as the style does. */
  readonly script: 'SUP' | 'SUB' | null;
  /** Whether line breaks in the text are shown. */
  readonly keepsLines: boolean | null;
  /** Whether an inline element is on lines of its own. */
  readonly isBlock: boolean;
}

/** Roles of the cells of a table that is made of other elements. */
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);
const CELL: Look = {
  isBold: null,
  isItalic: null,
  isStruck: null,
  script: null,
  keepsLines: null,
  isBlock: true,
};
/** Most styles are about colors and sizes, so they are not read. */
const READ = /font(?:-weight|-style)?\s*:|decoration|vertical-align|text-raise|white-space|display/i;
const BOLD = /^(?:bold|bolder|[6-9]\d\d|1000)$/;
const NOT_BOLD = /^(?:normal|lighter|[1-5]\d\d)$/;
const BLOCK = /^(?:block|flex|grid|table|list-item|flow-root)\b/;
const LENGTH = /^([+-]?\d*\.?\d+)(px|pt|em|rem|ex|%)$/;
/** Text that is moved by less stands in its line. */
const LEAST_RAISED: ReadonlyMap<string, number> = new Map([
  ['px', 3],
  ['pt', 2],
  ['em', 0.2],
  ['rem', 0.2],
  ['ex', 0.4],
  ['%', 20],
]);

/** Most characters of the large first letter of a text, with its quotation mark. */
const MAX_INITIAL = 3;

/** Whether a style or a role may change how an element is written. All attributes are read once, since most change nothing. */
export function hasShape({ attributes }: TreeNode): boolean {
  for (let index = 0; index < attributes.length; index += 1) {
    const { name, value } = defined(attributes[index]);
    if (name === 'role' || (name === 'style' && lookOf(value) !== null)) return true;
  }
  return false;
}

export function readLook(node: TreeNode): Look | null {
  const style = node.getAttribute('style');
  const look = style === null ? null : lookOf(style);
  if (look?.isBlock === true && isInitial(node)) return { ...look, isBlock: false };
  const isCell = node.nodeName === 'SPAN' && CELLS.has(node.getAttribute('role') ?? '');
  return isCell ? { ...(look ?? CELL), isBlock: true } : look;
}

/** Whether an element holds the large first letter of the word that goes on after it. */
function isInitial(node: TreeNode): boolean {
  const { firstChild, lastChild, nextSibling } = node;
  if (!declarationsOf(node).has('float')) return false;
  if (firstChild === null || firstChild !== lastChild || firstChild.nodeType !== TEXT) return false;
  return firstChild.data.length <= MAX_INITIAL && nextSibling?.nodeType === TEXT && /^\p{L}/u.test(nextSibling.data);
}

const lookOf = byStyle((style): Look | null => {
  if (!READ.test(style)) return null;
  const declarations = readDeclarations(style);
  const font = declarations.get('font') ?? '';
  const weight = declarations.get('font-weight') ?? /(?:^|\s)(bold|[6-9]00)\s/.exec(font)?.[1] ?? '';
  const slant = declarations.get('font-style') ?? /(?:^|\s)(italic|oblique)\s/.exec(font)?.[1] ?? '';
  const line = declarations.get('text-decoration-line') ?? declarations.get('text-decoration') ?? '';
  return {
    isBold: BOLD.test(weight) ? true : NOT_BOLD.test(weight) ? false : null,
    isItalic: /^(?:italic|oblique)/.test(slant) ? true : slant === 'normal' ? false : null,
    isStruck: line.includes('line-through') ? true : line === 'none' ? false : null,
    script: readScript(declarations.get('vertical-align') ?? declarations.get('mso-text-raise') ?? ''),
    keepsLines: readLines(declarations.get('white-space') ?? declarations.get('white-space-collapse')),
    isBlock: BLOCK.test(declarations.get('display') ?? ''),
  };
});

function readScript(place: string): Look['script'] {
  if (place === 'super') return 'SUP';
  if (place === 'sub') return 'SUB';
  const length = LENGTH.exec(place);
  if (length === null) return null;
  const [, amount = '', unit = ''] = length;
  if (Math.abs(Number(amount)) < (LEAST_RAISED.get(unit) ?? Number.POSITIVE_INFINITY)) return null;
  return amount.startsWith('-') ? 'SUB' : 'SUP';
}

function readLines(space: string | undefined): boolean | null {
  if (space === undefined) return null;
  if (/^(?:pre|break-spaces)/.test(space)) return true;
  return /^(?:normal|nowrap|collapse)/.test(space) ? false : null;
}

const STRONG = new Set(['STRONG', 'B']);
const EMPHASIS = new Set(['EM', 'I', 'VAR', 'DFN', 'CITE']);
const STRUCK = new Set(['S', 'STRIKE']);
/** Elements that Markdown marks itself, or that have a heavier font by themselves. */
const HEAVY = /^(?:H[1-6]|TH|DT|SUMMARY|CAPTION)$/;

/** Whether a style takes away the look that an element has by its name: `<b style="font-weight: normal">`. */
export function isUndone({ nodeName }: TreeNode, { isBold, isItalic, isStruck }: Look): boolean {
  if (isBold === false) return STRONG.has(nodeName);
  if (isItalic === false && EMPHASIS.has(nodeName)) return true;
  return isStruck === false && STRUCK.has(nodeName);
}

/** The opening marks of the emphasis that a style adds. @param frame the name of the block that the element is in */
export function addedMarks({ isBold, isItalic, isStruck }: Look, frame: string): string[] {
  const marks: string[] = [];
  if (isBold === true && !HEAVY.test(frame)) marks.push(MARK.strongOpen);
  if (isItalic === true) marks.push(MARK.emphasisOpen);
  if (isStruck === true) marks.push(MARK.deletedOpen);
  return marks;
}

/** The opening marks of the emphasis around an element that its style ends. */
export function endedMarks({ isBold, isItalic }: Look): string[] {
  const marks: string[] = [];
  if (isBold === false) marks.push(MARK.strongOpen);
  if (isItalic === false) marks.push(MARK.emphasisOpen);
  return marks;
}

export const CLOSING: ReadonlyMap<string, string> = new Map([
  [MARK.strongOpen, MARK.strongClose],
  [MARK.emphasisOpen, MARK.emphasisClose],
  [MARK.deletedOpen, MARK.deletedClose],
]);
