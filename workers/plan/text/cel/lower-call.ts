import { defined } from '../../../exact/defined.ts';
import { toMicroseconds } from '../../../exact/durations.ts';
import { formatInstant, readInstant } from '../../../exact/instants.ts';
import { knownNames } from '../faults/suggest.ts';
import { explainDuration } from '../types/time-text.ts';
import { quote } from '../yaml/fields.ts';
import { CelError } from './cel-error.ts';
import { FUNCTIONS } from './hints.ts';
import { condition, operate } from './lower-operator.ts';
import { chainOf, partOf } from './lower-part.ts';
import { bindElement, lowerRange } from './lower-range.ts';
import { type Json, type Lowered, type Lowering, lowered } from './lowering.ts';
import { fitting } from './misfit.ts';
import type { CallSyntax, MacroSyntax, StringSyntax, Syntax } from './syntax.ts';

/** `all`, `exists`. @throws {CelError} */
export function lowerMacro({ name, range, binder, body, mark }: MacroSyntax, lowering: Lowering): Lowered {
  const over = lowerRange(range, lowering);
  const holds = condition(body, bindElement(over, binder, mark, lowering), name);
  return lowered([name === 'all' ? 'forall' : 'exists', over.json, binder, holds], mark, lowering);
}

type CallReader = (call: CallSyntax, lowering: Lowering) => Lowered;

/** @throws {CelError} */
export function lowerCall(call: CallSyntax, lowering: Lowering): Lowered {
  const reader = CALLS.get(call.name);
  if (reader !== undefined) return reader(call, lowering);
  const instead = FUNCTIONS.get(call.name.toLowerCase());
  const hint = instead === undefined ? knownNames(call.name, CALLS.keys()) : ` ${instead}`;
  throw new CelError('CEL_UNSUPPORTED', call.at, `${call.name}() is not a function of plans.${hint}`);
}

const CALLS: ReadonlyMap<string, CallReader> = new Map<string, CallReader>([
  ['sum', (call, lowering) => lowerValueOf('sum', call, lowering)],
  ['least', (call, lowering) => lowerValueOf('least', call, lowering)],
  ['greatest', (call, lowering) => lowerValueOf('greatest', call, lowering)],
  ['count', lowerCount],
  ['size', lowerCount],
  ['unique', lowerUnique],
  ['min', (call, lowering) => lowerExtreme('min', call, lowering)],
  ['max', (call, lowering) => lowerExtreme('max', call, lowering)],
  ['has', lowerHas],
  ['before', lowerBefore],
  ['approved_by', lowerApprovedBy],
  ['timestamp', lowerTimestamp],
  ['duration', lowerDuration],
]);

function assertArity({ name, args, at }: CallSyntax, min: number, max: number, example: string): void {
  if (args.length >= min && args.length <= max) return;
  throw new CelError('WRONG_ARITY', at, `${name}() has ${args.length} operands: write ${example}`);
}

interface Element {
  readonly range: Json;
  readonly binder: string;
  /** The lowering in which the binder is known. */
  readonly inner: Lowering;
}

/** The first two operands: a range, and a name for its elements. */
function elementOf(range: Syntax, name: Syntax, lowering: Lowering, example: string): Element {
  const over = lowerRange(range, lowering);
  if (name.kind !== 'name')
    throw new CelError('WRONG_ARITY', name.at, `a name for the element belongs here: write ${example}`);
  const inner = bindElement(over, name.name, name.at, lowering);
  return { range: over.json, binder: name.name, inner };
}

/** The condition at the end, if there is one. */
const lastCondition = (last: Syntax | undefined, inner: Lowering): readonly Lowered[] =>
  last === undefined ? [] : [condition(last, inner, 'the last operand')];

function lowerValueOf(op: 'sum' | 'least' | 'greatest', call: CallSyntax, lowering: Lowering): Lowered {
  const example = `${op}(pay, p, p.amount), or ${op}(pay, p, p.amount, condition)`;
  assertArity(call, 3, 4, example);
  const [range, name, value, cond] = call.args;
  const { inner, ...element } = elementOf(defined(range), defined(name), lowering, example);
  const body = inner.lower(defined(value));
  const form = [op, element.range, element.binder, body, ...lastCondition(cond, inner)];
  return fitting({ operator: op, operands: [body], mark: call.at }, () =>
    lowered(form, call.at, lowering, body.isNonNegative),
  );
}

