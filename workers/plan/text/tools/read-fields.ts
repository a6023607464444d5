import type { Scoped } from '../../language/terms.ts';
import { formatType, type ValueType, withoutBounds } from '../../language/types.ts';
import type { Field } from '../../plan.ts';
import type { TypesByName } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readFoldedType, readType } from '../types/read-type.ts';

import { quote, readEntries, readIdentifiers, readNamed } from '../yaml/fields.ts';
import { asScalar, type ScalarNode, type TextNode } from '../yaml/text-node.ts';

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
const MAX_POINTER = 256;

/** Types of arguments or columns by name. */
export function readTypes(node: TextNode | undefined, what: string, log: FaultLog): ReadonlyMap<string, ValueType> {
  return readEntries(readNamed(node, what, log), ({ value }) => readFoldedType(value), log);
}

/**
 * Fields of a JSON document: `id: string(64)` (at `/id`), or `id: string(64) at /data/id`. A pointer alone, `id: /data/id`, takes
 * the type of the argument or response field of the same name, without its bounds.
 */
export function readDocumentFields(
  node: TextNode | undefined,
  { what, like }: { readonly what: string; readonly like?: Scoped<ValueType> },
  log: FaultLog,
): ReadonlyMap<string, Field> {
  const entries = readIdentifiers(node, what, log);
  return readEntries(entries, ({ key, value }) => readField(key.text, value, like), log);
}

/** @throws {TextError} */
export function readField(name: string, node: TextNode, like?: Scoped<ValueType>): Field {
  const scalar = asScalar(node, 'a type such as string(64), or a type and a JSON pointer: string(64) at /data/id');
  if (scalar.text.startsWith('/')) return { type: typeLike(name, scalar, like), at: readPointer(scalar) };
  const [, type = scalar.text, pointer = ''] = /^(.*?)\s+at\s+(\S.*)$/s.exec(scalar.text) ?? [];
  const read = readType({ ...scalar, text: type });
  if (pointer === '') return { type: read, at: `/${name}` };
  const offset = scalar.sourceOf(scalar.text.length - pointer.length);
  return { type: read, at: readPointer({ ...scalar, text: pointer, at: offset }) };
}

function typeLike(name: string, { at }: ScalarNode, like: Scoped<ValueType> | undefined): ValueType {
  const type = like?.resp?.get(name) ?? like?.arg?.get(name);
  if (type !== undefined) return withoutBounds(type);
  const message = `the type of ${name} is not known: no argument or response field has this name. Write, for example, string(64) at /${name}`;
  throw new TextError('MALFORMED_TYPE', at, message);
}

function readPointer({ text, at }: ScalarNode): string {
  // The document as a whole.
  if (text === '""') return '';
  if (text.length <= MAX_POINTER && POINTER.test(text)) return text;
  throw new TextError('MALFORMED_VALUE', at, `${quote(text)} is not a JSON pointer: write, for example, /data/id`);
}

/** As plans write fields. */
export const toDocument = (fields: ReadonlyMap<string, Field>): Record<string, object> =>
  Object.fromEntries([...fields].map(([name, { type, at }]) => [name, { ...formatType(type), at }]));

export const toTypes = (types: TypesByName): Record<string, object> =>
  Object.fromEntries([...types].map(([name, type]) => [name, formatType(type)]));
