import { MAX_NAMED_VALUES, MAX_OBJECT_DEPTH } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { ID_PATTERN } from '../../exact/document-parts.ts';
import { pointerToken } from '../../exact/json-pointer.ts';
import { elementOf, isPresence, memberOf, presenceOf, rootOf, spokenPart } from './parts.ts';
import { fieldsOf, formatType, parseType, type TypeReaders, type ValueType } from './types.ts';
import { anyValue, type Value, WrittenNumber } from './values.ts';

/** Most elements of a list. */
export const MAX_LIST = 256;
const MAX_MEMBERS = 64;
const NAME = new RegExp(ID_PATTERN);

/** What an argument or a field of a response is made of. A list has no lists in it. */
export type Shape = { readonly isOptional: boolean } & (
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'object'; readonly members: Shapes }
  | { readonly kind: 'list'; readonly of: Shape; readonly min: number; readonly max: number }
);
export type Shapes = ReadonlyMap<string, Shape>;

interface Reading {
  readonly readers: TypeReaders;
  /** Further properties, which the caller reads. */
  readonly others: readonly string[];
  readonly depth: number;
  readonly isInList: boolean;
}

/**
 * Reads what arguments or fields are made of, by name: a type each, `{"type":"object","members":{…}}`, or
 * `{"type":"list","of":…,"min":1,"max":20}`. What may be left out also has `"optional":true`.
 * @param others properties of each that the caller reads itself
 * @throws {DocumentError} TOO_MANY_VARIABLES, MALFORMED_TYPE and as `parseType`
 */
export function parseShapes(json: unknown, path: string, readers: TypeReaders, others: readonly string[] = []): Shapes {
  const shapes = parseMembers(json, path, { readers, others, depth: 0, isInList: false });
  const names = [...flatten(shapes).keys()];
  if (names.length > MAX_NAMED_VALUES) {
    const message = `has more than ${MAX_NAMED_VALUES} values, counting each element that a list can have`;
    throw new DocumentError('TOO_MANY_VARIABLES', path, message);
  }
  assertToldApart(names, path);
  return shapes;
}

/** The argument `from.name` beside an object `from` with a `name`: people would read of one, and take it for the other. */
function assertToldApart(names: readonly string[], path: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (isPresence(name) || /#[1-9]/.test(name)) continue;
    const spoken = spokenPart(name);
    if (seen.has(spoken))
      throw malformed(
        `${path}/${pointerToken(rootOf(name))}`,
        `has a part written like another one, ${spoken}: rename one of them`,
      );
    seen.add(spoken);
  }
}

/** Reads one of them. @throws as {@link parseShapes} */
export const parseShape = (json: unknown, path: string, readers: TypeReaders, others: readonly string[] = []): Shape =>
  readShapeAt(json, path, { readers, others, depth: 0, isInList: false });

function parseMembers(json: unknown, path: string, reading: Reading): Shapes {
  const fields = fieldsOf(json, path);
  const shapes = new Map<string, Shape>();
  for (const [name, field] of fields) {
    const at = `${path}/${pointerToken(name)}`;
    if (!NAME.test(name)) throw malformed(at, 'is not a name: 1 to 64 of A-Z a-z 0-9 _ . : -');
    shapes.set(name, readShapeAt(field, at, reading));
  }
  return shapes;
}

function readShapeAt(json: unknown, path: string, reading: Reading): Shape {
  const fields = fieldsOf(json, path);
  const { readers, others, depth, isInList } = reading;
  const optional = fields.get('optional');
  if (optional !== undefined && optional !== true) throw malformed(`${path}/optional`, 'is not true: leave it out');
  const isOptional = optional === true;
  const inner = { ...reading, others: [], depth: depth + 1 };
  const only = (...known: readonly string[]) => {
    const all = ['type', 'optional', ...known, ...others];
    const unknown = [...fields.keys()].find((name) => !all.includes(name));
    if (unknown !== undefined) throw malformed(`${path}/${pointerToken(unknown)}`, 'is not a property of this type');
  };
  switch (fields.get('type')) {
    case 'object': {
      only('members');
      if (depth >= MAX_OBJECT_DEPTH) throw malformed(path, `nests objects deeper than ${MAX_OBJECT_DEPTH} levels`);
      const members = parseMembers(fields.get('members'), `${path}/members`, inner);
      if (members.size === 0 || members.size > MAX_MEMBERS) {
        throw malformed(`${path}/members`, `does not have 1 to ${MAX_MEMBERS} members`);
      }
      return { isOptional, kind: 'object', members };
    }
    case 'list': {
      only('of', 'min', 'max');
      if (isInList) throw malformed(path, 'is a list inside a list');
      const [min, max] = [sizeAt(fields.get('min'), `${path}/min`), sizeAt(fields.get('max'), `${path}/max`)];
      if (max === 0 || min > max) throw malformed(path, 'is never longer than nothing, or has a min above its max');
      const of = readShapeAt(fields.get('of'), `${path}/of`, { ...inner, depth, isInList: true });
      if (of.isOptional) throw malformed(`${path}/of/optional`, 'is not for elements of a list');
      return { isOptional, kind: 'list', of, min, max };
    }
    default:
      return { isOptional, kind: 'value', type: parseType(json, path, ['optional', ...others], readers) };
  }
}

function sizeAt(json: unknown, path: string): number {
  if (typeof json === 'number' && Number.isInteger(json) && json >= 0 && json <= MAX_LIST) return json;
  throw malformed(path, `is not an integer from 0 to ${MAX_LIST}`);
}

