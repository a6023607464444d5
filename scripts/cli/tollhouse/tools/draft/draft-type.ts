import { MAX_ENUM_CODE_POINTS, MAX_ENUM_VALUES, MAX_STRING_CODE_POINTS } from '../../../../../workers/exact/bounds.ts';
import { MAX_LIST } from '../../../../../workers/plan/language/shapes.ts';
import { IDENTIFIER } from '../../../../../workers/plan/text/yaml/fields.ts';
import { visibly } from '../../../../../workers/plan/view/words/escape.ts';
import { type Loose, listOf, type Member, membersOf, resolve } from './source-tool.ts';

const DEFAULT_MAX_LENGTH = 1_024;
/** Suggested where a source does not say how long a list is. */
const SUGGESTED_MAX = 20;
/** Objects in each other, which may refer to themselves. */
const MAX_DEPTH = 4;
/** Words of CEL, which follow no dot. */
const RESERVED = ['in', 'true', 'false', 'null'];

/** The type of a JSON schema as it is written in YAML. */
export interface DraftedType {
  readonly text: string;
  /** What a person must decide about it: the text is a suggestion. */
  readonly todo?: string | undefined;
  /** Parts that it does not have, though the source has them. */
  readonly leftOut: readonly string[];
  /** How many values it has at most. */
  readonly values: number;
}

/** Why the language has no such type. */
export interface Lost {
  readonly lost: string;
}

export const isLost = (drafted: DraftedType | Lost): drafted is Lost => 'lost' in drafted;

interface Place {
  /** Of a response, null is as good as nothing; an argument is never null. */
  readonly part: 'args' | 'responds';
  readonly depth?: number;
  readonly isInList?: boolean;
}

/** A member as it is written, with its name: `cc?`. */
export function draftMember(member: Member, place: Place): (DraftedType & { readonly key: string }) | Lost {
  const { name, schema, isRequired, root } = member;
  if (!IDENTIFIER.test(name) || RESERVED.includes(name)) return { lost: 'cannot be named in conditions' };
  const { schema: own, mayBeNull } = withoutNull(schema, root);
  const drafted = draftType(own, root, place);
  if (isLost(drafted)) return { lost: `${drafted.lost}${isRequired ? ', though it is required' : ''}` };
  const isOptional = !isRequired || (mayBeNull && place.part === 'responds');
  return { ...drafted, key: `${name}${isOptional ? '?' : ''}`, values: drafted.values + (isOptional ? 1 : 0) };
}

/** What a schema says of values but null. */
function withoutNull(schema: Loose, root: unknown): { readonly schema: Loose; readonly mayBeNull: boolean } {
  const alternatives = listOf(schema['anyOf'] ?? schema['oneOf']).map((each) => resolve(each, root));
  const others = alternatives.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (only !== undefined && others.length === 1 && alternatives.length > 1) return { schema: only, mayBeNull: true };
  const { type, nullable } = schema;
  const types = listOf(type);
  if (!types.includes('null')) return { schema, mayBeNull: nullable === true };
  const rest = types.filter((each) => each !== 'null');
  return { schema: { ...schema, type: rest.length === 1 ? rest[0] : rest }, mayBeNull: true };
}

function draftType(schema: Loose, root: unknown, place: Place): DraftedType | Lost {
  const { type, maxLength, enum: values = 'const' in schema ? [schema['const']] : undefined } = schema;
  const plain = (text: string): DraftedType => ({ text, leftOut: [], values: 1 });
  if (Array.isArray(values) && (type === 'string' || type === undefined)) {
    const isEnum = values.length > 0 && values.length <= MAX_ENUM_VALUES && new Set(values).size === values.length;
    if (isEnum && values.every(isEnumValue)) return plain(JSON.stringify(`enum(${values.join(', ')})`));
    return { lost: 'has values that no enum can have' };
  }
  switch (type) {
    case 'string':
      return plain(`string(${Math.min(lengthOf(maxLength), MAX_STRING_CODE_POINTS)})`);
    case 'boolean':
      return plain('bool');
    case 'integer':
      return draftInt(schema);
    case 'number':
      return { ...plain('decimal(2)'), todo: 'with the number of decimals that the tool takes' };
    case 'array':
      return draftList(schema, root, place);
    case 'object':
      return draftObject(schema, root, place);
    default:
      return { lost: 'has no single type' };
  }
}

