import { isDeepStrictEqual } from 'node:util';
import { describeMicroseconds } from '../../../exact/durations.ts';
import { spokenPart } from '../../language/parts.ts';
import { code, listed } from './escape.ts';
import { type JsonExpression as Expr, fieldsOf, operandsOf, operatorOf } from './json-expression.ts';

/** What a reader wants to see beside names: values of constants. */
export interface WordContext {
  readonly variables: Readonly<Record<string, unknown>>;
}

type Writer = (operands: readonly Expr[], context: WordContext) => string;

/**
 * An expression in words, as Markdown. Every name and text of the plan is a code span. Different expressions have different
 * words: an operand that is more than a name or a value is in parentheses, unless nothing can follow it.
 */
export function inWords(expr: Expr, context: WordContext): string {
  if (typeof expr === 'number') return String(expr);
  const operator = operatorOf(expr);
  const writer = operator === undefined ? undefined : WRITERS.get(operator);
  const operands = operandsOf(expr);
  return writer === undefined || operands === undefined ? code(JSON.stringify(expr) ?? '') : writer(operands, context);
}

/** A rule in words, like `inWords`. A bound of a plain sum is said of all acts together. */
export function ruleInWords(expr: Expr, context: WordContext): string {
  const [sum, bound, ...others] = operandsOf(expr, '<=') ?? [];
  const [step, binder, summed, ...conditions] = operandsOf(sum, 'sum') ?? [];
  const [of, name] = operandsOf(summed, 'arg') ?? [];
  const isPlain = typeof step === 'string' && typeof name === 'string' && of === binder;
  if (!isPlain || conditions.length > 0 || others.length > 0) return inWords(expr, context);
  return `all ${text(step)} actions together: ${text(name)} is at most ${side(bound, context)}`;
}

/** Names and values: a few words that nothing can be read into. */
const ATOMS = new Set(
  'arg resp state ev var dec int bool str enum time duration col item started ended run'.split(' '),
);
/** Phrases that begin with their own word and whose parts are atoms or in parentheses: a comparison can follow. */
const PHRASES = new Set('final at look sum count least greatest min max'.split(' '));

const isAtom = (expr: Expr): boolean => typeof expr === 'number' || ATOMS.has(operatorOf(expr) ?? '');

/** An operand, in parentheses unless it is an atom. */
function within(expr: Expr, context: WordContext): string {
  const words = inWords(expr, context);
  return isAtom(expr) ? words : `(${words})`;
}

/** A side of a comparison. */
const side = (expr: Expr, context: WordContext): string =>
  PHRASES.has(operatorOf(expr) ?? '') ? inWords(expr, context) : within(expr, context);

