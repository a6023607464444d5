import { defined } from '../../../exact/defined.ts';
import { TEXT, type TreeNode } from '../../parse/tree.ts';
import { readText } from '../text/read-text.ts';
import type { MarkdownRule } from './rule.ts';

const RAISED = characterMap('0123456789+-−=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ');
const LOWERED = characterMap('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎');
const MAX_CHARACTERS = 8;
/** The `x` in `x^k`: one letter, a digit or a bracket. A longer word has no exponent. */
const BASE = /(?:^|[^\p{L}])\p{L}$|[\d)\]]$/u;
const EXPONENT = /^(?:[-+−]?\p{L}|(?=\p{L}*[\d+−-])[-+−]?[\p{L}\d][\p{L}\d+−-]*)$/u;
const INDEX = /^[\p{L}\d][\p{L}\d+−-]*$/u;
/** 2e, no, 1a: raised in print, but not in plain text. */
const ORDINAL = /\d[eaoérd]$|o$/i;

/** Superscripts and subscripts: x² must not become x2. Digits and signs have Unicode characters. Others are marked. */
export const scriptRules: Readonly<Record<string, MarkdownRule>> = {
  raised: {
    filter: ['sup'],
    kind: 'leaf',
    kindOf: (node, { footnotes }) => (isShort(node) || footnotes.callWithin(node) !== null ? 'leaf' : null),
    replacement: (_, node, { footnotes }) => {
      const call = footnotes.callWithin(node);
      return call === null ? write(node, RAISED, '^') : footnotes.writeCall(call);
    },
  },
  lowered: {
    filter: ['sub'],
    kind: 'leaf',
    kindOf: (node) => (isShort(node) ? 'leaf' : null),
    replacement: (_, node) => write(node, LOWERED, '_'),
  },
};

function characterMap(from: string, to: string): ReadonlyMap<string, string> {
  const targets = [...to];
  return new Map([...from].map((character, at) => [character, defined(targets[at])]));
}

function isShort({ firstChild, lastChild }: TreeNode): boolean {
  return firstChild?.nodeType === TEXT && firstChild === lastChild && firstChild.data.length <= MAX_CHARACTERS;
}

function write(node: TreeNode, characters: ReadonlyMap<string, string>, sign: string): string {
  const text = readText(node);
  const trimmed = text.trim();
  const own = Array.from(trimmed, (character) => characters.get(character));
  if (trimmed !== '' && !own.includes(undefined)) return text.replace(trimmed, own.join(''));
  const before = readEnd(node.previousSibling);
  const isMarked =
    BASE.test(before) &&
    (sign === '_' ? INDEX.test(trimmed) : EXPONENT.test(trimmed) && !ORDINAL.test(`${before.slice(-1)}${trimmed}`));
  return isMarked ? text.replace(trimmed, () => `${sign}${trimmed}`) : text;
}

function readEnd(node: TreeNode | null): string {
  if (node === null) return '';
  return (node.nodeType === TEXT ? node.data : readText(node)).slice(-2);
}
