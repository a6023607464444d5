import { defined } from '../../../exact/defined.ts';
import { MAX_LIST, type Shape, type Shapes } from '../../language/shapes.ts';
import type { ValueType } from '../../language/types.ts';
import type { Answer } from '../../plan.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readTimes } from '../types/read-times.ts';
import { readFoldedType, readType } from '../types/read-type.ts';
import { quote, readEntries, readIdentifiers, readNamed } from '../yaml/fields.ts';
import { asMap, type ListNode, type MapEntry, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import { readField } from './read-fields.ts';

const LIST_EXAMPLE = 'a list is the type of its elements and how many there are: [string(64), 1..20]';

/** How the types of plain values are written, and which names there may be. */
interface Reading {
  readonly type: (node: TextNode) => ValueType;
  readonly entries: typeof readNamed;
  /** What describes the map as a whole. */
  readonly what: string;
  readonly log: FaultLog;
}

/** What arguments are made of, by name: `to: string(64)`, `cc?: string(64)`, `lines: [{ price: decimal(2) }, 1..20]`. */
export function readArgumentShapes(node: TextNode | undefined, log: FaultLog): Shapes {
  return readShapes(node, { type: readFoldedType, entries: readNamed, what: 'arguments by name', log });
}

/** What the fields of a response are made of. Only one that is a plain value may say where it is: `id: string(64) at /data/id`. */
export function readAnswerShapes(node: TextNode | undefined, log: FaultLog): ReadonlyMap<string, Answer> {
  const reading: Reading = { type: readType, entries: readIdentifiers, what: 'response fields by name', log };
  const read = ({ key, value }: MapEntry): Answer => {
    const name = nameOf(key);
    const isOptional = name !== key.text;
    if (value.kind !== 'scalar') return { shape: readShape(value, isOptional, reading), at: `/${name}` };
    const { type, at } = readField(name, value);
    return { shape: { isOptional, kind: 'value', type }, at };
  };
  return readOptional(node, read, reading);
}

function readShapes(node: TextNode | undefined, reading: Reading): Shapes {
  const read = ({ key, value }: MapEntry) => readShape(value, nameOf(key) !== key.text, reading);
  return readOptional(node, read, reading);
}

/** The name of a part that may be left out ends with a question mark. */
const nameOf = ({ text }: ScalarNode): string => text.replace(/\?$/, '');

function readOptional<T>(
  node: TextNode | undefined,
  read: (entry: MapEntry) => T,
  { entries, what, log }: Reading,
): ReadonlyMap<string, T> {
  if (node === undefined) return new Map();
  const written = new Map<string, MapEntry>();
  for (const entry of asMap(node, `a map of ${what}`).entries) {
    const name = nameOf(entry.key);
    if (written.has(name)) log.add('NAME_TAKEN', entry.key.at, `${quote(name)} occurs twice`);
    written.set(name, entry);
  }
  const named = Array.from(written, ([text, { key, value }]) => ({ key: { ...key, text }, value }));
  const kept = entries({ kind: 'map', at: node.at, entries: named }, what, log);
  return readEntries(kept, ({ key }) => read(defined(written.get(key.text))), log);
}

function readShape(node: TextNode, isOptional: boolean, reading: Reading): Shape {
  switch (node.kind) {
    case 'scalar':
      return { isOptional, kind: 'value', type: reading.type(node) };
    case 'map':
      if (node.entries.length === 0)
        throw new TextError('MALFORMED_TYPE', node.at, 'an object has at least one member');
      return { isOptional, kind: 'object', members: readShapes(node, reading) };
    case 'list':
      return { isOptional, kind: 'list', ...readListShape(node, reading) };
  }
}

function readListShape({ items, at }: ListNode, reading: Reading) {
  const [of, size, ...more] = items;
  if (of === undefined || size === undefined || more.length > 0)
    throw new TextError('MALFORMED_TYPE', at, LIST_EXAMPLE);
  // `..20` is 1 to 20.
  const isOpen = size.kind === 'scalar' && size.text.startsWith('..');
  return {
    of: readShape(of, false, reading),
    ...readTimes(isOpen ? { ...size, text: `1${size.text}` } : size, MAX_LIST),
  };
}
