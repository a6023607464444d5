import { checkBounds, MAX_SCALE, MAX_STRING_CODE_POINTS } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { parseNumber } from '../../exact/numbers.ts';
import { BOOL, convert, decimalsOf, type Operand, sortOf, type Typed } from './operands.ts';
import { OPERATORS } from './operators.ts';
import { relationReaders } from './parse-relation.ts';
import { withNeeds, writtenType } from './parts.ts';
import { checkArity, countName, onlyText, type Reader, type Scope, type Site } from './site.ts';
import { parseString } from './strings.ts';
import { type Expression, literal, SCOPE_WORDS, type ScopeWord } from './terms.ts';
import { TIMED_OPERATORS } from './timed-operators.ts';
import type { Sort, ValueType } from './types.ts';

export interface ExpressionSite {
  /** The type that the expression must have: bool for a rule. */
  readonly type: ValueType;
  readonly scope: Scope;
  /** JSON pointer to the expression. */
  readonly path?: string;
}

/**
 * Reads an expression of a type from unchecked JSON. The forms, with `e` for an expression:
 *
 * - references: `["arg","amount"]`, with `arg`, `resp`, `state`, `ev`, `var` or `final`;
 * - literals: `["dec","0.00"]`, `["int","3"]` or the safe integer `3`, `["bool",true]`, `["str","A1"]`,
 *   `["enum","open"]`;
 * - `["and",e…]` `["or",e…]` `["not",e]` `["implies",e,e]` `["iff",e,e]` `["ite",e,e,e]`;
 * - `["=",e,e]` and `!=` of one sort; `<` `<=` `>` `>=` of numbers;
 * - `["+",e…]` `["-",e…]` (of one operand: its negative) `["min",e…]` `["max",e…]`; `["*",e,e]`, which has the
 *   decimals of both sides, in sheets with a literal on one side; `["div",e,l]` of integers by a literal that is not 0;
 * Plans have further forms: see `relationReaders`.
 *
 * Numbers of different scales can be combined, ints (scale 0) included. The result has the larger scale and is exact. It is
 * converted to `type`, which must have at least as many decimals.
 * @throws {DocumentError} at a path that begins with `path`
 */
export function parseExpression(json: unknown, { type, scope, path = '' }: ExpressionSite): Expression {
  checkBounds(json, path);
  return convert(readForm(json, path, siteOf(scope)), type);
}

/** An expression of a number, and its scale. */
export interface NumberExpression {
  readonly expression: Expression;
  readonly scale: number;
}

/** The side of a comparison that must be the greater one. */
const GREATER: ReadonlyMap<unknown, 'left' | 'right'> = new Map([
  ['<', 'right'],
  ['<=', 'right'],
  ['>', 'left'],
  ['>=', 'left'],
]);

/**
 * The slack of a rule that compares two numbers: the greater side less the lesser one. The rule is broken if it is below
 * 0. Undefined for any other rule.
 * @param json a rule that `parseExpression` has read in the same scope
 */
export function parseSlack(json: unknown, scope: Scope): NumberExpression | undefined {
  const [head, left, right]: readonly unknown[] = Array.isArray(json) ? json : [];
  const greater = GREATER.get(head);
  if (greater === undefined) return undefined;
  const difference = greater === 'left' ? ['-', left, right] : ['-', right, left];
  const operand = readForm(difference, '', siteOf(scope));
  if (operand.sort.sort !== 'number') return undefined;
  return { expression: operand.expression, scale: decimalsOf(operand) };
}

const siteOf = (scope: Scope): Site => ({ ...scope, referred: new Set(), bound: new Map(), read: readForm });

/** Reads one form. Its operands are read by the site's `read`. @throws {DocumentError} */
export function readForm(json: unknown, path: string, site: Site): Operand {
  if (typeof json === 'number') return { ...readInteger(json, path), path };
  const [head, ...args]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (typeof head !== 'string') {
    throw new DocumentError(
      'MALFORMED_EXPRESSION',
      path,
      'is neither a safe integer nor a list that begins with an operator',
    );
  }
  const reader = (site.relations === undefined ? OWN : RELATIONAL).get(head);
  return { ...(reader === undefined ? operate(head, args, path, site) : reader(args, path, site)), path };
}

function operate(head: string, args: readonly unknown[], path: string, site: Site): Typed {
  const operator = (site.relations === undefined ? OPERATORS : TIMED_OPERATORS).get(head);
  if (operator === undefined)
    throw new DocumentError('UNKNOWN_OPERATOR', `${path}/0`, 'is not an operator of the language');
  checkArity(args, operator.arity, path);
  return operator.build(args.map((arg, index) => site.read(arg, `${path}/${index + 1}`, site)));
}

const LEAVES: readonly (readonly [string, Reader])[] = [
  ['dec', readNumeral(MAX_SCALE)],
  ['int', readNumeral(0)],
  ['bool', readBool],
  ['str', readText((): Sort => ({ sort: 'string' }))],
  ['enum', readText((value): Sort => ({ sort: 'enum', declared: undefined, used: [value] }))],
  ...SCOPE_WORDS.map((word) => [word, readReference(word)] as const),
];

/** The forms of sheets, which know nothing of actions. */
const OWN: ReadonlyMap<string, Reader> = new Map(LEAVES);
const RELATIONAL: ReadonlyMap<string, Reader> = new Map([...LEAVES, ...relationReaders(OWN)]);

function readInteger(json: number, path: string): Typed {
  if (Number.isSafeInteger(json) && !Object.is(json, -0)) {
    return { sort: { sort: 'number', scale: 0 }, expression: literal(BigInt(json)) };
  }
  throw new DocumentError('MALFORMED_NUMBER', path, 'is not a safe integer');
}

function readNumeral(maxScale: number): Reader {
  return (args, path) => {
    const { numerator, scale } = parseNumber(onlyText(args, path), `${path}/1`);
    if (scale > maxScale) throw new DocumentError('WRONG_SCALE', `${path}/1`, `has more than ${maxScale} decimals`);
    return { sort: { sort: 'number', scale }, expression: literal(numerator) };
  };
}

function readText(sort: (value: string) => Sort): Reader {
  return (args, path) => {
    const value = parseString(onlyText(args, path), MAX_STRING_CODE_POINTS, `${path}/1`);
    return { sort: sort(value), expression: literal(value) };
  };
}

function readBool(args: readonly unknown[], path: string): Typed {
  checkArity(args, [1, 1], path);
  const [value] = args;
  if (typeof value === 'boolean') return { sort: BOOL, expression: literal(value) };
  throw new DocumentError('MALFORMED_EXPRESSION', `${path}/1`, 'is neither true nor false');
}

function readReference(scope: ScopeWord): Reader {
  return (args, path, site) => {
    const name = onlyText(args, path);
    const types = site.names[scope];
    if (types === undefined) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here');
    const type = writtenType(types, name);
    if (type === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/1`, `is not a name of ${scope}`);
    countName(`${scope} ${name}`, site, path);
    return { sort: sortOf(type), expression: withNeeds({ op: 'reference', scope, name }, types) };
  };
}
