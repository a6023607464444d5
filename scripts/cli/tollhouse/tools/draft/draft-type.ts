import { MAX_ENUM_CODE_POINTS, MAX_ENUM_VALUES, MAX_STRING_CODE_POINTS } from '../../../../../workers/exact/bounds.ts';
import { visibly } from '../../../../../workers/plan/view/words/escape.ts';
import { type Loose, limitsOf } from './source-tool.ts';

/** A type of the language, as it is written in YAML; what a person must write; or why there is none. */
export type DraftedType =
  | { readonly type: string; readonly notKept: readonly string[] }
  | { readonly todo: string; readonly notKept: readonly string[] }
  | { readonly lost: string };

const DEFAULT_MAX_LENGTH = 1_024;
const RANGE = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** The type of a scalar whose JSON schema has no references. The language has no other types of arguments and fields. */
export function draftType(schema: Loose): DraftedType {
  const { type, enum: values = 'const' in schema ? [schema['const']] : undefined } = schema;
  if (schema['nullable'] === true) return { lost: 'may be null' };
  const drafted = (text: string, ...kept: readonly string[]) => ({ type: text, notKept: limitsOf(schema, kept) });
  if (Array.isArray(values) && (type === 'string' || type === undefined)) {
    return isEnum(values)
      ? drafted(JSON.stringify(`enum(${values.join(', ')})`), 'enum', 'const')
      : { lost: 'has values that no enum can have' };
  }
  switch (type) {
    case 'string':
      return drafted(`string(${maxLength(schema)})`, 'maxLength');
    case 'boolean':
      return drafted('bool');
    case 'integer':
      return draftInt(schema);
    case 'number':
      return { todo: 'decimal(2), with the number of decimals that the tool takes', notKept: limitsOf(schema) };
    case 'array':
    case 'object':
      return { lost: `is an ${type}` };
    default:
      return { lost: Array.isArray(type) && type.includes('null') ? 'may be null' : 'has no single type' };
  }
}

function maxLength({ maxLength: max }: Loose): number {
  const isLength = typeof max === 'number' && Number.isSafeInteger(max) && max >= 0;
  return isLength ? Math.min(max, MAX_STRING_CODE_POINTS) : DEFAULT_MAX_LENGTH;
}

/** A bound that is no exact number is named among what is not kept. */
function draftInt(schema: Loose): DraftedType {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  const lows = [...exact(minimum, Math.ceil), ...exact(above, (bound) => Math.floor(bound) + 1)];
  const highs = [...exact(maximum, Math.floor), ...exact(below, (bound) => Math.ceil(bound) - 1)];
  const [min, max] = [lows.length > 0 ? Math.max(...lows) : '', highs.length > 0 ? Math.min(...highs) : ''];
  if (min !== '' && max !== '' && min > max) return { lost: 'has an empty range' };
  const kept = RANGE.filter((word) => typeof schema[word] === 'boolean' || exact(schema[word], Math.round).length > 0);
  return { type: min === '' && max === '' ? 'int' : `int(${min}..${max})`, notKept: limitsOf(schema, kept) };
}

/** None or one. */
function exact(bound: unknown, toInt: (bound: number) => number): readonly number[] {
  if (typeof bound !== 'number') return [];
  const int = toInt(bound);
  // Not -0.
  return Number.isSafeInteger(int) ? [int + 0] : [];
}

/** Whether the values can be written between the parentheses of an enum, and be read there. */
function isEnum(values: readonly unknown[]): values is readonly string[] {
  const isValue = (value: unknown) =>
    typeof value === 'string' &&
    value !== '' &&
    value === value.trim() &&
    [...value].length <= MAX_ENUM_CODE_POINTS &&
    !/[(),]/.test(value) &&
    visibly(value) === value;
  return values.length > 0 && values.length <= MAX_ENUM_VALUES && values.every(isValue) && !hasTwins(values);
}

const hasTwins = (values: readonly unknown[]): boolean => new Set(values).size < values.length;
