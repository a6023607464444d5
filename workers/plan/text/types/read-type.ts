import { MAX_ENUM_CODE_POINTS, MAX_ENUM_VALUES, MAX_SCALE, MAX_STRING_CODE_POINTS } from '../../../exact/bounds.ts';
import { FOLDS, type Fold } from '../../../exact/fold-text.ts';
import { DURATION, type NumberType, TIME, UNBOUNDED, type ValueType } from '../../language/types.ts';
import type { MapState } from '../../plan.ts';
import { isMap, KEY_TYPES, type StateType } from '../../read/read-state.ts';
import { knownNames } from '../faults/suggest.ts';
import { TextError } from '../faults/text-fault.ts';
import { quote, unknownName } from '../yaml/fields.ts';
import { asScalar, type TextNode } from '../yaml/text-node.ts';
import { describeType } from './describe-type.ts';
import { readNumber, readValue } from './read-value.ts';

/** Most characters of a `string` without a number. */
const DEFAULT_STRING_MAX = 1_024;
const NAMES = ['string', 'int', 'decimal', 'bool', 'enum', 'time', 'duration', 'map'];
export const TYPE_EXAMPLE = 'string(64), int(0..10), decimal(2), bool, enum(a, b), time or duration';

const WHOLE = { type: 'int', ...UNBOUNDED } as const;

/** A piece of a scalar: its text and its offset in the scalar's. */
interface Piece {
  readonly text: string;
  readonly at: number;
}

/**
 * Reads a type in its short form: `string`, `string(64)`, `int(0..10)`, `decimal(2, 0..25000.00)`, `bool`,
 * `enum(a, b)`, `time`, `duration`.
 * @throws {TextError}
 */
export function readType(node: TextNode): ValueType {
  const type = readFoldedType(node);
  assertNoFold(type, node.at);
  return type;
}

/** As {@link readType}, for an argument or a column of a table: also `string(254, email)`. @throws {TextError} */
export function readFoldedType(node: TextNode): ValueType {
  const type = readAnyType(node);
  if (!isMap(type)) return type;
  throw new TextError('MALFORMED_TYPE', node.at, 'only a state can be a map');
}

/** As {@link readType}, with `map(string, int, default 0)`, or `map(string, int)` for a tool. @throws {TextError} */
export function readStateType(node: TextNode): StateType | MapState {
  const type = readAnyType(node);
  for (const part of isMap(type) ? [type.key, type.value] : [type]) assertNoFold(part, node.at);
  return type;
}

/** Values that are computed or reported are compared as they are. */
function assertNoFold(type: ValueType, at: number): void {
  if (type.type !== 'string' || type.fold === undefined) return;
  const message = `only an argument of a tool or a column of a table is folded: write string(${type.max})`;
  throw new TextError('MALFORMED_TYPE', at, message);
}

function readAnyType(node: TextNode): StateType | MapState {
  const { text, sourceOf } = asScalar(node, `a type: ${TYPE_EXAMPLE}`);
  try {
    return readShort({ text, at: 0 });
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new TextError(error.code, sourceOf(error.at), error.message);
  }
}

function readShort(piece: Piece): StateType | MapState {
  const match = /^([a-z]+)\s*(?:\((.*)\))?$/s.exec(piece.text);
  const name = match?.[1];
  if (match === null || name === undefined || !NAMES.includes(name)) {
    if (piece.text.includes('(') && !piece.text.includes(')')) {
      throw malformed(piece, 'a comma ends a value inside braces: put this type in quotes, as in "enum(a, b)"');
    }
    const hint = knownNames(piece.text.split('(')[0] ?? '', NAMES);
    throw malformed(piece, `${quote(piece.text)} is not a type: write ${TYPE_EXAMPLE}.${hint}`);
  }
  const inside = match[2];
  const parts = inside === undefined ? [] : split({ text: inside, at: piece.at + piece.text.indexOf('(') + 1 });
  if (name === 'map') return readMap(parts, piece);
  return readScalarType(name, parts, piece);
}

