import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type Scalar,
  type YAMLError,
} from 'yaml';
import { withoutSeparators } from '../faults/suggest.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { alignScalar, type WrittenScalar } from './align-scalar.ts';
import type { MapEntry, ScalarNode, TextNode } from './text-node.ts';

/** Most UTF-16 units of a text. */
export const MAX_TEXT_LENGTH = 256 * 1024;
const MAX_DEPTH = 24;
const MAX_NODES = 50_000;

/**
 * Reads a text in a small part of YAML 1.2: maps, lists and scalars. Anchors, aliases, tags, directives, several
 * documents and repeated keys are refused. Scalars stay texts, so no number loses a digit.
 * @throws {TextError} if nothing of the text can be read
 */
export function readYaml(text: string, log: FaultLog): TextNode {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new TextError('TOO_LARGE', MAX_TEXT_LENGTH, `the text has more than ${MAX_TEXT_LENGTH} characters`);
  }
  const control = findForbidden(text);
  if (control >= 0) throw new TextError('YAML_SYNTAX', control, explainForbidden(text, control));
  const tokens = [...new Parser().parse(text)];
  assertShallow(tokens);
  // Own checks replace those of the package: its check of keys takes quadratic time.
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false, strict: true });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) throw new TextError('YAML_SYNTAX', 0, 'the text is empty');
  const [error] = document.errors;
  if (error !== undefined) throw explain(error, text);
  if (second !== undefined) {
    throw new TextError(
      'YAML_FEATURE',
      second.range[0],
      'a second document begins here: write one document, without ---',
    );
  }
  if (/^%/m.test(text.slice(0, document.range[0]))) {
    throw new TextError('YAML_FEATURE', text.indexOf('%'), 'directives are not allowed: delete this line');
  }
  if (document.contents === null) throw new TextError('YAML_SYNTAX', 0, 'the text is empty');
  return new NodeReader(text, log).read(document.contents);
}

/** Control characters, lone surrogates, and characters that change the direction of text: they hide what is written. */
function findForbidden(text: string): number {
  return text.search(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
}

function explainForbidden(text: string, at: number): string {
  const code = `U+${text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code === 'U+FEFF')
    return 'this is a byte order mark (U+FEFF), which editors do not show: save the text in UTF-8 without it';
  return `this character (${code}) is not allowed in a text: delete it`;
}

/** A key of a map, on the line of its value. */
const KEY = /(^|[{,]) *(?:- +)*(?:[\w.@][\w.:@-]*|"[^"]*"|'[^']*'):[ \t]+(?=\S)/g;

/** What YAML would take for a collection, a tag, the end of a value, or a quoted text with something after it. */
const NEEDS_QUOTES = /[[\]{},]|: |:$| #|^["'!>|@`%?&*-]/;
const IN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Nested mappings/, 'The parts of a map begin in the same column'],
  [/^Tabs/, 'Write spaces at the beginning of the line'],
  [/^Implicit (?:map )?keys? need/, 'Write a colon after the name: name: value'],
];

/** A fault of the YAML. Mostly it is a condition that needs quotes. */
function explain({ message, pos: [at] }: YAMLError, text: string): TextError {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const [line = ''] = text.slice(lineStart).split('\n', 1);
  const key = [...line.matchAll(KEY)].findLast(({ index, 0: all }) => lineStart + index + all.length <= at);
  const start = key === undefined ? 0 : key.index + key[0].length;
  const value = key && valueAt(line.slice(start), key[1] !== '');
  if (value !== undefined && NEEDS_QUOTES.test(value)) {
    const wanted = `YAML takes a part of this for its own: ${putInQuotes(value)}`;
    return new TextError('YAML_SYNTAX', lineStart + start, wanted);
  }
  const [first = message] = message.split('\n');
  const [, hint = 'A text with ": ", "#" or a leading special character needs quotes'] =
    IN_WORDS.find(([pattern]) => pattern.test(first)) ?? [];
  return new TextError('YAML_SYNTAX', at, `this is not YAML: ${first}. ${hint}`);
}

const MAX_SHOWN = 200;
const putInQuotes = (text: string): string =>
  `put the text in quotes${text.length > MAX_SHOWN ? '' : `: '${text.replaceAll("'", "''")}'`}`;

/** The value that its author meant: up to a comma or a bracket in braces, else the line. Undefined if a quoted text stays open. */
function valueAt(rest: string, isInBraces: boolean): string | undefined {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (isInBraces && depth === 0 && ',]}'.includes(character)) return rest.slice(0, at).trim();
    else if (')]}'.includes(character)) depth -= 1;
  }
  return isInBraces || quote !== '' ? undefined : rest.trim();
}

