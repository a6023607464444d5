import type { Claim } from '../decide/verdict.ts';
import type { Values } from '../language/evaluate.ts';
import { literal, type Term, variable } from '../language/terms.ts';
import { createTexts } from '../language/texts.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { formatValue, type Value } from '../language/values.ts';
import type { Judge } from '../run/judge.ts';
import { SmtError, SmtSizeError } from '../smt-solver.ts';
import { findLeast, Undecided } from './least.ts';
import { createQuestions, type Questions } from './questions.ts';
import { readSheet } from './read-sheet.ts';
import type { SheetDocument } from './sheet-schema.ts';
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
  const questions = createQuestions(unbounded(variables), by);
  const all = [...rules, ...bounds];
  const values = questions.solve(all);
  if (values === undefined) {
    return { ...NOTHING, outcome: 'conflict', core: questions.coreOf(all).map(({ id }) => id) };
  }
  const known: Known = { questions, claims: all, values };
  return {
    outcome: 'consistent',
    sheet: write(),
    witness: leastWitness(variables, known),
    core: [],
    redundant: redundantOf(union, questions),
    bounds: boundsOf(variables, known),
  };
}

/** Of claims that hold together, and values with which they do. */
interface Known {
  readonly questions: Questions;
  readonly claims: readonly Claim[];
  readonly values: Values;
}

function redundantOf({ rules, bounds }: Union, questions: Questions): readonly string[] {
  const kept = [...bounds];
  const redundant: string[] = [];
  for (const rule of rules) {
    const denial: Claim = { id: 'denial', term: { op: 'not', arg: rule.term } };
    if (questions.solve([...kept, denial]) === undefined) redundant.push(rule.id);
    else kept.push(rule);
  }
  return redundant;
}

function boundsOf(variables: ReadonlyMap<string, ValueType>, known: Known): Composition['bounds'] {
  const found = [...variables].flatMap(([name, type]) => {
    const widest = withoutBounds(type);
    if (!('min' in type && 'min' in widest)) return [];
    const bound = (sign: 1n | -1n, floor: bigint, widestFloor: bigint) => {
      const order = numbersOf(name, sign, floor);
      const below: Claim = { id: 'below', term: order.isUpTo(floor - 1n) };
      if (floor === widestFloor && known.questions.isPossibleBeyond([...known.claims, below])) return null;
      return `${formatValue(leastOf(order, known).value, type)}`;
    };
    return [[name, { min: bound(1n, type.min, widest.min), max: bound(-1n, -type.max, -widest.max) }] as const];
  });
  return Object.fromEntries(found);
}

function leastWitness(variables: ReadonlyMap<string, ValueType>, known: Known): Composition['witness'] {
  const texts = createTexts(
    variables.values(),
    known.claims.map(({ term }) => term),
  );
  const witness: Record<string, string | boolean> = {};
  let fixed = known;
  for (const [name, type] of variables) {
    const { values, value } = leastOf(orderOf(name, type, texts), fixed);
    const claim: Claim = { id: 'fixed', term: equal(name, value) };
    fixed = { ...fixed, values, claims: [...fixed.claims, claim] };
    witness[name] = formatValue(value, type);
  }
  return witness;
}

/** The order of a variable's values. */
interface Order {
  readonly name: string;
  readonly floor: bigint;
  /** Beyond all places for a value that is not ordered, which some ordered one can take the place of. */
  readonly placeOf: (value: Value | undefined) => bigint;
  /** That the variable stands there or below. */
  readonly isUpTo: (place: bigint) => Term;
}

function leastOf(
  { name, floor, placeOf, isUpTo }: Order,
  { questions, claims, values }: Known,
): { readonly values: Values; readonly value: Value } {
  const least = findLeast({
    floor,
    found: values,
    placeOf: (found) => placeOf(found.get(name)),
    findUpTo: (place) => questions.solve([...claims, { id: 'limit', term: isUpTo(place) }]),
  });
  const value = least.get(name);
  if (value === undefined) throw new SmtError('a variable has no value');
  return { values: least, value };
}

/** By value, or by the negative of it. */
function numbersOf(name: string, sign: 1n | -1n, floor: bigint): Order {
  return {
    name,
    floor,
    placeOf: (value) => (typeof value === 'bigint' ? sign * value : floor),
    isUpTo: (place) =>
      sign === 1n
        ? { op: '<=', left: variable(name), right: literal(place) }
        : { op: '<=', left: literal(-place), right: variable(name) },
  };
}

function orderOf(name: string, type: ValueType, texts: ReturnType<typeof createTexts>): Order {
  if ('min' in type) return numbersOf(name, 1n, type.min);
  const values = valuesOf(type, texts);
  return {
    name,
    floor: 0n,
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
