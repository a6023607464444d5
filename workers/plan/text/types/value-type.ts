import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { MAX_SCALE, MAX_STRING_CODE_POINTS } from '../../../exact/bounds.ts';
import { closed, stringOf } from '../../../exact/document-parts.ts';
import { FOLDS } from '../../../exact/fold-text.ts';

const Bound = Type.Optional(Type.Union([Type.String(), Type.Integer()]));

const Int = Type.Object({ type: Type.Literal('int'), min: Bound, max: Bound }, closed);
const Decimal = Type.Object(
  { type: Type.Literal('decimal'), scale: Type.Integer({ minimum: 0, maximum: MAX_SCALE }), min: Bound, max: Bound },
  closed,
);
const Bool = Type.Object({ type: Type.Literal('bool') }, closed);
const Enum = Type.Object({ type: Type.Literal('enum'), values: Type.Array(Type.String(), { minItems: 1 }) }, closed);
const Text = Type.Object(
  {
    type: Type.Literal('string'),
    max: Type.Integer({ minimum: 0, maximum: MAX_STRING_CODE_POINTS }),
    /** Of arguments and columns of tables. */
    fold: Type.Optional(stringOf(...FOLDS)),
  },
  closed,
);
const Time = Type.Object({ type: Type.Literal('time') }, closed);
const Duration = Type.Object({ type: Type.Literal('duration') }, closed);

/** The type of a value as plans and descriptions of tools write it. */
export const ValueType = Type.Union([Int, Decimal, Bool, Enum, Text, Time, Duration]);
export type ValueType = Type.Static<typeof ValueType>;
export type NumberType = Extract<ValueType, { type: 'int' | 'decimal' }>;
export type TextType = Extract<ValueType, { type: 'string' }>;
export type EnumType = Extract<ValueType, { type: 'enum' }>;

const MapType = Type.Object(
  { type: Type.Literal('map'), key: ValueType, value: ValueType, default: Type.Optional(Type.Unknown()) },
  closed,
);
/** A plan's map has a default. In the description of a tool, it has none. */
export type MapType = Type.Static<typeof MapType>;
export type StateType = ValueType | MapType;

const value = Compile(ValueType);
const map = Compile(MapType);

/**
 * Reads the type of a document's part, without the properties `others` that belong to the part itself (`at`, `value`).
 * Undefined if it is not a type.
 */
export function toType(json: unknown, ...others: readonly string[]): ValueType | undefined {
  const type = without(json, others);
  return value.Check(type) ? type : undefined;
}

/** As {@link toType}, with the types of maps. */
export function toStateType(json: unknown, ...others: readonly string[]): StateType | undefined {
  const type = without(json, others);
  return map.Check(type) ? type : toType(type);
}

function without(json: unknown, others: readonly string[]): unknown {
  if (typeof json !== 'object' || json === null || others.length === 0) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !others.includes(name)));
}

/** The type without its bounds and its fold, for values that others report. */
export function withoutBounds(type: ValueType): ValueType {
  switch (type.type) {
    case 'int':
      return { type: 'int' };
    case 'decimal':
      return { type: 'decimal', scale: type.scale };
    case 'string':
      return { type: 'string', max: type.max };
    default:
      return type;
  }
}

export const scaleOf = (type: NumberType): number => (type.type === 'decimal' ? type.scale : 0);

/** Writes a type as authors do: `decimal(2, 0.00..25.00)`. */
export function describeType(type: StateType): string {
  switch (type.type) {
    case 'int': {
      const range = rangeOf(type);
      return range === '' ? 'int' : `int(${range})`;
    }
    case 'decimal': {
      const range = rangeOf(type);
      return `decimal(${type.scale}${range === '' ? '' : `, ${range}`})`;
    }
    case 'enum':
      return `enum(${type.values.join(', ')})`;
    case 'string':
      return `string(${type.max}${type.fold === undefined ? '' : `, ${type.fold}`})`;
    case 'map':
      return `map(${describeType(type.key)}, ${describeType(type.value)}${type.default === undefined ? '' : `, default ${String(type.default)}`})`;
    default:
      return type.type;
  }
}

function rangeOf({ min, max }: NumberType): string {
  return min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`;
}

/** Whether two types are the same, apart from defaults: enums in any order of values. */
export function isSameType(one: StateType, other: StateType): boolean {
  if (one.type === 'map' || other.type === 'map') {
    if (one.type !== 'map' || other.type !== 'map') return false;
    return isSameType(one.key, other.key) && isSameType(one.value, other.value);
  }
  return normalized(one) === normalized(other);
}

function normalized(type: ValueType): string {
  if (type.type === 'enum') return `enum ${JSON.stringify(type.values.toSorted())}`;
  return describeType(type);
}