function lowerCount(call: CallSyntax, lowering: Lowering): Lowered {
  const example = `${call.name}(pay)${call.name === 'count' ? ', or count(pay, p, p.amount > 0.00)' : ''}`;
  const [range, name, cond] = call.args;
  if (call.name === 'size' || call.args.length !== 3) assertArity(call, 1, 1, example);
  if (name !== undefined && cond !== undefined) {
    const { inner, ...element } = elementOf(defined(range), name, lowering, example);
    return lowered(['count', element.range, element.binder, ...lastCondition(cond, inner)], call.at, lowering, true);
  }
  if (defined(range).kind === 'string') {
    throw new CelError('CEL_UNSUPPORTED', call.at, 'the length of a text is bounded by its type: write string(64)');
  }
  return lowered(['count', lowerRange(defined(range), lowering).json], call.at, lowering, true);
}

function lowerUnique(call: CallSyntax, lowering: Lowering): Lowered {
  const example = 'unique(pay, p, p.invoice), or unique(pay, p, [p.invoice, p.payee])';
  assertArity(call, 3, 4, example);
  const [range, name, keys, cond] = call.args;
  const { inner, ...element } = elementOf(defined(range), defined(name), lowering, example);
  const parts = keys?.kind === 'list' ? keys.items : [defined(keys)];
  if (parts.length === 0 || parts.length > 4) {
    throw new CelError('WRONG_ARITY', defined(keys).at, 'unique takes 1 to 4 keys');
  }
  const lowers = parts.map((part) => inner.lower(part));
  return lowered(['unique', element.range, element.binder, lowers, ...lastCondition(cond, inner)], call.at, lowering);
}

function lowerExtreme(op: 'min' | 'max', call: CallSyntax, lowering: Lowering): Lowered {
  assertArity(call, 2, 16, `${op}(a, b), or ${op === 'min' ? 'least' : 'greatest'}(pay, p, p.amount) over a step`);
  const operands = call.args.map((arg) => lowering.lower(arg));
  return operate(op, operands, call.at, lowering);
}

function lowerBefore(call: CallSyntax, lowering: Lowering): Lowered {
  assertArity(call, 2, 2, 'before(a, p), with two actions that all, exists or the like name');
  const names = call.args.map((arg) => {
    if (arg.kind === 'name' && lowering.site.bound.get(arg.name)?.kind === 'step') return arg.name;
    throw new CelError('TYPE_MISMATCH', arg.at, 'before() takes two actions, as in approve.exists(a, before(a, p))');
  });
  return lowered(['before', ...names], call.at, lowering);
}

/** Whether a part that may be left out is there. */
function lowerHas(call: CallSyntax, lowering: Lowering): Lowered {
  assertArity(call, 1, 1, 'has(args.cc)');
  const [operand] = call.args;
  const chain = chainOf(defined(operand));
  const part = chain && partOf(chain, lowering);
  if (part !== undefined) return lowered(['has', part.json], call.at, lowering);
  throw new CelError('TYPE_MISMATCH', defined(operand).at, 'has() takes an argument or a field, as in has(args.cc)');
}

function lowerApprovedBy(call: CallSyntax, lowering: Lowering): Lowered {
  if (!lowering.scope.relations.hasRunFacts)
    throw new CelError('OUT_OF_SCOPE', call.at, 'approved_by cannot be used in evidence: write a rule');
  const { value } = onlyText(call, 'approved_by("finance")');
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(value)) {
    throw new CelError('MALFORMED_NAME', call.at, `${quote(value)} is not the name of a group of keys`);
  }
  return lowered(['approved_by', value], call.at, lowering);
}

function lowerTimestamp(call: CallSyntax, lowering: Lowering): Lowered {
  const { value, at } = onlyText(call, 'timestamp("2099-12-31T00:00:00Z")');
  const instant = readInstant(value);
  if (instant !== undefined) return lowered(['time', formatInstant(instant)], call.at, lowering);
  throw new CelError(
    'MALFORMED_TIME',
    at,
    `${quote(value)} is not a time that exists in UTC: write timestamp("2099-12-31T00:00:00Z")`,
  );
}

function lowerDuration(call: CallSyntax, lowering: Lowering): Lowered {
  const { value, at } = onlyText(call, 'duration("24h")');
  const microseconds = toMicroseconds(value);
  if (microseconds !== undefined) return lowered(['duration', String(microseconds)], call.at, lowering);
  throw new CelError(
    'MALFORMED_TIME',
    at,
    `${quote(value)} is not a duration: write duration("${explainDuration(value) ?? '1h30m'}")`,
  );
}

function onlyText(call: CallSyntax, example: string): StringSyntax {
  assertArity(call, 1, 1, example);
  const [text] = call.args;
  if (text?.kind === 'string') return text;
  throw new CelError('NOT_A_LITERAL', call.at, `${call.name}() takes a text that is written here: write ${example}`);
}
