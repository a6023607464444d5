import { ELEMENT, TEXT, type TreeNode } from '../../parse/tree.ts';
import { withoutMarks } from '../text/marks.ts';
import { readText } from '../text/read-text.ts';
import { ACCENTS, FUNCTIONS, LIMITED, RELATIONS, SYMBOLS, UNDERS, VARIANTS } from './symbols.ts';

/** Function application, invisible times, comma and plus, and characters without width. */
const INVISIBLE = /[\u2061-\u2064\u200b-\u200d\u2060\ufeff]/g;
const INVISIBLE_TIMES = '\u2062';
const INVISIBLE_COMMA = '\u2063';
const SPECIAL = /[\\{}#$%&_^~]/g;
/** Italic letters of the mathematical block, which LaTeX writes as letters. */
const ITALIC = /[\u{1d434}-\u{1d467}\u{1d6e2}-\u{1d71b}]/gu;
const ENDS_IN_COMMAND = /\\[a-zA-Z]+$/;
const ENCLOSING: ReadonlyMap<string, readonly [close: string, name: string]> = new Map([
  ['(', [')', 'pmatrix']],
  ['[', [']', 'bmatrix']],
  ['|', ['|', 'vmatrix']],
  ['{', ['', 'cases']],
]);
/** The elements whose children are parts in a fixed order, and how each is written. */
const WRITERS: Readonly<Record<string, (out: Tex, node: TreeNode) => void>> = {
  MI: writeIdentifier,
  MN: (out, node) => out.add(escapeMath(tokenText(node))),
  MO: writeOperator,
  MTEXT: (out, node) => writeWords(out, tokenText(node)),
  MS: (out, node) => writeWords(out, `"${tokenText(node)}"`),
  MSPACE: (out, node) => out.add(isWide(node) ? '\\quad' : isShown(node) ? '\\,' : ''),
  MFRAC: writeFraction,
  MSQRT: (out, node) => out.group('\\sqrt', () => writeRow(out, node)),
  MROOT: writeRoot,
  MSUB: (out, node) => writeScripts(out, partsOf(node), '_'),
  MSUP: (out, node) => writeScripts(out, partsOf(node), '^'),
  MSUBSUP: (out, node) => writeScripts(out, partsOf(node), '_^'),
  MUNDER: (out, node) => writeLimits(out, partsOf(node), '_'),
  MOVER: (out, node) => writeLimits(out, partsOf(node), '^'),
  MUNDEROVER: (out, node) => writeLimits(out, partsOf(node), '_^'),
  MMULTISCRIPTS: writeMultiscripts,
  MTABLE: (out, node) => writeTable(out, node, tableName(node)),
  MFENCED: writeFenced,
  MENCLOSE: writeEnclosed,
  SEMANTICS: (out, node) => writeFirst(out, node),
  MACTION: (out, node) => writeFirst(out, node),
  MPHANTOM: () => {},
  MPRESCRIPTS: () => {},
  NONE: () => {},
  ANNOTATION: () => {},
  'ANNOTATION-XML': () => {},
};

/** Collects LaTeX. Each piece is looked at once, so that deep formulas take linear time. */
class Tex {
  private readonly pieces: string[] = [];
  private last = '';
  /** What parts two numbers that are multiplied, or listed, without a sign. */
  private parting = '';

  add(piece: string): void {
    if (piece === '') return;
    const isNumber = /^\d/.test(piece);
    if (isNumber && this.parting !== '' && /\d$/.test(this.last)) this.pieces.push(this.parting);
    else if (/^[a-zA-Z]/.test(piece) && ENDS_IN_COMMAND.test(this.last)) this.pieces.push(' ');
    this.parting = '';
    this.pieces.push(piece);
    this.last = piece;
  }

  part(sign: string): void {
    this.parting = sign;
  }

  group(before: string, write: () => void): void {
    this.add(`${before}{`);
    write();
    this.add('}');
  }

  finish(): string {
    return this.pieces.join('');
  }
}

/** The LaTeX of presentation MathML. The tree has a limited depth, so this may recurse. */
export function writeMathml(math: TreeNode): string {
  const out = new Tex();
  writeRow(out, math);
  return withoutMarks(out.finish());
}

/** Whether there is an element of MathML, not text alone. */
export function isMathml(math: TreeNode): boolean {
  return partsOf(math).length > 0;
}

function write(out: Tex, node: TreeNode): void {
  if (node.nodeType === TEXT) out.add(escapeMath(collapse(node.data)));
  else if (node.nodeType === ELEMENT) {
    const writer = Object.hasOwn(WRITERS, nameOf(node)) ? WRITERS[nameOf(node)] : undefined;
    if (writer === undefined) writeRow(out, node);
    else writer(out, node);
  }
}

function writeRow(out: Tex, row: TreeNode): void {
  for (let node = row.firstChild; node !== null; node = node.nextSibling) {
    const last = writeMatrix(out, node);
    if (last === null) write(out, node);
    else node = last;
  }
}

/** Writes a bracket, the table after it, and its closing bracket as one matrix. @returns the last of them */
function writeMatrix(out: Tex, node: TreeNode): TreeNode | null {
  if (nameOf(node) !== 'MO') return null;
  const found = ENCLOSING.get(tokenText(node));
  const table = found === undefined ? null : nextPart(node);
  if (found === undefined || table === null || nameOf(table) !== 'MTABLE') return null;
  const [close, name] = found;
  const end = nextPart(table);
  const closing = end !== null && nameOf(end) === 'MO' ? tokenText(end) : '';
  if (closing !== close && !(close === '' && end === null)) return null;
  writeTable(out, table, name);
  return close === '' || end === null ? table : end;
}

function nextPart(node: TreeNode): TreeNode | null {
  let next = node.nextSibling;
  while (next !== null && next.nodeType !== ELEMENT) next = next.nextSibling;
  return next;
}

function writeFirst(out: Tex, node: TreeNode): void {
  const [first] = partsOf(node);
  if (first !== undefined) write(out, first);
}

function writeIdentifier(out: Tex, node: TreeNode): void {
  const text = tokenText(node).replace(ITALIC, (letter) => letter.normalize('NFKC'));
  const variant = VARIANTS.get(node.getAttribute('mathvariant') ?? '');
  if (FUNCTIONS.has(text)) out.add(`\\${text}`);
  else if ([...text].length <= 1) {
    const symbol = symbolOf(text);
    out.add(variant === undefined || text === '' ? symbol : `${variant}{${symbol}}`);
  } else if (/^[\da-zA-Z]+$/.test(text)) out.add(`${variant ?? '\\mathrm'}{${text}}`);
  else writeWords(out, text);
}

function writeOperator(out: Tex, node: TreeNode): void {
  const raw = readText(node).trim();
  if (raw === INVISIBLE_TIMES) out.part('\\cdot ');
  else if (raw === INVISIBLE_COMMA) out.part(',');
  const text = tokenText(node);
  const relation = RELATIONS.get(text);
  if (relation !== undefined) out.add(` ${relation} `);
  else if (FUNCTIONS.has(text)) out.add(`\\${text}`);
  else if (/^\p{L}{2,}$/u.test(text)) out.group('\\operatorname', () => out.add(text));
  else out.add(symbolOf(text));
}

function writeWords(out: Tex, text: string): void {
  if (text.trim() === '') out.add(text === '' ? '' : '\\;');
  else out.add(`\\text{${escapeText(text)}}`);
}

function writeFraction(out: Tex, node: TreeNode): void {
  const [above, below, more] = partsOf(node);
  if (above === undefined || below === undefined || more !== undefined) {
    writeRow(out, node);
    return;
  }
  if (/^0(?![.\d]*[1-9])/.test(node.getAttribute('linethickness') ?? '')) {
    out.group('', () => {
      write(out, above);
      out.add(' \\atop ');
      write(out, below);
    });
    return;
  }
  const isSlanted = node.getAttribute('bevelled') === 'true';
  out.group(isSlanted ? '' : '\\frac', () => write(out, above));
  out.group(isSlanted ? '/' : '', () => write(out, below));
}

function writeRoot(out: Tex, node: TreeNode): void {
  const [base, index, more] = partsOf(node);
  if (base === undefined || index === undefined || more !== undefined) {
    out.group('\\sqrt', () => writeRow(out, node));
    return;
  }
  out.add('\\sqrt[');
  write(out, index);
  out.group(']', () => write(out, base));
}

/** Writes a base with a part for each sign. */
function writeScripts(out: Tex, parts: readonly TreeNode[], signs: string): void {
  const [base, ...scripts] = parts;
  if (base !== undefined) writeBase(out, base);
  for (const [at, script] of scripts.entries()) {
    const sign = signs.charAt(at);
    if (isEmpty(script)) continue;
    // Primes are raised by themselves.
    if (sign === '^' && /^[′″‴'’]$/.test(leafText(script))) out.add(symbolOf(leafText(script).replace('’', "'")));
    else if (sign === '') write(out, script);
    else if (/^[\da-zA-Z]$/.test(leafText(script)) && !script.attributes.length) out.add(`${sign}${leafText(script)}`);
    else out.group(sign, () => write(out, script));
  }
}

function writeBase(out: Tex, base: TreeNode): void {
  const single = soleLeaf(base);
  if (single !== null && !isEmpty(base)) write(out, single);
  else out.group('', () => write(out, base));
}

function writeLimits(out: Tex, parts: readonly TreeNode[], signs: string): void {
  const [base, first, second] = parts;
  if (base === undefined || first === undefined) {
    for (const part of parts) write(out, part);
    return;
  }
  if (LIMITED.has(leafText(base)) || /^M(?:UNDER|OVER)$/.test(nameOf(base))) {
    writeLimited(out, parts, signs);
    return;
  }
  const accent = signs === '_^' ? undefined : (signs === '^' ? ACCENTS : UNDERS).get(leafText(first));
  if (accent !== undefined) {
    out.group(accent, () => write(out, base));
    return;
  }
  if (second !== undefined) out.group('\\overset', () => write(out, second));
  if (second !== undefined) out.add('{');
  out.group(signs === '^' ? '\\overset' : '\\underset', () => write(out, first));
  out.group('', () => write(out, base));
  if (second !== undefined) out.add('}');
}

/** A sum or a brace takes limits by itself. */
function writeLimited(out: Tex, [base, ...limits]: readonly TreeNode[], signs: string): void {
  if (base === undefined) return;
  write(out, base);
  for (const [at, limit] of limits.entries()) {
    if (at >= signs.length) write(out, limit);
    else if (!isEmpty(limit)) out.group(signs.charAt(at), () => write(out, limit));
  }
}

function writeMultiscripts(out: Tex, node: TreeNode): void {
  const [base, ...scripts] = partsOf(node);
  const divide = scripts.findIndex((script) => nameOf(script) === 'MPRESCRIPTS');
  const after = divide < 0 ? scripts : scripts.slice(0, divide);
  const before = divide < 0 ? [] : scripts.slice(divide + 1);
  if (before.length > 0) out.add('{}');
  writeSigns(out, before);
  if (base !== undefined) writeBase(out, base);
  writeSigns(out, after);
}

function writeSigns(out: Tex, scripts: readonly TreeNode[]): void {
  for (const [at, script] of scripts.entries()) {
    if (at % 2 === 0 && at > 0) out.add('{}');
    if (!isEmpty(script)) out.group(at % 2 === 0 ? '_' : '^', () => write(out, script));
  }
}

function writeTable(out: Tex, table: TreeNode, name: string): void {
  out.add(`\\begin{${name}}`);
  for (const [at, row] of partsOf(table).entries()) {
    out.add(at === 0 ? ' ' : ' \\\\ ');
    const cells = partsOf(row);
    // The label of an equation is the first child, and is shown at its end.
    const label = nameOf(row) === 'MLABELEDTR' ? cells.shift() : undefined;
    for (const [column, cell] of cells.entries()) {
      if (column > 0) out.add(' & ');
      write(out, cell);
    }
    if (label === undefined) continue;
    out.add(' \\qquad ');
    write(out, label);
  }
  out.add(` \\end{${name}}`);
}

function tableName(table: TreeNode): string {
  return /^\s*right\s+left/.test(table.getAttribute('columnalign') ?? '') ? 'aligned' : 'matrix';
}

function writeFenced(out: Tex, node: TreeNode): void {
  const separators = [...(node.getAttribute('separators') ?? ',').replace(/\s+/g, '')];
  out.add(symbolOf(node.getAttribute('open')?.trim() ?? '('));
  for (const [at, part] of partsOf(node).entries()) {
    if (at > 0) out.add(symbolOf(separators[at - 1] ?? separators.at(-1) ?? ''));
    write(out, part);
  }
  out.add(symbolOf(node.getAttribute('close')?.trim() ?? ')'));
}

function writeEnclosed(out: Tex, node: TreeNode): void {
  const notation = node.getAttribute('notation') ?? '';
  const command = /\bbox\b/.test(notation)
    ? '\\boxed'
    : /strike/.test(notation)
      ? '\\cancel'
      : /\bradical\b/.test(notation)
        ? '\\sqrt'
        : /\btop\b/.test(notation)
          ? '\\overline'
          : '';
  out.group(command, () => writeRow(out, node));
}

/** The name without a prefix, which pages made from XML have: `m:math`. */
function nameOf({ nodeName }: TreeNode): string {
  return nodeName.slice(nodeName.indexOf(':') + 1);
}

function partsOf(node: TreeNode): TreeNode[] {
  return node.children;
}

/** The only token in rows around it. Null for an element with more than a token. */
function soleLeaf(node: TreeNode): TreeNode | null {
  let at = node;
  while (nameOf(at) === 'MROW' || nameOf(at) === 'MSTYLE') {
    const parts = partsOf(at);
    const [only] = parts;
    if (only === undefined || parts.length > 1) return null;
    at = only;
  }
  return nameOf(at) === 'MI' || nameOf(at) === 'MN' || nameOf(at) === 'MO' ? at : null;
}

function leafText(node: TreeNode): string {
  const leaf = soleLeaf(node);
  return leaf === null ? '' : tokenText(leaf);
}

function isEmpty(node: TreeNode): boolean {
  if (nameOf(node) === 'NONE' || node.firstChild === null) return true;
  const leaf = soleLeaf(node);
  return leaf !== null && tokenText(leaf) === '';
}

function tokenText(node: TreeNode): string {
  const text = collapse(readText(node));
  return text
    .slice(text.startsWith(' ') ? 1 : 0, text.length > 1 && text.endsWith(' ') ? -1 : undefined)
    .replaceAll('\u00a0', ' ');
}

/** White space as MathML has it: one space for each run. No-break spaces stay until tokens are trimmed. */
function collapse(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[ \t\r\n]+/g, ' ');
}

function symbolOf(character: string): string {
  return SYMBOLS.get(character) ?? RELATIONS.get(character) ?? escapeMath(character);
}

function escapeMath(text: string): string {
  return text.replace(SPECIAL, (character) => SYMBOLS.get(character) ?? `\\${character}`).replaceAll('\u00a0', ' ');
}

/** Text mode has no commands for symbols, so rare signs are left out. */
function escapeText(text: string): string {
  return text
    .replace(/[\\^~]/g, ' ')
    .replace(/[{}#$%&_]/g, '\\$&')
    .replaceAll('<', '}\\lt\\text{');
}

function isWide(space: TreeNode): boolean {
  const width = Number.parseFloat(space.getAttribute('width') ?? '');
  return width >= 0.9 && (space.getAttribute('width') ?? '').endsWith('em');
}

function isShown(space: TreeNode): boolean {
  return Number.parseFloat(space.getAttribute('width') ?? '') > 0;
}