function readScalarType(name: string, parts: readonly Piece[], piece: Piece): ValueType {
  const [first, second] = parts;
  const atMost = (count: number) => {
    if (parts.length > count) throw malformed(piece, `${name} takes at most ${count} values in its parentheses`);
  };
  switch (name) {
    case 'string':
      atMost(2);
      return {
        type: 'string',
        max: first === undefined ? DEFAULT_STRING_MAX : count(first, MAX_STRING_CODE_POINTS),
        ...(second === undefined ? {} : { fold: foldOf(second) }),
      };
    case 'int':
      atMost(1);
      return first === undefined ? WHOLE : { ...WHOLE, ...range(first, WHOLE) };
    case 'decimal': {
      atMost(2);
      if (first === undefined) throw malformed(piece, 'decimal needs its number of decimals: write decimal(2)');
      const type = { type: 'decimal', scale: count(first, MAX_SCALE), ...UNBOUNDED } as const;
      return second === undefined ? type : { ...type, ...range(second, type) };
    }
    case 'enum':
      return { type: 'enum', values: enumValues(parts, piece) };
    default:
      if (parts.length > 0) throw malformed(piece, `${name} takes no parentheses: write ${name}`);
      return name === 'bool' ? { type: 'bool' } : name === 'time' ? TIME : DURATION;
  }
}

function readMap(parts: readonly Piece[], piece: Piece): StateType | MapState {
  const [first, second, third] = parts;
  const example = 'map(string, int, default 0)';
  if (first === undefined || second === undefined || parts.length > 3) {
    throw malformed(piece, `a map has a type of keys, a type of values, and in a plan a default: write ${example}`);
  }
  const key = readShort(first);
  const value = readShort(second);
  if (isMap(key) || !KEY_TYPES.has(key.type)) {
    throw malformed(first, `${describeType(key)} cannot be a key: keys are int, string, enum or bool`);
  }
  if (isMap(value)) throw malformed(second, 'a map cannot hold maps');
  if (third === undefined) return { key, value };
  const written = /^default\s+(.+)$/s.exec(third.text)?.[1];
  if (written === undefined) throw malformed(third, `the default is missing: write ${example}`);
  const at = third.at + third.text.length - written.length;
  const isQuoted = /^(".*"|'.*')$/s.test(written);
  const text = isQuoted ? written.slice(1, -1) : written;
  const byDefault = readValue({ kind: 'scalar', at, text, isQuoted, sourceOf: () => at }, value);
  return { key, value, byDefault };
}

function enumValues(parts: readonly Piece[], piece: Piece): string[] {
  if (parts.length === 0 || parts.length > MAX_ENUM_VALUES) {
    throw malformed(piece, `enum has 1 to ${MAX_ENUM_VALUES} values: write enum(open, paid)`);
  }
  const seen = new Set<string>();
  for (const { text, at } of parts) {
    if (text === '' || [...text].length > MAX_ENUM_CODE_POINTS) {
      throw new TextError('MALFORMED_TYPE', at, `a value of an enum has 1 to ${MAX_ENUM_CODE_POINTS} characters`);
    }
    if (seen.has(text)) throw new TextError('MALFORMED_TYPE', at, `${quote(text)} occurs twice in this enum`);
    seen.add(text);
  }
  return [...seen];
}

function foldOf(piece: Piece): Fold {
  const fold = FOLDS.find((each) => each === piece.text);
  if (fold !== undefined) return fold;
  const message = `${quote(piece.text)} is not how a text is folded: write string(254, email), or trimmed`;
  throw unknownName(piece, FOLDS, message, 'MALFORMED_TYPE');
}

function count({ text, at }: Piece, max: number): number {
  if (/^(?:0|[1-9][0-9]{0,5})$/.test(text) && Number(text) <= max) return Number(text);
  throw new TextError('MALFORMED_TYPE', at, `${quote(text)} is not a number from 0 to ${max}`);
}

function range({ text, at }: Piece, type: NumberType): Pick<NumberType, 'min' | 'max'> {
  const match = /^(\S*?)\s*\.\.\s*(\S*)$/.exec(text);
  const [, from = '', to = ''] = match ?? [];
  if (match === null || (from === '' && to === '')) {
    throw new TextError('MALFORMED_TYPE', at, `${quote(text)} is not a range: write, for example, 0..100 or 0..`);
  }
  const min = from === '' ? UNBOUNDED.min : readNumber(from, type, at);
  const max = to === '' ? UNBOUNDED.max : readNumber(to, type, at + text.length - to.length);
  if (min > max) {
    throw new TextError('MALFORMED_TYPE', at, `the range ${text} is empty: write the smaller number first`);
  }
  return { min, max };
}

/** Splits at commas outside parentheses. */
function split({ text, at }: Piece): readonly Piece[] {
  const pieces: Piece[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const character = text[index];
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character !== undefined && (character !== ',' || depth > 0)) continue;
    const raw = text.slice(start, index);
    pieces.push({ text: raw.trim(), at: at + start + raw.length - raw.trimStart().length });
    start = index + 1;
  }
  return pieces;
}

const malformed = ({ at }: Piece, message: string) => new TextError('MALFORMED_TYPE', at, message);
