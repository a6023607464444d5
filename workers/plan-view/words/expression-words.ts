import { describeMicroseconds } from '../../plan-text/types/time-text.ts';
import { code, listed } from '../markdown/escape.ts';
import { type Expr, operandsOf, operatorOf } from '../parts/expression.ts';
import { fieldsOf } from '../parts/plan-parts.ts';

/** What a reader wants to see beside names: values of constants. */
export interface WordContext {
  readonly variables: Readonly<Record<string, unknown>>;
}

type Writer = (operands: readonly Expr[], context: WordContext) => string;

/** An expression in words, as Markdown. Every name and text of the plan is a code span. */
export function inWords(expr: Expr, context: WordContext): string {
  if (typeof expr === 'number') return String(expr);
  const operator = operatorOf(expr);
  const writer = operator === undefined ? undefined : WRITERS.get(operator);
  const operands = operandsOf(expr);
  return writer === undefined || operands === undefined ? code(JSON.stringify(expr) ?? '') : writer(operands, context);
}

/** Operators that join conditions. Inside others, they are put in parentheses. */
const COMPOUND = new Set([
  'and',
  'or',
  'implies',
  'iff',
  'ite',
  'forall',
  'exists',
  '+',
  '-',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
]);

function within(expr: Expr, context: WordContext): string {
  const words = inWords(expr, context);
  return COMPOUND.has(operatorOf(expr) ?? '') ? `(${words})` : words;
}

const text = (value: unknown): string => code(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const joined =
  (word: string): Writer =>
  (operands, context) =>
    operands.map((operand) => within(operand, context)).join(` ${word} `);

const named =
  (...prefix: readonly string[]): Writer =>
  (operands) => {
    const parts = [
      ...prefix,
      ...operands.map((operand) => (typeof operand === 'string' ? operand : JSON.stringify(operand))),
    ];
    return code(parts.join('.'));
  };

/** `["arg","x"]` is the action's own, `["arg","p","x"]` that of a bound action. */
const partOf =
  (word: string): Writer =>
  (operands) => {
    const [first, second] = operands.map((operand) => String(operand));
    if (second === undefined) return code(`${word}.${first ?? ''}`);
    return code(word === 'response' ? `${first ?? ''}.response.${second}` : `${first ?? ''}.${second}`);
  };

function variable([name]: readonly Expr[], { variables }: WordContext): string {
  const fields = typeof name === 'string' ? fieldsOf(variables[name]) : undefined;
  const value = fields?.get('value');
  if (value === undefined) return text(name);
  return `${text(name)} (${fields?.get('type') === 'duration' ? duration([value]) : text(String(value))})`;
}

/** A range in words: the actions of a step, the rows of a table, the changed keys of a map. */
export function rangeInWords(range: Expr): { readonly one: string; readonly every: string; readonly all: string } {
  if (typeof range === 'string')
    return { one: `${text(range)} action`, every: `${text(range)} action`, all: `${text(range)} actions` };
  const [name] = operandsOf(range, 'table', 'map') ?? [];
  const isTable = operatorOf(range) === 'table';
  const of = text(name);
  if (isTable) return { one: `row of ${of}`, every: `row of ${of}`, all: `rows of ${of}` };
  return { one: `changed entry of ${of}`, every: `changed entry of ${of}`, all: `changed entries of ${of}` };
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
  const same = listed(parts.map((key) => inWords(key, context)));
  return `no two ${rangeInWords(range).all} ${text(binder)}${such(condition, context)} have the same ${same}`;
}

/** One key as it is; several, which are one key together, in parentheses. */
function keysInWords(keys: Expr, context: WordContext): string {
  const words = (Array.isArray(keys) ? keys : []).map((key: unknown) => within(key, context));
  return words.length > 1 ? `(${words.join(', ')})` : words.join('');
}

const someOrNo = (word: 'some' | 'no', [range, binder, body]: readonly Expr[], context: WordContext): string =>
  `for ${word} ${rangeInWords(range).one} ${text(binder)}: ${within(body, context)}`;

function negation([operand]: readonly Expr[], context: WordContext): string {
  const [table, keys] = operandsOf(operand, 'in') ?? [];
  if (table !== undefined) return `${keysInWords(keys, context)} is not in the table ${text(table)}`;
  const some = operandsOf(operand, 'exists');
  if (some !== undefined) return someOrNo('no', some, context);
  return `it is false that (${inWords(operand, context)})`;
}

function difference(operands: readonly Expr[], context: WordContext): string {
  const [only, ...rest] = operands;
  return rest.length === 0 ? `−${within(only, context)}` : joined('−')(operands, context);
}

function duration([microseconds]: readonly Expr[]): string {
  const isNumber = typeof microseconds === 'string' && /^-?[0-9]{1,19}$/.test(microseconds);
  return isNumber ? describeMicroseconds(BigInt(microseconds)) : text(microseconds);
}

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['arg', partOf('args')],
  ['resp', partOf('response')],
  ['state', named('state')],
  ['final', (operands) => `${named('state')(operands, { variables: {} })} at the end`],
  ['ev', named('evidence')],
  ['var', variable],
  ['dec', ([value]) => text(value)],
  ['int', ([value]) => text(value)],
  ['bool', ([value]) => String(value)],
  ['str', ([value]) => `the text ${text(value)}`],
  ['enum', ([value]) => text(value)],
  ['time', ([value]) => text(value)],
  ['duration', duration],
  ['and', joined('and')],
  ['or', joined('or')],
  ['not', negation],
  ['implies', ([left, right], context) => `if ${within(left, context)}, then ${within(right, context)}`],
  ['iff', joined('exactly if')],
  [
    'ite',
    ([test, yes, no], context) =>
      `${within(yes, context)} if ${within(test, context)}, otherwise ${within(no, context)}`,
  ],
  ['=', joined('is')],
  ['!=', joined('is not')],
  ['<', joined('is below')],
  ['<=', joined('is at most')],
  ['>', joined('is above')],
  ['>=', joined('is at least')],
  ['+', joined('+')],
  ['-', difference],
  ['*', joined('×')],
  ['div', joined('divided by (rounded down)')],
  ['mod', joined('modulo')],
  ['min', (operands, context) => `the least of ${listed(operands.map((operand) => within(operand, context)))}`],
  ['max', (operands, context) => `the greatest of ${listed(operands.map((operand) => within(operand, context)))}`],
  [
    'forall',
    ([range, binder, body], context) =>
      `for every ${rangeInWords(range).every} ${text(binder)}: ${inWords(body, context)}`,
  ],
  ['exists', (operands, context) => someOrNo('some', operands, context)],
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
  ['col', partOf('row')],
  ['key', ([binder]) => code(`${String(binder)}.key`)],
  ['value', ([binder]) => code(`${String(binder)}.value`)],
  ['started', ([binder]) => (binder === undefined ? 'the reported start' : `the reported start of ${text(binder)}`)],
  ['ended', ([binder]) => (binder === undefined ? 'the reported end' : `the reported end of ${text(binder)}`)],
  ['before', ([first, second]) => `${text(first)} comes before ${text(second)}`],
  ['run', ([fact]) => (fact === 'approvals' ? 'the number of approvals' : 'the time of approval')],
  ['approved_by', ([group]) => `a key of the group ${text(group)} approved`],
]);
