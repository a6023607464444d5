import type { SheetDocument } from '../../exact/sheet-schema.ts';
import { SmtError, SmtSizeError } from '../decide/smt-solver.ts';
import type { Claim } from '../decide/verdict.ts';
import type { Values } from '../language/evaluate.ts';
import { literal, type Term, variable } from '../language/terms.ts';
import { createTexts } from '../language/texts.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { formatValue, type Value } from '../language/values.ts';
import { readSheet } from '../plan/read-sheet.ts';
import type { Judge } from '../run/judge.ts';
import { findLeast, Undecided } from './least.ts';
import { createQuestions, type Questions } from './questions.ts';
import { type Range, rangesOf } from './ranges.ts';
import { type Union, unbounded, unify } from './unify.ts';
import { type SheetTitle, writeSheet } from './write-sheet.ts';

interface Bounds {
  readonly min: string | null;
  readonly max: string | null;
}

export interface Composition {
  readonly outcome: 'consistent' | 'conflict' | 'indeterminate';
  /** All in one, where they are consistent. */
  readonly sheet: SheetDocument | null;
  readonly witness: Readonly<Record<string, string | boolean>> | null;
  readonly core: readonly string[];
  readonly redundant: readonly string[];
  readonly bounds: Readonly<Record<string, Bounds>>;
  /** What went wrong with the solver itself, where something did. */
  readonly engineFault?: string;
}

const NOTHING = { sheet: null, witness: null, core: [], redundant: [], bounds: {} } as const;
export const INDETERMINATE: Composition = { ...NOTHING, outcome: 'indeterminate' };

/**
 * Whether sheets agree, and what they come to: all of it exact, or nothing. A constraint is redundant where the bounds of
 * all sheets and the constraints kept before it entail it. The witness has for each variable, by name and given those
 * before it, the least value: of numbers by value, false before true, of an enum in its order. Of strings it is the first
 * among the empty one, all that the sheets write (values of enums as well) and as many letters from "a" on as there are
 * string variables: the shorter first, then by code unit.
 * @throws {PlanError} @throws {LanguageError} where there is no such sheet, or they are too large together
 */
export function composeSheets(documents: readonly SheetDocument[], as: SheetTitle, by: Judge): Composition {
  const union = unify(documents.map(readSheet));
  if ('core' in union) return { ...NOTHING, outcome: 'conflict', core: union.core };
  try {
    return compose(union, by, () => writeSheet(as, union.variables, documents));
  } catch (error) {
    if (error instanceof Undecided || error instanceof SmtSizeError) return INDETERMINATE;
    if (error instanceof SmtError) return { ...INDETERMINATE, engineFault: error.message };
    throw error;
  }
}

function compose(union: Union, by: Judge, write: () => SheetDocument): Composition {
  const { variables, rules, bounds } = union;
  const questions = createQuestions(by);
  const isEmpty = [...variables.values()].some((type) => 'min' in type && type.min > type.max);
  const values = isEmpty ? undefined : questions.solve(variables, rules);
  if (values === undefined) {
    // Bounds as claims, for the core to name those that it needs.
    const core = questions.coreOf(unbounded(variables), [...rules, ...bounds]);
    return { ...NOTHING, outcome: 'conflict', core: core.map(({ id }) => id) };
  }
  const redundant = redundantOf(union, questions);
  const known: Known = { questions, variables, claims: rules, values };
  const extremes = extremesOf(known);
  const least = new Map([...extremes].map(([name, { min }]) => [name, min]));
  return {
    outcome: 'consistent',
    sheet: write(),
    witness: leastWitness(known, least),
    core: [],
    redundant,
    bounds: boundsOf(known, extremes),
  };
}

/** Of claims that hold together, and values with which they do. */
interface Known {
  readonly questions: Questions;
  readonly variables: ReadonlyMap<string, ValueType>;
  readonly claims: readonly Claim[];
  readonly values: Values;
}

function redundantOf({ variables, rules }: Union, questions: Questions): readonly string[] {
  const kept: Claim[] = [];
  const redundant: string[] = [];
  for (const rule of rules) {
    const denial: Claim = { id: 'denial', term: { op: 'not', arg: rule.term } };
    if (questions.solve(variables, [...kept, denial]) === undefined) redundant.push(rule.id);
    else kept.push(rule);
  }
  return redundant;
}

/** Least and greatest value of each number. */
function extremesOf(known: Known): ReadonlyMap<string, Range> {
  const hints = rangesOf(
    known.variables,
    known.claims.map(({ term }) => term),
  );
  const found = [...known.variables].flatMap(([name, type]) => {
    if (!('min' in type)) return [];
    const hint = hints.get(name) ?? type;
    const min = leastOf(numbersOf(name, 1n), { floor: type.min, hint: hint.min }, known).value;
    const max = leastOf(numbersOf(name, -1n), { floor: -type.max, hint: -hint.max }, known).value;
    return typeof min === 'bigint' && typeof max === 'bigint' ? [[name, { min, max }] as const] : [];
  });
  return new Map(found);
}

