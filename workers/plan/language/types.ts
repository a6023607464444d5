import {
  MAX_DIGITS,
  MAX_ENUM_CODE_POINTS,
  MAX_ENUM_VALUES,
  MAX_SCALE,
  MAX_STRING_CODE_POINTS,
  MAX_VARIABLES,
} from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { ID_PATTERN } from '../../exact/document-parts.ts';
import { FOLDS, type Fold } from '../../exact/fold-text.ts';
import { INSTANTS } from '../../exact/instants.ts';
import { pointerToken } from '../../exact/json-pointer.ts';
import { formatNumber, parseNumber } from '../../exact/numbers.ts';
import { codePointsOf, parseString } from './strings.ts';

/**
 * Bounds of numbers are inclusive. Those of a decimal are numerators at its scale. `max` of a string is in code points. A
 * time is in microseconds since 1970, a duration in microseconds. Sheets have no times and durations. Values of a string
 * with a `fold` are their own folding; only arguments and columns of tables have one.
 */
export type ValueType =
  | { readonly type: 'int'; readonly min: bigint; readonly max: bigint }
  | { readonly type: 'decimal'; readonly scale: number; readonly min: bigint; readonly max: bigint }
  | { readonly type: 'bool' }
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'string'; readonly max: number; readonly fold?: Fold }
  | { readonly type: 'time'; readonly min: bigint; readonly max: bigint }
  | { readonly type: 'duration'; readonly min: bigint; readonly max: bigint };

export type NumberType = Extract<ValueType, { type: 'int' | 'decimal' }>;

const LARGEST = 10n ** BigInt(MAX_DIGITS) - 1n;
/** The bounds of a number that has none of its own. */
export const UNBOUNDED = { min: -LARGEST, max: LARGEST } as const;

/** The type without its own bounds and its fold: a number has up to 38 digits. Other types are unchanged. */
export function withoutBounds(type: ValueType): ValueType {
  if (type.type === 'string') return { type: 'string', max: type.max };
  return type.type === 'int' || type.type === 'decimal' ? { ...type, ...UNBOUNDED } : type;
}

/** The decimals of a number. */
export const scaleOf = (type: ValueType): number => (type.type === 'decimal' ? type.scale : 0);

/** The bounds of a number as they are written: those that it does not have are left out. */
export function formatBounds(type: NumberType): { readonly min?: string; readonly max?: string } {
  const scale = scaleOf(type);
  return {
    ...(type.min === UNBOUNDED.min ? {} : { min: formatNumber({ numerator: type.min, scale }) }),
    ...(type.max === UNBOUNDED.max ? {} : { max: formatNumber({ numerator: type.max, scale }) }),
  };
}

/** Writes a type so that {@link parseType} reads it back. */
export function formatType(type: ValueType): object {
  switch (type.type) {
    case 'int':
      return { type: 'int', ...formatBounds(type) };
    case 'decimal':
      return { type: 'decimal', scale: type.scale, ...formatBounds(type) };
    case 'time':
    case 'duration':
      return { type: type.type };
    default:
      return type;
  }
}

const NAME = new RegExp(ID_PATTERN);

/** The members of a JSON object by name. */
export type Fields = ReadonlyMap<string, unknown>;

/** Of an act, as the agent reports it. */
export const OUTCOME: ValueType = { type: 'enum', values: ['done', 'failed', 'unknown'] };

export const TIME: ValueType & { readonly type: 'time' } = { type: 'time', ...INSTANTS };
/** Longer than from the first to the last time. */
export const DURATION: ValueType & { readonly type: 'duration' } = {
  type: 'duration',
  min: -(10n ** 18n),
  max: 10n ** 18n,
};

interface TypeReader {
  readonly fields: readonly string[];
  readonly read: (fields: Fields, path: string) => ValueType;
}

/** How types are read, by their name. */
export type TypeReaders = ReadonlyMap<unknown, TypeReader>;

/** The types of sheets. */
const TYPES: TypeReaders = new Map<unknown, TypeReader>([
  ['int', { fields: ['min', 'max'], read: (fields, path) => ({ type: 'int', ...parseRange(fields, 0, path) }) }],
  ['decimal', { fields: ['scale', 'min', 'max'], read: parseDecimalType }],
  ['bool', { fields: [], read: () => ({ type: 'bool' }) }],
  ['enum', { fields: ['values'], read: parseEnumType }],
  ['string', { fields: ['max'], read: parseStringType }],
]);

/** The types of plans. */
export const TIMED_TYPES: TypeReaders = new Map<unknown, TypeReader>([
  ...TYPES,
  ['time', { fields: [], read: () => TIME }],
  ['duration', { fields: [], read: () => DURATION }],
]);

/** The types of arguments and of columns of tables. */
export const FOLDED_TYPES: TypeReaders = new Map<unknown, TypeReader>([
  ...TIMED_TYPES,
  ['string', { fields: ['max', 'fold'], read: parseFoldedType }],
]);

/**
 * Reads a type: `{"type":"int","min"?,"max"?}`, `{"type":"decimal","scale","min"?,"max"?}`, `{"type":"bool"}`,
 * `{"type":"enum","values":[…]}`, `{"type":"string","max"}`. Numbers without bounds have up to 38 digits.
 * @param others further properties that the caller reads itself, such as a variable's `value`
 * @param readers with `TIMED_TYPES` also `{"type":"time"}` and `{"type":"duration"}`; with `FOLDED_TYPES` also the `fold` of a
 *   string: `trimmed` or `email`
 * @throws {DocumentError} MALFORMED_TYPE, and what {@link parseNumber} and {@link parseString} throw
 */