/** The composer recurses. @throws {TextError} TOO_DEEP */
function assertShallow(tokens: readonly CST.Token[]): void {
  const pending = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { token, depth } = next;
    if (depth > MAX_DEPTH) {
      const at = 'offset' in token ? token.offset : 0;
      throw new TextError('TOO_DEEP', at, `this nests deeper than ${MAX_DEPTH} levels`);
    }
    if (token.type === 'document' && token.value !== undefined) pending.push({ token: token.value, depth: depth + 1 });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      if (key !== undefined && key !== null) pending.push({ token: key, depth: depth + 1 });
      if (value !== undefined) pending.push({ token: value, depth: depth + 1 });
    }
  }
}

const STYLES: Readonly<Record<Scalar.Type, WrittenScalar['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_FOLDED: 'block',
  BLOCK_LITERAL: 'block',
};

class NodeReader {
  readonly #source: string;
  readonly #log: FaultLog;
  #left = MAX_NODES;

  constructor(source: string, log: FaultLog) {
    this.#source = source;
    this.#log = log;
  }

  /** A condition that begins with ! is a tag to YAML. Who deletes the ! inverts the rule. */
  #tagFault(at: number): TextError {
    const start = this.#source.lastIndexOf('!', at);
    const [written = ''] = this.#source.slice(start).split('\n');
    const text = valueAt(written, true) ?? written.trim();
    return new TextError('YAML_FEATURE', start, `YAML takes a ! at the beginning for a tag: ${putInQuotes(text)}`);
  }

  /** In braces, the comma of `min(a, b)` or `1,000.00` ends the value, and what follows is a key without one. */
  #refuseComma(start: number, key: ScalarNode): void {
    const number = this.#source.slice(start, key.at) + key.text;
    const value = valueAt(this.#source.slice(start), true) ?? '';
    const isNumber = /^-?[\d.]+,[\d.,]+$/.test(number);
    if (!isNumber && start + value.length <= key.at) return;
    const instead = isNumber ? `write ${withoutSeparators(number) ?? 'the number without it'}` : putInQuotes(value);
    throw new TextError('YAML_SYNTAX', start, `a comma ends a value in braces: ${instead}`);
  }

  read(node: Node): TextNode {
    const [at] = node.range ?? [0];
    this.#left -= 1;
    if (this.#left < 0) throw new TextError('TOO_LARGE', at, `the text has more than ${MAX_NODES} parts`);
    if (isAlias(node)) throw new TextError('YAML_FEATURE', at, 'aliases (*) are not allowed: write the value again');
    if (node.anchor !== undefined) throw new TextError('YAML_FEATURE', at, 'anchors (&) are not allowed: delete it');
    if (node.tag !== undefined) throw this.#tagFault(at);
    if (isScalar(node)) return this.#scalar(node, at);
    if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => this.#part(item, at)) };
    const seen = new Set<string>();
    /** Where the scalar of the entry before begins, in braces. */
    let before: number | undefined;
    const entries = node.items.map(({ key, value }): MapEntry => {
      const name = this.#part(key, at);
      if (name.kind !== 'scalar') throw new TextError('YAML_FEATURE', name.at, 'a key must be a text');
      if (seen.has(name.text)) {
        this.#log.add(
          'DUPLICATE_NAME',
          name.at,
          `${JSON.stringify(name.text)} occurs twice in this map: rename or delete one`,
        );
      }
      seen.add(name.text);
      if (before !== undefined && value === null) this.#refuseComma(before, name);
      before = node.flow === true && isScalar(value) ? value.range?.[0] : undefined;
      return { key: name, value: value === null ? missing(name) : this.#part(value, name.at) };
    });
    return { kind: 'map', at, entries };
  }

  #part(node: unknown, at: number): TextNode {
    if (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) return this.read(node);
    throw new TextError('YAML_SYNTAX', at, 'a part is missing here');
  }

  #scalar(node: Scalar, at: number): ScalarNode {
    const text = typeof node.value === 'string' ? node.value : '';
    const style = STYLES[styleOf(node)];
    const end = node.range?.[1] ?? at;
    let offsets: readonly number[] | undefined;
    return {
      kind: 'scalar',
      at,
      text,
      isQuoted: style !== 'plain',
      sourceOf: (index) => {
        offsets ??= alignScalar(text, { source: this.#source, start: at, end, style });
        return offsets[index] ?? end;
      },
    };
  }
}

const styleOf = ({ type }: Scalar): Scalar.Type =>
  type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE' || type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL'
    ? type
    : 'PLAIN';

const missing = ({ at, text }: ScalarNode): ScalarNode => {
  const end = at + text.length;
  return { kind: 'scalar', at: end, text: '', isQuoted: false, sourceOf: () => end };
};
