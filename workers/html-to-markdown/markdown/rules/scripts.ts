import { defined } from '../../../exact/defined.ts';
import { ELEMENT, TEXT, type TreeNode, walk } from '../../parse/tree.ts';
import type { MarkdownRule } from './rule.ts';

const RAISED = characterMap('0123456789+-−–‐=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁻⁼⁽⁾ⁿⁱ');
const LOWERED = characterMap('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎');
/** Longer text is not an exponent or an index. */
const MAX_CHARACTERS = 40;
const MAX_LEVELS = 4;
/** Elements within a script that only change its look. */
const STYLED = new Set('SPAN EM I B STRONG FONT SMALL BIG U VAR MARK CITE SUP SUB BDI NOBR TT'.split(' '));
/** The `x` in `x^k`: one letter, a digit or a bracket. A longer word has no exponent. */
const BASE = /(?:^|[^\p{L}])\p{L}$|[\d)\]]$/u;
const EXPONENT = /^(?:[-+−–]?\p{L}|(?=\p{L}*[\d+−–-])[-+−–]?[\p{L}\d][\p{L}\d+−–-]*)$/u;
const INDEX = /^[\p{L}\d][\p{L}\d+−–-]*$/u;
/** A number after a sign, which can be written without brackets: `10^3.5`. */
const NUMBER = /^[-+−–]?\d+(?:[.,]\d+)*$/;
/** An expression of numbers, signs and single letters. Words are no part of it. */
const EXPRESSION = /^(?=[(+\-−–]*[\p{L}\d])(?!.*\p{L}{3})[\p{L}\d\s.,:+\-−–*/⁄∕×·=<>|!()^_′'⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺₀₁₂₃₄₅₆₇₈₉]+$/u;
const OPERATION = /.[-+−–*/⁄∕×·=<>,:\s]/u;
/** 2e, no, 1a: raised in print, but not in plain text. */
const ORDINAL = /\d[eaoérdºª]$|o$/i;
const FRACTION_SLASH = '\u2044';

/** Superscripts and subscripts: x² must not become x2. Digits and signs have Unicode characters. Others are marked. */
export const scriptRules: Readonly<Record<string, MarkdownRule>> = {
  raised: {
    filter: ['sup'],
    kind: 'leaf',
    kindOf: (node, { footnotes }) => (isShort(node) || footnotes.callWithin(node) !== null ? 'leaf' : null),
    replacement: (_, node, { footnotes }) => {
      const call = footnotes.callWithin(node);
      if (call !== null) return footnotes.writeCall(call);
      joinFraction(node);
      return write(node, RAISED, '^');
    },
  },
  lowered: {
    filter: ['sub'],
    kind: 'leaf',
    kindOf: (node) => (isShort(node) ? 'leaf' : null),
    replacement: (_, node) => write(node, LOWERED, '_'),
  },
};

/** The rule of the element that raises or lowers text, for elements that do so by their style. */
export function scriptRuleOf(name: 'SUP' | 'SUB'): MarkdownRule | undefined {
  return name === 'SUP' ? scriptRules['raised'] : scriptRules['lowered'];
}

function characterMap(from: string, to: string): ReadonlyMap<string, string> {
  const targets = [...to];
  return new Map([...from].map((character, at) => [character, defined(targets[at])]));
}

/** Whether an element holds some characters and only elements that change their look. */
function isShort(node: TreeNode): boolean {
  const { firstChild, lastChild } = node;
  if (firstChild === null) return false;
  if (firstChild === lastChild && firstChild.nodeType === TEXT) return firstChild.data.length <= MAX_CHARACTERS;
  let characters = 0;
  let isPlain = true;
  walk(node, {
    enter(part) {
      if (part.nodeType === TEXT) characters += part.data.length;
      else isPlain &&= part.nodeType === ELEMENT && STYLED.has(part.nodeName);
      return isPlain && characters <= MAX_CHARACTERS ? 'into' : 'stop';
    },
  });
  return isPlain && characters > 0 && characters <= MAX_CHARACTERS;
}

function write(node: TreeNode, characters: ReadonlyMap<string, string>, sign: string): string {
  const text = readScript(node, 0);
  const trimmed = text.trim();
  if (trimmed === '') return text;
  const own = mapAll(trimmed, characters);
  if (own !== null) return text.replace(trimmed, own);
  const marked = mark(trimmed, readBefore(node), sign);
  return text.replace(trimmed, () => marked);
}

/** The text of a script, in which the scripts within are written too. */
function readScript(node: TreeNode, level: number): string {
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === TEXT) text += child.data.replaceAll('\n', ' ');
    else if (level > MAX_LEVELS) text += child.textContent;
    else if (child.nodeName !== 'SUP' && child.nodeName !== 'SUB') text += readScript(child, level + 1);
    else {
      const isRaised = child.nodeName === 'SUP';
      const inner = readScript(child, level + 1).trim();
      const marked = inner.length === 1 ? inner : `(${inner})`;
      if (text.trim() === '') text += inner;
      else text += mapAll(inner, isRaised ? RAISED : LOWERED) ?? `${isRaised ? '^' : '_'}${marked}`;
    }
  }
  return text;
}

/** The text in characters of a map. Null if it lacks one of them. */
function mapAll(text: string, characters: ReadonlyMap<string, string>): string | null {
  const own = Array.from(text, (character) => characters.get(character));
  return own.includes(undefined) ? null : own.join('');
}

/** A script that Unicode cannot write, with its sign if it belongs to the base before it. */
function mark(script: string, before: string, sign: string): string {
  if (!BASE.test(before) || ORDINAL.test(`${before.slice(-1)}${script}`)) return script;
  if (sign === '_' ? INDEX.test(script) : EXPONENT.test(script)) {
    return OPERATION.test(script) ? `${sign}(${script})` : `${sign}${script}`;
  }
  if (NUMBER.test(script)) return `${sign}${script}`;
  if (!EXPRESSION.test(script) || !/[\p{L}\d]/u.test(script)) return script;
  // Two letters alone are an abbreviation (TM, st), and letters after a digit an ordinal.
  if (/^\p{L}+\.?$/u.test(script)) return script;
  return OPERATION.test(script) ? `${sign}(${script})` : `${sign}${script}`;
}

/** Makes the slash of a fraction between raised and lowered digits the fraction slash, which belongs to these digits. */
function joinFraction({ nextSibling, firstChild }: TreeNode): void {
  const below = nextSibling?.nextSibling;
  if (nextSibling?.nodeType !== TEXT || below?.nodeName !== 'SUB' || firstChild?.nodeType !== TEXT) return;
  if (!/^\s*[/∕]\s*$/.test(nextSibling.data)) return;
  if (/^\s*\d+\s*$/.test(firstChild.data) && /^\s*\d+\s*$/.test(below.textContent)) nextSibling.data = FRACTION_SLASH;
}

/** The two characters before a node, also outside the inline elements that begin with it. */
function readBefore(node: TreeNode): string {
  let at: TreeNode | null = node;
  for (let level = 0; at !== null && at.previousSibling === null && level < MAX_LEVELS; level += 1) {
    const parent: TreeNode | null = at.parentNode;
    at = parent !== null && STYLED.has(parent.nodeName) ? parent : null;
  }
  let last = at?.previousSibling ?? null;
  while (last !== null && last.nodeType === ELEMENT) last = last.lastChild;
  return last === null ? '' : last.data.slice(-2);
}
