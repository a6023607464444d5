import { checkBounds, MAX_SCALE, MAX_STRING_CODE_POINTS, MAX_VARIABLES } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { parseNumber } from '../../exact/numbers.ts';
import { BOOL, convert, type Operand, type Sort, scaleOf, sortOf, type Typed } from './operands.ts';
import { OPERATORS } from './operators.ts';
import { parseString } from './strings.ts';
import { type Aggregate, type Expression, literal, SCOPE_WORDS, type Scoped, type ScopeWord } from './terms.ts';
import type { ValueType } from './types.ts';

export interface Scope {
  /** Types of the names that an expression may refer to. */
  readonly names: Scoped<ValueType>;
  /** Steps that an expression may aggregate over, with the names of one action, which are known besides `names`. */
  readonly steps?: ReadonlyMap<string, Scoped<ValueType>>;
}

export interface ExpressionSite {
  /** The type that the expression must have: bool for a rule. */
  readonly type: ValueType;
  readonly scope: Scope;
  /** JSON pointer to the expression. */
  readonly path?: string;
}

/** The state of reading an expression. `referred` has each name that was met. */
interface Site extends Scope {
  readonly referred: Set<string>;
}

type Reader = (args: readonly unknown[], path: string, site: Site) => Typed;

/**
 * Reads an expression of a type from unchecked JSON. The forms, with `e` for an expression:
 *
 * - references: `["arg","amount"]`, with `arg`, `resp`, `state`, `ev`, `var` or `final`;
 * - literals: `["dec","0.00"]`, `["int","3"]` or the safe integer `3`, `["bool",true]`, `["str","A1"]`,
 *   `["enum","open"]`;
 * - `["and",e…]` `["or",e…]` `["not",e]` `["implies",e,e]` `["iff",e,e]` `["ite",e,e,e]`;
 * - `["=",e,e]` and `!=` of one sort; `<` `<=` `>` `>=` of numbers;
 * - `["+",e…]` `["-",e…]` (of one operand: its negative) `["min",e…]` `["max",e…]`; `["*",e,e]` with a literal on one
 *   side; `["div",e,l]` and `["mod",e,l]` of integers by a literal that is not 0;
 * - over a step's actions: `["sum","pay",e]` `["count","pay"]` `["count","pay",e]` `["forall","pay",e]`
 *   `["exists","pay",e]`, not inside one another.
 *
 * Numbers of different scales can be combined, ints (scale 0) included. The result has the larger scale and is exact. It is
 * converted to `type`, which must have at least as many decimals.
 * @throws {DocumentError} at a path that begins with `path`
 */
export function parseExpression(json: unknown, { type, scope, path = '' }: ExpressionSite): Expression {
  checkBounds(json, path);
  return convert(read(json, path, { ...scope, referred: new Set() }), type);
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
  const operand = read(difference, '', { ...scope, referred: new Set() });
  return { expression: operand.expression, scale: scaleOf(operand) };
}

function read(json: unknown, path: string, site: Site): Operand {
  if (typeof json === 'number') return { ...readInteger(json, path), path };
  const [head, ...args]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (typeof head !== 'string') {
    throw new DocumentError(
      'MALFORMED_EXPRESSION',
      path,
      'is neither a safe integer nor a list that begins with an operator',
    );
  }
  const reader = READERS.get(head);
  return { ...(reader === undefined ? operate(head, args, path, site) : reader(args, path, site)), path };
}

function operate(head: string, args: readonly unknown[], path: string, site: Site): Typed {
  const operator = OPERATORS.get(head);
  if (operator === undefined)
    throw new DocumentError('UNKNOWN_OPERATOR', `${path}/0`, 'is not an operator of the language');
  checkArity(args, operator.arity, path);
  return operator.build(args.map((arg, index) => read(arg, `${path}/${index + 1}`, site)));
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['dec', readNumeral(MAX_SCALE)],
  ['int', readNumeral(0)],
  ['bool', readBool],
  ['str', readText((): Sort => ({ sort: 'string' }))],
  ['enum', readText((value): Sort => ({ sort: 'enum', declared: undefined, used: [value] }))],
  ...SCOPE_WORDS.map((word) => [word, readReference(word)] as const),
  ['sum', readAggregate('sum')],
  ['count', readAggregate('count')],
  ['forall', readAggregate('forall')],
  ['exists', readAggregate('exists')],
] as const);

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
  return (args, path, { names, referred }) => {
    const name = onlyText(args, path);
    const types = names[scope];
    if (types === undefined) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here');
    const type = types.get(name);
    if (type === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/1`, `is not a name of ${scope}`);
    referred.add(`${scope} ${name}`);
    if (referred.size > MAX_VARIABLES) {
      throw new DocumentError(
        'TOO_MANY_VARIABLES',
        path,
        `refers to more than ${MAX_VARIABLES} names with those before it`,
      );
    }
    return { sort: sortOf(type), expression: { op: 'reference', scope, name } };
  };
}

function readAggregate(op: Aggregate['op']): Reader {
  return (args, path, { names, steps, referred }) => {
    if (steps === undefined) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be used here');
    checkArity(args, op === 'count' ? [1, 2] : [2, 2], path);
    const [step, json = ['bool', true]] = args;
    const action = typeof step === 'string' ? steps.get(step) : undefined;
    if (typeof step !== 'string' || action === undefined) {
      throw new DocumentError('UNKNOWN_STEP', `${path}/1`, 'is not a step');
    }
    // The scope has no steps: nested aggregates would grow with the square of the actions.
    const body = read(json, `${path}/2`, { names: { ...names, ...action }, referred });
    if (op === 'sum') return { sort: { sort: 'number', scale: scaleOf(body) }, expression: aggregate(op, step, body) };
    convert(body, { type: 'bool' });
    return { sort: op === 'count' ? { sort: 'number', scale: 0 } : BOOL, expression: aggregate(op, step, body) };
  };
}

const aggregate = (op: Aggregate['op'], step: string, body: Typed): Aggregate => ({ op, step, body: body.expression });

function onlyText(args: readonly unknown[], path: string): string {
  checkArity(args, [1, 1], path);
  const [text] = args;
  if (typeof text === 'string') return text;
  throw new DocumentError('MALFORMED_EXPRESSION', `${path}/1`, 'is not a string');
}

function checkArity(args: readonly unknown[], [least, most]: readonly [number, number], path: string): void {
  if (args.length >= least && args.length <= most) return;
  const wanted = least === most ? `${least}` : `${least} or more`;
  throw new DocumentError('WRONG_ARITY', path, `has ${args.length} operands, and ${wanted} are required`);
}