export function parseType(
  json: unknown,
  path: string,
  others: readonly string[] = [],
  readers: TypeReaders = TYPES,
): ValueType {
  const fields = fieldsOf(json, path);
  const reader = readers.get(fields.get('type'));
  if (reader === undefined) throw malformed(`${path}/type`, 'is not a type of the language');
  for (const name of fields.keys()) {
    const known = name === 'type' || reader.fields.includes(name) || others.includes(name);
    if (!known) throw malformed(`${path}/${pointerToken(name)}`, 'is not a property of this type');
  }
  return reader.read(fields, path);
}

/** Reads an object of at most 256 named types. @throws {DocumentError} TOO_MANY_VARIABLES and as {@link parseType} */
export function parseTypes(
  json: unknown,
  path: string,
  others: readonly string[] = [],
  readers: TypeReaders = TYPES,
): ReadonlyMap<string, ValueType> {
  const fields = fieldsOf(json, path);
  if (fields.size > MAX_VARIABLES) {
    throw new DocumentError('TOO_MANY_VARIABLES', path, `has more than ${MAX_VARIABLES} names`);
  }
  const types = new Map<string, ValueType>();
  for (const [name, field] of fields) {
    const at = `${path}/${pointerToken(name)}`;
    if (!NAME.test(name)) throw malformed(at, 'is not a name: 1 to 64 of A-Z a-z 0-9 _ . : -');
    types.set(name, parseType(field, at, others, readers));
  }
  return types;
}

function parseDecimalType(fields: Fields, path: string): ValueType {
  const scale = parseCount(fields.get('scale'), MAX_SCALE, `${path}/scale`);
  return { type: 'decimal', scale, ...parseRange(fields, scale, path) };
}

function parseEnumType(fields: Fields, path: string): ValueType {
  const at = `${path}/values`;
  const json = fields.get('values');
  if (!Array.isArray(json) || json.length === 0 || json.length > MAX_ENUM_VALUES) {
    throw malformed(at, `is not a list of 1 to ${MAX_ENUM_VALUES} values`);
  }
  const values = json.map((value: unknown, index) => parseString(value, MAX_ENUM_CODE_POINTS, `${at}/${index}`));
  if (new Set(values).size < values.length) throw malformed(at, 'names a value twice');
  const empty = values.findIndex((value) => codePointsOf(value) === 0);
  if (empty >= 0) throw malformed(`${at}/${empty}`, 'is empty');
  return { type: 'enum', values };
}

function parseStringType(fields: Fields, path: string) {
  return { type: 'string' as const, max: parseCount(fields.get('max'), MAX_STRING_CODE_POINTS, `${path}/max`) };
}

function parseFoldedType(fields: Fields, path: string): ValueType {
  const type = parseStringType(fields, path);
  if (!fields.has('fold')) return type;
  const fold = FOLDS.find((each) => each === fields.get('fold'));
  if (fold === undefined) throw malformed(`${path}/fold`, `is not one of ${FOLDS.join(', ')}`);
  return { ...type, fold };
}

function parseRange(fields: Fields, scale: number, path: string): { readonly min: bigint; readonly max: bigint } {
  const min = parseBound(fields.get('min'), scale, `${path}/min`) ?? UNBOUNDED.min;
  const max = parseBound(fields.get('max'), scale, `${path}/max`) ?? UNBOUNDED.max;
  // Over an empty type, every rule would both hold and fail.
  if (min > max) throw malformed(path, 'has a min above its max');
  return { min, max };
}

function parseBound(json: unknown, scale: number, path: string): bigint | undefined {
  if (json === undefined) return undefined;
  const text = scale === 0 && Number.isSafeInteger(json) && !Object.is(json, -0) ? String(json) : json;
  if (typeof text !== 'string') throw malformed(path, 'is not a number in a string');
  const bound = parseNumber(text, path);
  if (bound.scale !== scale) throw new DocumentError('WRONG_SCALE', path, `does not have ${scale} decimals`);
  return bound.numerator;
}

function parseCount(json: unknown, max: number, path: string): number {
  if (typeof json === 'number' && Number.isInteger(json) && json >= 0 && json <= max && !Object.is(json, -0))
    return json;
  throw malformed(path, `is not an integer from 0 to ${max}`);
}

/** @throws {DocumentError} MALFORMED_TYPE if the value is not an object */
export function fieldsOf(json: unknown, path: string): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return new Map(Object.entries(json));
  throw malformed(path, 'is not an object');
}

const malformed = (path: string, message: string) => new DocumentError('MALFORMED_TYPE', path, message);

/**
 * The sort of an expression's value. Ints are numbers of scale 0. An enum literal alone does not say of which enum it is
 * (`declared` is undefined): its value is kept in `used` until another operand declares the enum.
 */
export type Sort =
  | { readonly sort: 'number'; readonly scale: number }
  | { readonly sort: 'bool' }
  | { readonly sort: 'string' }
  | { readonly sort: 'time' }
  | { readonly sort: 'duration' }
  | { readonly sort: 'enum'; readonly declared: readonly string[] | undefined; readonly used: readonly string[] };
