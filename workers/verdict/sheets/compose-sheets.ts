import { defined } from '../../exact/defined.ts';
import type { SheetDocument } from '../../exact/sheet-schema.ts';
import { ANY, both, type Interval, isEmpty, point } from '../../plan/bounds/interval.ts';
import { bounded, boundsFrom, type Numbers, named } from '../../plan/bounds/linear.ts';
import { ofType } from '../../plan/bounds/numbers.ts';
import { type Expression, literal, type Term, variable } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { formatValue, type Value } from '../../plan/language/values.ts';
import { parseSheetDocument, readSheet } from '../../plan/read/read-sheet.ts';
import type { Values } from '../decide/evaluate.ts';
import type { Formula } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { SmtError, SmtSizeError } from '../decide/smt-solver.ts';
import { createTexts, type Texts } from '../decide/texts.ts';
import { findLeast, Undecided } from './least.ts';
import { createQuestions, type Questions } from './questions.ts';
import { type Union, unbounded, unify } from './unify.ts';
import { type SheetTitle, writeSheet } from './write-sheet.ts';

export interface Composition {
  readonly outcome: 'consistent' | 'conflict' | 'indeterminate';
  /** The sheets as one sheet. Null unless they are consistent. */
  readonly sheet: SheetDocument | null;
  readonly witness: Readonly<Record<string, string | boolean>> | null;
  readonly core: readonly string[];
  readonly redundant: readonly string[];
  /** A fault of the solver itself. */
  readonly engineFault?: string;
}

const NOTHING = { sheet: null, witness: null, core: [], redundant: [] } as const;
export const INDETERMINATE: Composition = { ...NOTHING, outcome: 'indeterminate' };

/**
 * Checks whether sheets agree, and composes them into one. The result is exact, or `indeterminate`.
 *
 * A constraint is redundant if the bounds of all sheets and the constraints kept before it imply it. The witness gives each
 * variable, by name, its least value given the values before it. Numbers are ordered by value, false is before true, and
 * values of an enum are in its order. Strings are ordered by length, then by code unit. They come from the empty string,
 * the strings of the sheets (values of enums too), and one letter from "a" on for each string variable.
 * @throws {PlanError} @throws {DocumentError} if a sheet is malformed, or the sheets are too large together
 */
export function composeSheets(sheets: readonly unknown[], as: SheetTitle, solver: BoundedSolver): Composition {
  const documents = sheets.map(parseSheetDocument);
  const union = unify(documents.map(readSheet));
  if ('core' in union) return { ...NOTHING, outcome: 'conflict', core: union.core };
  try {
    return compose(union, solver, () => writeSheet(as, union.variables, documents));
  } catch (error) {
    if (error instanceof Undecided || error instanceof SmtSizeError) return INDETERMINATE;
    if (error instanceof SmtError) return { ...INDETERMINATE, engineFault: error.message };
    throw error;
  }
}

function compose(union: Union, solver: BoundedSolver, write: () => SheetDocument): Composition {
  const { variables, rules, conditions, bounds } = union;
  const questions = createQuestions(solver);
  const isEmpty = [...variables.values()].some((type) => 'min' in type && type.min > type.max);
  const values = isEmpty ? undefined : questions.solve(variables, rules);
  if (values === undefined) {
    // Bounds are asked as formulas, so that the core names those that it needs.
    const core = questions.coreOf(unbounded(variables), [...rules, ...bounds]);
    return { ...NOTHING, outcome: 'conflict', core: core.map(({ id }) => id) };
  }
  const redundant = redundantOf(union, questions);
  return {
    outcome: 'consistent',
    sheet: write(),
    witness: leastWitness({ questions, variables, formulas: rules, values }, conditions),
    core: [],
    redundant,
  };
}

/** Formulas that can be true together, and values with which they are. */
interface Known {
  readonly questions: Questions;
  readonly variables: ReadonlyMap<string, ValueType>;
  readonly formulas: readonly Formula[];
  readonly values: Values;
}

function redundantOf({ variables, rules }: Union, questions: Questions): readonly string[] {
  const kept: Formula[] = [];
  const redundant: string[] = [];
  for (const rule of rules) {
    const denial: Formula = { id: 'denial', term: { op: 'not', arg: rule.term } };
    if (questions.solve(variables, [...kept, denial]) === undefined) redundant.push(rule.id);
    else kept.push(rule);
  }
  return redundant;
}

