import type { TreeNode } from '../parse/tree.ts';
import { declarationsOf } from '../style/declarations.ts';
import type { MarkdownRule } from './rules/rule.ts';
import type { Cell } from './rules/tables.ts';

const TYPES: Readonly<Record<string, string>> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
};
const ROMAN: readonly (readonly [string, number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];
/** Numbers of list items have at most nine digits and no sign in CommonMark. */
const MAX_NUMBER = 999_999_999;

export interface Block {
  readonly text: string;
  /** Node name of the element, or P for a paragraph. */
  readonly name: string;
  /** For what a plugin wrote. */
  readonly edges?: Edges;
}

/** The line breaks that a plugin wrote around a text, at most two each. */
interface Edges {
  readonly before: number;
  readonly after: number;
}

interface Piece extends Block {
  readonly edges: Edges;
}

const MAX_EDGE = 2;

export interface Item {
  readonly node: TreeNode | null;
  readonly blocks: Block[];
}

/** An element whose content is being written. */
export interface Frame {
  readonly node: TreeNode;
  readonly rule: MarkdownRule | null;
  readonly blocks: Block[];
  /** Items of a list. */
  readonly items: Item[];
  /** Cells of a row. */
  readonly cells: Cell[];
  /** Rows of a table. */
  readonly rows: Cell[][];
  readonly marker: string;
  isLoose: boolean;
}

export function createFrame(node: TreeNode, rule: MarkdownRule | null, marker: string): Frame {
  return { node, rule, blocks: [], items: [], cells: [], rows: [], marker, isLoose: false };
}

export function isList(name: string): boolean {
  return name === 'UL' || name === 'OL' || name === 'MENU' || name === 'DIR';
}

export function joinBlocks(blocks: readonly Block[], separator: string): string {
  const [first] = blocks;
  return blocks.length === 1 && first !== undefined ? first.text : blocks.map(({ text }) => text).join(separator);
}

/** Parts what a plugin wrote into a text and the line breaks around it. */
export function partEdges(written: string): Pick<Piece, 'text' | 'edges'> {
  let start = 0;
  while (written.charAt(start) === '\n') start += 1;
  let end = written.length;
  while (end > start && written.charAt(end - 1) === '\n') end -= 1;
  const edges = { before: Math.min(start, MAX_EDGE), after: Math.min(written.length - end, MAX_EDGE) };
  return { text: written.slice(start, end), edges };
}

/** Two texts of plugins in a row, with as many line breaks between them as the one with more has, as in Turndown. */
export function joinPieces(first: Piece, second: Piece): Piece {
  const between = '\n'.repeat(Math.max(first.edges.after, second.edges.before, 1));
  const edges = { before: first.edges.before, after: second.edges.after };
  return { text: `${first.text}${between}${second.text}`, name: 'P', edges };
}

/** The blocks of a cell on one line. Items of a list are separated by semicolons. */
export function joinCell(blocks: readonly Block[]): string {
  let text = '';
  let hasItem = false;
  for (const block of blocks) {
    const isItem = block.name === 'LI';
    text += text === '' ? block.text : `${isItem && hasItem ? '; ' : ' '}${block.text}`;
    hasItem ||= isItem;
  }
  return text;
}

/** The marker of a list. A list right after one of its kind gets the other marker: with the same one, both would be one list. */
export function chooseMarker(list: TreeNode, last: Block | undefined): string {
  if (list.nodeName === 'OL' && letteringOf(list) === null)
    return last?.name === 'OL' && /^-?\d+\./.test(last.text) ? ')' : '.';
  return last !== undefined && (isList(last.name) || last.name === 'LI') && last.text.startsWith('-') ? '*' : '-';
}

/** The marker of each item of a list: `- ` or its number. */
export function numberItems({ node, items, marker }: Frame): string[] {
  if (node.nodeName !== 'OL' || letteringOf(node) !== null) return items.map(() => `${marker} `);
  return numbersOf(items, node).map((number) => `${Math.min(Math.max(0, number), MAX_NUMBER)}${marker} `);
}

/** The letters of the items of a list that has them. Markdown has only numbers, so they are text. Null for other lists. */
export function labelItems({ node, items }: Frame): string[] | null {
  const lettering = node.nodeName === 'OL' ? letteringOf(node) : null;
  return lettering === null ? null : numbersOf(items, node).map((number) => `${lettering(number)}.`);
}

function numbersOf(items: readonly Item[], node: TreeNode): number[] {
  const step = node.getAttribute('reversed') === null ? 1 : -1;
  let number = readNumber(node.getAttribute('start')) ?? (step === 1 ? 1 : items.length);
  return items.map((item) => {
    number = readNumber(item.node?.getAttribute('value') ?? null) ?? number;
    const own = number;
    number += step;
    return own;
  });
}

type Lettering = (number: number) => string;

/** How a list letters its items. Null for numbers, and signs that are drawn. */
function letteringOf(list: TreeNode): Lettering | null {
  if (list.attributes.length === 0) return null;
  const declarations = declarationsOf(list);
  const style = declarations.get('list-style-type') ?? declarations.get('list-style') ?? '';
  const type = list.getAttribute('type') ?? '';
  const stated = /^(?:lower|upper)-(?:alpha|latin|roman)/.exec(style)?.[0] ?? TYPES[type] ?? '';
  const letter: Lettering | null = stated.endsWith('roman') ? roman : stated === '' ? null : alphabetic;
  if (letter === null) return null;
  return stated.startsWith('upper') ? (number) => letter(number).toUpperCase() : letter;
}

/** a to z, aa, ab. A number below 1 has no letter. */
function alphabetic(number: number): string {
  if (number < 1) return String(number);
  let letters = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x61 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let letters = '';
  let rest = number;
  for (const [sign, value] of ROMAN) {
    letters += sign.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return letters;
}

function readNumber(text: string | null): number | null {
  const number = text === null ? Number.NaN : Number.parseInt(text, 10);
  return number >= 0 && number <= MAX_NUMBER ? number : null;
}

/** Whether a list is tight: no item needs an empty line between its blocks. */
export function isTight({ items, isLoose }: Frame): boolean {
  return !isLoose && items.every(({ blocks }) => blocks.every((block, at) => joinsUp(block, blocks[at - 1])));
}

/** Whether a block can follow another one without an empty line between them (CommonMark 0.31.2, 4 and 5). */
function joinsUp({ name, text }: Block, before: Block | undefined): boolean {
  if (before === undefined || isHeading(before.name)) return true;
  if (isHeading(name) || name === 'PRE') return true;
  if (before.name !== 'P' && before.name !== 'PRE') return false;
  if (name === 'P') return before.name === 'PRE';
  // Only a list that starts with 1 can end a paragraph (CommonMark 5.3).
  if (name === 'OL') return before.name === 'PRE' || /^(?:1[.)]|[-*] )/.test(text);
  return name === 'BLOCKQUOTE' || isList(name);
}

function isHeading(name: string): boolean {
  return name.length === 2 && name.startsWith('H') && name !== 'HR';
}

/** Whether an element indents its content. */
export function nests(name: string): boolean {
  return isList(name) || name === 'BLOCKQUOTE';
}

/** Whether an element gets a frame of its own in an open one of the name `top`. */
export function takesFrame({ nodeName, parentNode }: TreeNode, top: string, mayNest: boolean): boolean {
  if (nodeName === 'LI') return isList(top) || (mayNest && (parentNode === null || !isList(parentNode.nodeName)));
  if (nodeName === 'TR') return top === 'TABLE';
  if (nodeName === 'TD' || nodeName === 'TH') return top === 'TR';
  return mayNest || !nests(nodeName);
}

/** A paragraph without line breaks and white space at its end, which nobody sees. */
export function trimLines(text: string): string {
  let trimmed = text.trimEnd();
  while (trimmed.endsWith('\\') && text.charAt(trimmed.length) === '\n') trimmed = trimmed.slice(0, -1).trimEnd();
  return trimmed.trimStart() === '' ? '' : trimmed;
}