const text = (value: unknown): string => code(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** `a and b`. One operand alone gets a word of its own. */
const joined =
  (word: string, alone: string): Writer =>
  (operands, context) => {
    const words = operands.map((operand) => within(operand, context));
    return words.length === 1 ? `${alone}${words.join('')}` : words.join(` ${word} `);
  };

const compared =
  (word: string): Writer =>
  (operands, context) =>
    operands.map((operand) => side(operand, context)).join(` ${word} `);

const anyOf = joined('or', 'one of ');

/** `x is any of 1, 2 or 3` for equalities of one left side. */
function alternatives(operands: readonly Expr[], context: WordContext): string {
  const pairs = operands.map((operand) => operandsOf(operand, '=') ?? []);
  const [left] = pairs[0] ?? [];
  const isList = pairs.length > 1 && pairs.every((pair) => pair.length === 2 && isDeepStrictEqual(pair[0], left));
  if (!isList) return anyOf(operands, context);
  return `${side(left, context)} is any of ${listed(
    pairs.map(([, value]) => within(value, context)),
    'or',
  )}`;
}

/** Also a member: `address/street` is written `address.street`. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*(?:\/[A-Za-z_][A-Za-z0-9_]*)*$/;
const OWN = new Set(['args', 'response', 'state', 'evidence']);

/** `args.x` for the action's own, `p.x` for a bound one. Names with dots in them are kept apart. */
function dotted(what: string, names: readonly Expr[]): string {
  const [name, ...others] = names.map((each) => spokenPart(String(each)));
  const isPlain = names.every((part) => typeof part === 'string' && PLAIN.test(part));
  if (others.length === 0) return isPlain ? code(`${what}.${name}`) : `the ${what} ${text(names[0])}`;
  const path = what === 'response' ? [name, what, ...others] : [name, ...others];
  if (isPlain && !OWN.has(String(name))) return code(path.join('.'));
  return `the ${what} ${text(names[1])} of ${text(names[0])}`;
}

const partOf =
  (what: string): Writer =>
  (operands) =>
    dotted(what, operands);

function variable([name]: readonly Expr[], { variables }: WordContext): string {
  const fields = typeof name === 'string' ? fieldsOf(variables[name]) : undefined;
  const value = fields?.get('value');
  const words = PLAIN.test(String(name)) ? text(name) : `the given ${text(name)}`;
  return value === undefined ? words : `${words} (${writtenInWords(fields?.get('type'), value)})`;
}

/** A range in words: the actions of a step, the rows of a table. */
export function rangeInWords(range: Expr): { readonly one: string; readonly all: string } {
  if (typeof range === 'string') return { one: `${text(range)} action`, all: `${text(range)} actions` };
  const list = operandsOf(range, 'arg', 'resp');
  if (list !== undefined) {
    const name = dotted(operatorOf(range) === 'arg' ? 'args' : 'response', list);
    return { one: `element of ${name}`, all: `elements of ${name}` };
  }
  const of = text(operandsOf(range, 'table')?.[0]);
  return { one: `row of ${of}`, all: `rows of ${of}` };
}

const such = (condition: Expr | undefined, context: WordContext): string =>
  condition === undefined ? '' : ` for which ${within(condition, context)}`;

const aggregate =
  (phrase: string): Writer =>
  ([range, binder, value, condition], context) =>
    `${phrase} ${within(value, context)} over all ${rangeInWords(range).all} ${text(binder)}${such(condition, context)}`;

function count([range, binder, condition]: readonly Expr[], context: WordContext): string {
  const bound = binder === undefined ? '' : ` ${text(binder)}`;
  return `the number of ${rangeInWords(range).all}${bound}${such(condition, context)}`;
}

function unique([range, binder, keys, condition]: readonly Expr[], context: WordContext): string {
  const parts: readonly Expr[] = Array.isArray(keys) ? keys : [];
  const same = listed(parts.map((key) => within(key, context)));
  return `no two ${rangeInWords(range).all} ${text(binder)}${such(condition, context)} have the same ${same}`;
}

/** One key as it is; several, which are one key together, in parentheses. */
function keysInWords(keys: Expr, context: WordContext): string {
  const words = (Array.isArray(keys) ? keys : []).map((key: unknown) => within(key, context));
  return words.length > 1 ? `(${words.join(', ')})` : words.join('');
}

/** The body is at the end, so it needs no parentheses. */
const quantified =
  (word: 'every' | 'some' | 'no'): Writer =>
  ([range, binder, body], context) =>
    `for ${word} ${rangeInWords(range).one} ${text(binder)}: ${inWords(body, context)}`;

function negation([operand]: readonly Expr[], context: WordContext): string {
  const [table, keys] = operandsOf(operand, 'in') ?? [];
  if (table !== undefined) return `${keysInWords(keys, context)} is not in the table ${text(table)}`;
  const some = operandsOf(operand, 'exists');
  if (some !== undefined) return quantified('no')(some, context);
  return `it is false that (${inWords(operand, context)})`;
}

/** A duration in words, such as 1h30m. */
export function duration([microseconds]: readonly Expr[]): string {
  const isNumber = typeof microseconds === 'string' && /^-?[0-9]{1,19}$/.test(microseconds);
  return isNumber ? describeMicroseconds(BigInt(microseconds)) : text(microseconds);
}

/** A value as it is written in a plan. @param type its name, such as `duration` */
export const writtenInWords = (type: unknown, value: unknown): string =>
  type === 'duration' ? duration([value]) : code(String(value));

/** Division is Euclidean, so by a number below zero it rounds up. */
function division([dividend, divisor]: readonly Expr[], context: WordContext): string {
  return `${within(dividend, context)} divided by (rounded ${isBelowZero(divisor) ? 'up' : 'down'}) ${within(divisor, context)}`;
}

/** Of a literal, or a product of literals. */
function isBelowZero(expr: Expr): boolean {
  if (typeof expr === 'number') return expr < 0;
  const factors = operandsOf(expr, '*');
  if (factors !== undefined) return factors.filter(isBelowZero).length === 1;
  return String(operandsOf(expr)?.[0]).startsWith('-');
}

const extreme =
  (phrase: string): Writer =>
  (operands, context) =>
    `${phrase} ${listed(operands.map((operand) => within(operand, context)))}`;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['arg', partOf('args')],
  ['resp', partOf('response')],
  ['state', partOf('state')],
  ['final', (operands) => `${dotted('state', operands)} at the end`],
  ['ev', partOf('evidence')],
  ['var', variable],
  // A decimal without decimals would read like an int.
  ['dec', ([value]) => (String(value).includes('.') ? text(value) : `the decimal ${text(value)}`)],
  ['int', ([value]) => text(value)],
  ['bool', ([value]) => String(value)],
  ['str', ([value]) => `the text ${text(value)}`],
  ['enum', ([value]) => `the value ${text(value)}`],
  ['time', ([value]) => text(value)],
  ['duration', duration],
  ['and', joined('and', 'all of ')],
  ['or', alternatives],
  ['not', negation],
  ['implies', ([left, right], context) => `if ${within(left, context)}, then ${within(right, context)}`],
  ['iff', joined('exactly if', '')],
  [
    'ite',
    ([test, yes, no], context) =>
      `${within(yes, context)} if ${within(test, context)}, otherwise ${within(no, context)}`,
  ],
  ['=', compared('is')],
  ['!=', compared('is not')],
  ['<', compared('is below')],
  ['<=', compared('is at most')],
  ['>', compared('is above')],
  ['>=', compared('is at least')],
  ['+', joined('+', 'plus ')],
  ['-', joined('−', 'minus ')],
  ['*', joined('×', '')],
  ['div', division],
  ['min', extreme('the least of')],
  ['max', extreme('the greatest of')],
  ['forall', quantified('every')],
  ['exists', quantified('some')],
  ['count', count],
  ['sum', aggregate('the sum of')],
  ['least', aggregate('the least')],
  ['greatest', aggregate('the greatest')],
  ['unique', unique],
  ['in', ([table, keys], context) => `${keysInWords(keys, context)} is in the table ${text(table)}`],
  [
    'look',
    ([table, column, keys], context) => `the ${text(column)} of ${keysInWords(keys, context)} in ${text(table)}`,
  ],
  [
    'at',
    ([when, name, key], context) =>
      `${text(name)} of ${within(key, context)}${when === 'final' ? ' at the end' : ' before the act'}`,
  ],
  ['col', partOf('column')],
  ['item', ([binder, name]) => (name === undefined ? text(binder) : dotted('element', [binder, name]))],
  ['has', ([part], context) => `${inWords(part, context)} is there`],
  ['started', ([binder]) => (binder === undefined ? 'the reported start' : `the reported start of ${text(binder)}`)],
  ['ended', ([binder]) => (binder === undefined ? 'the reported end' : `the reported end of ${text(binder)}`)],
  ['outcome', ([binder]) => `the reported outcome of ${text(binder)}`],
  ['before', ([first, second]) => `${text(first)} has ended before ${text(second)} starts`],
  ['run', ([fact]) => (fact === 'approvals' ? 'the number of approvals' : 'the time of approval')],
  ['approved_by', ([group]) => `a key of the group ${text(group)} approved`],
]);