function leastWitness(known: Known, conditions: readonly Expression[]): Composition['witness'] {
  const { variables } = known;
  const terms = known.formulas.map(({ term }) => term);
  const texts = createTexts(variables.values(), terms);
  const witness = new Map<string, string | boolean>();
  const ranges = new Map([...variables].map(([name, type]) => [name, ofType(type)]));
  let fixed = known;
  for (const [name, type] of variables) {
    // Values that are not numbers have positions from 0 on.
    const floor = 'min' in type ? type.min : 0n;
    narrow(ranges, conditions);
    const { values, value } = leastOf(
      orderOf(name, type, texts),
      { floor, hint: ranges.get(name)?.min ?? floor },
      fixed,
    );
    if (typeof value === 'bigint') ranges.set(name, point(value));
    const formula: Formula = { id: 'fixed', term: equal(name, value) };
    fixed = { ...fixed, values, formulas: [...fixed.formulas, formula] };
    witness.set(name, formatValue(value, type));
  }
  return Object.fromEntries(witness);
}

/** Narrows the ranges of numbers by conditions. The ranges are hints: nothing is concluded from them. */
function narrow(ranges: Map<string, Interval>, conditions: readonly Expression[]): void {
  const numbers: Numbers = {
    linearOf: (leaf) => (leaf.op === 'reference' ? named(leaf.name) : bounded(ANY)),
    boundsOf: (name) => ranges.get(name) ?? ANY,
    inside: () => numbers,
  };
  // One pass propagates along chains in one direction, the next pass in the other.
  for (const pass of [conditions, conditions.toReversed(), conditions])
    for (const condition of pass)
      for (const [name, bounds] of boundsFrom(condition, numbers)) {
        const range = both(ranges.get(name) ?? ANY, bounds);
        if (!isEmpty(range)) ranges.set(name, range);
      }
}

/** The order of a variable's values. The position of a number is the number itself; other values have positions from 0 on. */
interface Order {
  readonly name: string;
  /** A value outside the order comes after all others. Some value of the order can replace it. */
  readonly placeOf: (value: Value) => bigint;
  /** The condition that the variable's value is at this position or before it. */
  readonly isUpTo: (place: bigint) => Term;
}

function leastOf(
  { name, placeOf, isUpTo }: Order,
  where: { readonly floor: bigint; readonly hint: bigint },
  { questions, variables, formulas, values }: Known,
): { readonly values: Values; readonly value: Value } {
  const valueIn = (found: Values): Value => defined(found.get(name));
  const least = findLeast({
    ...where,
    found: values,
    placeOf: (found) => placeOf(valueIn(found)),
    findUpTo: (place) => questions.solve(variables, [...formulas, { id: 'limit', term: isUpTo(place) }]),
  });
  return { values: least, value: valueIn(least) };
}

const numbersOf = (name: string): Order => ({
  name,
  placeOf(value) {
    if (typeof value !== 'bigint') throw new SmtError('a number has no value');
    return value;
  },
  isUpTo: (place) => ({ op: '<=', left: variable(name), right: literal(place) }),
});

function orderOf(name: string, type: ValueType, texts: Texts): Order {
  if ('min' in type) return numbersOf(name);
  const values = valuesOf(type, texts);
  return {
    name,
    placeOf(value) {
      const place = values.indexOf(value);
      return BigInt(place < 0 ? values.length : place);
    },
    isUpTo: (place) => ({ op: 'or', args: values.slice(0, Number(place) + 1).map((value) => equal(name, value)) }),
  };
}

function valuesOf(type: ValueType, texts: Texts): readonly Value[] {
  if (type.type === 'bool') return [false, true];
  if (type.type === 'enum') return type.values;
  if (type.type !== 'string') throw new TypeError('numbers are not listed');
  return Array.from({ length: Number(texts.countUpTo(type.max)) }, (_, code) => defined(texts.textOf(BigInt(code))));
}

const equal = (name: string, value: Value): Term => ({ op: '=', left: variable(name), right: literal(value) });
