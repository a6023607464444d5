import { ID_PATTERN } from '../../../exact/document-parts.ts';
import { knownNames } from '../faults/suggest.ts';
import { type FaultLog, TextError, type TextFaultCode } from '../faults/text-fault.ts';
import { asMap, type MapEntry, type ScalarNode, type TextNode } from './text-node.ts';

/** The parts of a map that may have only certain names. */
export class Fields {
  readonly at: number;
  readonly #what: string;
  readonly #nodes: ReadonlyMap<string, TextNode>;

  constructor(at: number, what: string, nodes: ReadonlyMap<string, TextNode>) {
    this.at = at;
    this.#what = what;
    this.#nodes = nodes;
  }

  get(name: string): TextNode | undefined {
    return this.#nodes.get(name);
  }

  /** @throws {TextError} MISSING_PART */
  require(name: string, example: string): TextNode {
    const node = this.#nodes.get(name);
    if (node !== undefined) return node;
    throw new TextError('MISSING_PART', this.at, `${this.#what} has no ${name}: add, for example, ${example}`);
  }
}

/** Reads a map that may have only the names `known`. Other names are logged. @throws {TextError} WRONG_FORM */
export function readFields(node: TextNode, known: readonly string[], what: string, log: FaultLog): Fields {
  const map = asMap(node, `a map with ${known.join(', ')}`);
  const nodes = new Map<string, TextNode>();
  for (const { key, value } of map.entries) {
    if (!known.includes(key.text)) {
      log.add('UNKNOWN_PART', key.at, `${what} has no part ${quote(key.text)}.${knownNames(key.text, known)}`);
    }
    nodes.set(key.text, value);
  }
  return new Fields(node.at, what, nodes);
}

const ID = new RegExp(ID_PATTERN);
export const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The entries of a map whose keys are ids. Others are logged. */
export function readNamed(node: TextNode | undefined, what: string, log: FaultLog): readonly MapEntry[] {
  if (node === undefined) return [];
  return asMap(node, `a map of ${what}`).entries.filter(({ key }) => {
    if (ID.test(key.text)) return true;
    log.add('MALFORMED_NAME', key.at, `${quote(key.text)} is not a name: use 1 to 64 of A-Z a-z 0-9 _ . : -`);
    return false;
  });
}

/** As {@link readNamed}, for names that expressions use. */
export function readIdentifiers(node: TextNode | undefined, what: string, log: FaultLog): readonly MapEntry[] {
  return readNamed(node, what, log).filter(({ key }) => {
    if (IDENTIFIER.test(key.text)) return true;
    log.add('MALFORMED_NAME', key.at, `${quote(key.text)} cannot be used in expressions: use letters, digits and _`);
    return false;
  });
}

/** Reads each entry of a map. @returns those without a fault, by name */
export const readEntries = <T>(
  entries: readonly MapEntry[],
  read: (entry: MapEntry) => T | undefined,
  log: FaultLog,
): ReadonlyMap<string, T> =>
  new Map(
    log.each(entries, (entry) => {
      const value = read(entry);
      return value === undefined ? undefined : ([entry.key.text, value] as const);
    }),
  );

/** A fault about a name that is not one of `names`. */
export const unknownName = (
  { text, at }: Pick<ScalarNode, 'text' | 'at'>,
  names: Iterable<string>,
  message: string,
  code: TextFaultCode = 'UNKNOWN_NAME',
): TextError => new TextError(code, at, `${message}.${knownNames(text, names)}`);

/** A text of the author in a message: short, and without line breaks. */
export const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Names in a map of the text that could not be read. @param prefix what stands before them in expressions: `state.` */
export const faultyNames = (node: TextNode | undefined, read: ReadonlyMap<string, unknown>, prefix = ''): string[] =>
  node?.kind === 'map'
    ? node.entries
        .map(({ key }) => key.text.replace(/\?$/, ''))
        .flatMap((name) => (read.has(name) ? [] : [prefix + name]))
    : [];
