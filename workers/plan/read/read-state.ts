import { isDeepStrictEqual } from 'node:util';
import { DocumentError } from '../../exact/document-error.ts';
import { haveSameValues } from '../language/operands.ts';
import type { MapTypes } from '../language/site.ts';
import {
  FOLDED_TYPES,
  fieldsOf,
  formatType,
  parseType,
  parseTypes,
  TIMED_TYPES,
  type ValueType,
} from '../language/types.ts';
import { parseValue } from '../language/values.ts';
import type { Constant, MapState } from '../plan.ts';
import { readConstants } from './read-parts.ts';

/** Types whose values can be keys of a map. */
export const KEY_TYPES: ReadonlySet<ValueType['type']> = new Set(['int', 'string', 'enum', 'bool']);

type Named = Readonly<Record<string, unknown>>;

/** Reads the states of a plan, with their initial values, and its maps. */
export function readState(json: Named, path: string) {
  const { plain, maps } = split(json);
  return {
    state: readConstants(plain, 'initial', path) satisfies ReadonlyMap<string, Constant>,
    maps: new Map(Object.entries(maps).map(([name, map]) => [name, readMap(map, `${path}/${name}`)] as const)),
  };
}

/** Reads the types of states, without initial values and defaults. */
export function readStateTypes(json: Named, path: string) {
  const { plain, maps } = split(json);
  return {
    states: parseTypes(plain, path, [], TIMED_TYPES),
    maps: new Map(Object.entries(maps).map(([name, map]) => [name, readMapTypes(map, `${path}/${name}`, [])] as const)),
  };
}

function split(json: Named): { readonly plain: Named; readonly maps: Named } {
  const isMap = (type: unknown) => typeof type === 'object' && type !== null && 'type' in type && type.type === 'map';
  const all = Object.entries(json);
  return {
    plain: Object.fromEntries(all.filter(([, type]) => !isMap(type))),
    maps: Object.fromEntries(all.filter(([, type]) => isMap(type))),
  };
}

function readMap(json: unknown, path: string, others: readonly string[] = []): MapState {
  const types = readMapTypes(json, path, ['default', ...others]);
  return { ...types, byDefault: parseValue(fieldsOf(json, path).get('default'), types.value, `${path}/default`) };
}

function readMapTypes(json: unknown, path: string, others: readonly string[]): MapTypes {
  const fields = fieldsOf(json, path);
  for (const name of fields.keys()) {
    if (['type', 'key', 'value', ...others].includes(name)) continue;
    throw new DocumentError('MALFORMED_TYPE', `${path}/${name}`, 'is not a property of a map');
  }
  const key = parseType(fields.get('key'), `${path}/key`, [], TIMED_TYPES);
  if (!KEY_TYPES.has(key.type)) {
    throw new DocumentError('MALFORMED_TYPE', `${path}/key/type`, 'is not a type of keys: int, string, enum or bool');
  }
  return { key, value: parseType(fields.get('value'), `${path}/value`, [], TIMED_TYPES) };
}

/** The type of a state: of one value, or of a map. */
export type StateType = ValueType | MapTypes;

export const isMap = (type: StateType): type is MapTypes => 'key' in type;

/** Writes the type of a state so that it is read back. A default of a map is left out. */
export const formatState = (type: StateType): object =>
  isMap(type) ? { type: 'map', key: formatType(type.key), value: formatType(type.value) } : formatType(type);

/** Reads the type of a part of a document. `others`: further properties, also `default` of a map. @throws {DocumentError} */
export function readAnyType(json: unknown, path: string, others: readonly string[] = []): StateType | MapState {
  if (fieldsOf(json, path).get('type') !== 'map') return parseType(json, path, others, FOLDED_TYPES);
  return fieldsOf(json, path).has('default') ? readMap(json, path, others) : readMapTypes(json, path, others);
}

/** Whether two types have the same values: of an enum in any order, of a map with any default. */
export function isSameType(one: StateType | undefined, other: StateType): boolean {
  if (one === undefined) return false;
  if (isMap(one) || isMap(other)) {
    return isMap(one) && isMap(other) && isSameType(one.key, other.key) && isSameType(one.value, other.value);
  }
  if (one.type === 'enum' && other.type === 'enum') return haveSameValues(one.values, other.values);
  return isDeepStrictEqual(one, other);
}
