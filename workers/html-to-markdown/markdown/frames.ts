import type { TreeNode } from '../parse/tree.ts';
import type { MarkdownRule } from './rules/rule.ts';
import type { Cell } from './rules/tables.ts';

/** Numbers of list items have at most nine digits and no sign in CommonMark. */
const MAX_NUMBER = 999_999_999;

export interface Block {
  readonly text: string;
  /** Node name of the element, or P for a paragraph. */
  readonly name: string;
}

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
  if (list.nodeName === 'OL') return last?.name === 'OL' && /^-?\d+\./.test(last.text) ? ')' : '.';
  return last !== undefined && (isList(last.name) || last.name === 'LI') && last.text.startsWith('-') ? '*' : '-';
}

/** The marker of each item of a list: `- ` or its number. */
export function numberItems({ node, items, marker }: Frame): string[] {
  if (node.nodeName !== 'OL') return items.map(() => `${marker} `);
  const step = node.getAttribute('reversed') === null ? 1 : -1;
  let number = readNumber(node.getAttribute('start')) ?? (step === 1 ? 1 : items.length);
  return items.map((item) => {
    number = readNumber(item.node?.getAttribute('value') ?? null) ?? number;
    const written = `${Math.min(Math.max(0, number), MAX_NUMBER)}${marker} `;
    number += step;
    return written;
  });
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
  if (name === 'OL') return before.name === 'PRE' || /^1[.)]/.test(text);
  return name === 'BLOCKQUOTE' || isList(name);
}

function isHeading(name: string): boolean {
  return name.length === 2 && name.startsWith('H') && name !== 'HR';
}