/** As they are told: null where it is the 38 digits of the language that bound, and nothing else. */
function boundsOf(known: Known, extremes: ReadonlyMap<string, Range>): Composition['bounds'] {
  const beyond = new Map([...known.variables].map(([name, type]) => [name, withMoreDigits(type)]));
  const told = [...known.variables].flatMap(([name, type]) => {
    const extreme = extremes.get(name);
    const limits = withoutBounds(type);
    if (extreme === undefined || !('min' in type && 'min' in limits)) return [];
    const isBeyond = (order: Order, limit: bigint) => {
      const claim: Claim = { id: 'beyond', term: order.isUpTo(limit - 1n) };
      return known.questions.solve(beyond, [...known.claims, claim]) !== undefined;
    };
    const isOpenBelow = type.min === limits.min && isBeyond(numbersOf(name, 1n), limits.min);
    const isOpenAbove = type.max === limits.max && isBeyond(numbersOf(name, -1n), -limits.max);
    const say = (value: bigint) => `${formatValue(value, type)}`;
    const bounds = { min: isOpenBelow ? null : say(extreme.min), max: isOpenAbove ? null : say(extreme.max) };
    return [[name, bounds] as const];
  });
  return Object.fromEntries(told);
}

const BEYOND = 10n ** 100n;

function withMoreDigits(type: ValueType): ValueType {
  const widest = withoutBounds(type);
  if (!('min' in type && 'min' in widest)) return type;
  const [min, max] = [type.min === widest.min ? -BEYOND : type.min, type.max === widest.max ? BEYOND : type.max];
  return { ...type, min, max };
}

/** @param floors proven for numbers: nothing is below */
function leastWitness(known: Known, floors: ReadonlyMap<string, bigint>): Composition['witness'] {
  const { variables } = known;
  const terms = known.claims.map(({ term }) => term);
  const texts = createTexts(variables.values(), terms);
  const witness = new Map<string, string | boolean>();
  let fixed = known;
  for (const [name, type] of variables) {
    const floor = floors.get(name) ?? 0n;
    const hint = fixed.values === known.values ? floor : hintOf(name, fixed);
    const { values, value } = leastOf(orderOf(name, type, texts), { floor, hint: hint ?? floor }, fixed);
    const claim: Claim = { id: 'fixed', term: equal(name, value) };
    fixed = { ...fixed, values, claims: [...fixed.claims, claim] };
    witness.set(name, formatValue(value, type));
  }
  return Object.fromEntries(witness);
}

function hintOf(name: string, { variables, claims }: Known): bigint | undefined {
  return rangesOf(
    variables,
    claims.map(({ term }) => term),
  ).get(name)?.min;
}

/** The order of a variable's values, from 0 on where it is none of numbers. */
interface Order {
  readonly name: string;
  /** Beyond all places for a value that is not ordered, which some ordered one can take the place of. */
  readonly placeOf: (value: Value | undefined) => bigint;
  /** That the variable stands there or below. */
  readonly isUpTo: (place: bigint) => Term;
}

function leastOf(
  { name, placeOf, isUpTo }: Order,
  where: { readonly floor: bigint; readonly hint: bigint },
  { questions, variables, claims, values }: Known,
): { readonly values: Values; readonly value: Value } {
  const least = findLeast({
    ...where,
    found: values,
    placeOf: (found) => placeOf(found.get(name)),
    findUpTo: (place) => questions.solve(variables, [...claims, { id: 'limit', term: isUpTo(place) }]),
  });
  const value = least.get(name);
  if (value === undefined) throw new SmtError('a variable has no value');
  return { values: least, value };
}

/** By value, or by the negative of it. */
function numbersOf(name: string, sign: 1n | -1n): Order {
  return {
    name,
    placeOf(value) {
      if (typeof value !== 'bigint') throw new SmtError('a number has no value');
      return sign * value;
    },
    isUpTo: (place) =>
      sign === 1n
        ? { op: '<=', left: variable(name), right: literal(place) }
        : { op: '<=', left: literal(-place), right: variable(name) },
  };
}

function orderOf(name: string, type: ValueType, texts: ReturnType<typeof createTexts>): Order {
  if ('min' in type) return numbersOf(name, 1n);
  const values = valuesOf(type, texts);
  return {
    name,
    placeOf(value) {
      const place = value === undefined ? -1 : values.indexOf(value);
      return BigInt(place < 0 ? values.length : place);
    },
    isUpTo: (place) => ({ op: 'or', args: values.slice(0, Number(place) + 1).map((value) => equal(name, value)) }),
  };
}

function valuesOf(type: ValueType, texts: ReturnType<typeof createTexts>): readonly Value[] {
  if (type.type === 'bool') return [false, true];
  if (type.type === 'enum') return type.values;
  if (type.type !== 'string') throw new TypeError('numbers are not listed');
  return Array.from({ length: Number(texts.countUpTo(type.max)) }, (_, code) => texts.textOf(BigInt(code)) ?? '');
}

const equal = (name: string, value: Value): Term => ({ op: '=', left: variable(name), right: literal(value) });