function draftList({ items, minItems, maxItems }: Loose, root: unknown, place: Place): DraftedType | Lost {
  if (place.isInList) return { lost: 'is a list in a list' };
  const of = draftType(withoutNull(resolve(items, root), root).schema, root, { ...place, isInList: true });
  if (isLost(of)) return { lost: `is a list whose element ${of.lost}` };
  const [min] = [...exact(numberOf(minItems)), 0];
  const [max] = exact(numberOf(maxItems));
  // A shorter list of arguments is allowed; a longer one in a response would not be.
  if (place.part === 'responds' && max !== undefined && max > MAX_LIST) return { lost: `is a list of up to ${max}` };
  const most = Math.min(max ?? Math.max(min ?? 0, SUGGESTED_MAX), MAX_LIST);
  if (most < 1 || (min ?? 0) > most) return { lost: 'is a list that is always empty, or too long' };
  const todos = [...(of.todo === undefined ? [] : [of.todo]), ...(max === undefined ? ['with the most elements'] : [])];
  return {
    text: `[${of.text}, ${min}..${most}]`,
    todo: todos.length === 0 ? undefined : todos.join(', and '),
    leftOut: of.leftOut.map((inner) => `[].${inner}`.replace('[].[]', '[]')),
    values: most * (of.values + 1),
  };
}

function draftObject(schema: Loose, root: unknown, place: Place): DraftedType | Lost {
  const depth = (place.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) return { lost: `nests objects deeper than ${MAX_DEPTH} levels` };
  const { members } = membersOf(schema, root);
  const written: string[] = [];
  const todos = new Set<string>();
  const leftOut: string[] = [];
  let values = 0;
  for (const member of members) {
    const drafted = draftMember(member, { ...place, depth });
    if (!isLost(drafted)) {
      written.push(`${drafted.key}: ${drafted.text}`);
      values += drafted.values;
      if (drafted.todo !== undefined) todos.add(drafted.todo);
      leftOut.push(...drafted.leftOut.map((inner) => `${member.name}${inner.startsWith('[') ? '' : '.'}${inner}`));
    } else if (member.isRequired) return { lost: `is an object in which ${member.name} ${drafted.lost}` };
    else leftOut.push(`${member.name} ${drafted.lost}`);
  }
  if (written.length === 0) return { lost: 'is an object without members that are described' };
  return { text: `{ ${written.join(', ')} }`, todo: [...todos].join(', and ') || undefined, leftOut, values };
}

/** Bounds that are not exact are left out. */
function draftInt({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Loose): DraftedType | Lost {
  const min = Math.max(...exact(Math.ceil(numberOf(minimum)), Math.floor(numberOf(exclusiveMinimum)) + 1));
  const max = Math.min(...exact(Math.floor(numberOf(maximum)), Math.ceil(numberOf(exclusiveMaximum)) - 1));
  if (min > max) return { lost: 'has an empty range' };
  const range = [min, max].map((bound) => (Number.isFinite(bound) ? bound : '')).join('..');
  return { text: range === '..' ? 'int' : `int(${range})`, leftOut: [], values: 1 };
}

const numberOf = (bound: unknown): number => (typeof bound === 'number' ? bound : Number.NaN);
const exact = (...bounds: readonly number[]): readonly number[] => bounds.filter(Number.isSafeInteger);
const lengthOf = (max: unknown): number => exact(numberOf(max)).find((each) => each >= 0) ?? DEFAULT_MAX_LENGTH;

/** Whether it can be written between the parentheses of an enum, and be read there. */
const isEnumValue = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= MAX_ENUM_CODE_POINTS &&
  /^[^\s(),]+(?: +[^\s(),]+)*$/.test(value) &&
  visibly(value) === value;