/** Writes a shape so that {@link parseShapes} reads it back. */
export function formatShape(shape: Shape): object {
  const optional = shape.isOptional ? { optional: true } : {};
  switch (shape.kind) {
    case 'value':
      return { ...formatType(shape.type), ...optional };
    case 'object':
      return { type: 'object', members: formatShapes(shape.members), ...optional };
    case 'list':
      return { type: 'list', of: formatShape(shape.of), min: shape.min, max: shape.max, ...optional };
  }
}

export const formatShapes = (shapes: Shapes): Record<string, object> =>
  Object.fromEntries(Array.from(shapes, ([name, shape]) => [name, formatShape(shape)]));

const PRESENCE: ValueType = { type: 'bool' };

/** The types of all values, by the names that `parts.ts` explains. */
export const flatten = (shapes: Shapes): ReadonlyMap<string, ValueType> =>
  new Map(Array.from(shapes).flatMap(([name, shape]) => valuesOf(name, shape)));

function valuesOf(name: string, shape: Shape): readonly (readonly [string, ValueType])[] {
  const presence = shape.isOptional ? [[presenceOf(name), PRESENCE] as const] : [];
  switch (shape.kind) {
    case 'value':
      return [...presence, [name, shape.type]];
    case 'object':
      return [...presence, ...[...shape.members].flatMap(([member, inner]) => valuesOf(memberOf(name, member), inner))];
    case 'list':
      return [
        ...presence,
        ...Array.from({ length: shape.max }, (_, index) => elementOf(name, index)).flatMap((element, index) => [
          ...(index < shape.min ? [] : [[presenceOf(element), PRESENCE] as const]),
          ...valuesOf(element, shape.of),
        ]),
      ];
  }
}

/** How a document that has a shape is read. */
export interface ShapeReader {
  /** Reads a plain value. */
  readonly value: (json: unknown, type: ValueType, path: string) => Value;
  /** Arguments have what is declared and nothing else. Of responses, other members are ignored, and null is as good as nothing. */
  readonly isStrict: boolean;
}

/**
 * Reads the values of a document, by their names. What is not there has some value of its type, which means nothing.
 * @param json undefined if it is not there
 * @throws {DocumentError} MALFORMED_VALUE, UNKNOWN_NAME, and what `value` throws
 */
export function readShape(
  json: unknown,
  { name, shape, path }: { readonly name: string; readonly shape: Shape; readonly path: string },
  reader: ShapeReader,
): readonly (readonly [string, Value])[] {
  const isThere = json !== undefined && (json !== null || reader.isStrict || !shape.isOptional);
  if (!isThere) {
    if (!shape.isOptional) throw new DocumentError('MALFORMED_VALUE', path, 'is missing');
    return valuesOf(name, shape).map(([inner, type]) => [inner, anyValue(type)]);
  }
  const presence = shape.isOptional ? [[presenceOf(name), true] as const] : [];
  switch (shape.kind) {
    case 'value':
      return [...presence, [name, reader.value(json, shape.type, path)]];
    case 'object':
      return [...presence, ...readMembers(json, { name, members: shape.members, path }, reader)];
    case 'list':
      return [...presence, ...readList(json, { name, shape, path }, reader)];
  }
}

/** Reads the members of an object that have shapes. @throws {DocumentError} as `readShape` */
export function readMembers(
  json: unknown,
  { name, members, path }: { readonly name: string; readonly members: Shapes; readonly path: string },
  reader: ShapeReader,
): readonly (readonly [string, Value])[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || json instanceof WrittenNumber) {
    throw new DocumentError('MALFORMED_VALUE', path, 'is not an object');
  }
  const given = new Map<string, unknown>(Object.entries(json));
  const unknown = reader.isStrict ? [...given.keys()].find((member) => !members.has(member)) : undefined;
  if (unknown !== undefined) {
    const what = name === '' ? 'an argument' : 'a member';
    throw new DocumentError('UNKNOWN_NAME', path, `has ${what} that the tool does not declare`);
  }
  return [...members].flatMap(([member, shape]) =>
    readShape(
      given.get(member),
      { name: memberOf(name, member), shape, path: `${path}/${pointerToken(member)}` },
      reader,
    ),
  );
}

function readList(
  json: unknown,
  { name, shape, path }: { readonly name: string; readonly shape: Shape & { kind: 'list' }; readonly path: string },
  reader: ShapeReader,
): readonly (readonly [string, Value])[] {
  const { of, min, max } = shape;
  if (!Array.isArray(json)) throw new DocumentError('MALFORMED_VALUE', path, 'is not a list');
  const items: readonly unknown[] = json;
  if (items.length < min || items.length > max) {
    throw new DocumentError('OUT_OF_RANGE', path, `has ${items.length} elements, and ${min} to ${max} are allowed`);
  }
  return Array.from({ length: max }, (_, index) => elementOf(name, index)).flatMap((element, index) => {
    const isThere = index < items.length;
    const presence = index < min ? [] : [[presenceOf(element), isThere] as const];
    if (!isThere) {
      return [...presence, ...valuesOf(element, of).map(([inner, type]) => [inner, anyValue(type)] as const)];
    }
    return [...presence, ...readShape(items[index], { name: element, shape: of, path: `${path}/${index}` }, reader)];
  });
}

const malformed = (path: string, message: string) => new DocumentError('MALFORMED_TYPE', path, message);
