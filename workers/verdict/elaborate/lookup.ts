import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { type Lookup, literal, type Membership, type Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { anyValue, type Value } from '../../plan/language/values.ts';
import type { Table, TableRow } from '../../plan/plan.ts';
import type { Elaborate } from './candidates.ts';
import {
  all,
  allDefined,
  any,
  asTruth,
  atom,
  certain,
  conjunction,
  equality,
  FALSE,
  ifThenElse,
  isNeverDefined,
  knownOutcome,
  missing,
  NEITHER,
  type Outcome,
  TRUE,
  type Truth,
} from './kleene.ts';
import type { Scope } from './scope.ts';

/** Most rows of which an open key can be the key. */
const MAX_OPEN_ROWS = 256;

export function elaborateMembership(node: Membership, scope: Scope, elaborate: Elaborate): Truth {
  const { table, keys } = node;
  const outcomes = keys.map((key) => elaborate(key, scope));
  if (outcomes.some(isNeverDefined)) return NEITHER;
  const found = defined(scope.session.tables.get(table));
  const known = knownKeys(outcomes);
  if (known !== undefined) return certain(literal(found.rowAt(known) !== undefined));
  const summary = scope.summarized?.at(node, scope, outcomes);
  if (summary !== undefined) return asTruth(summary);
  const { isOne, isKey } = openRows(found, outcomes, scope);
  return atom(isOne, isKey);
}

export function elaborateLookup(node: Lookup, scope: Scope, elaborate: Elaborate): Outcome {
  const { table, column, keys, type } = node;
  const outcomes = keys.map((key) => elaborate(key, scope));
  const found = defined(scope.session.tables.get(table));
  const index = defined(found.positions.get(column));
  const valueIn = (row: TableRow): Term => literal(defined(row[index]));
  const none = withoutValue(type);
  if (outcomes.some(isNeverDefined)) return none;
  const known = knownKeys(outcomes);
  if (known !== undefined) {
    const row = found.rowAt(known);
    if (row === undefined) return none;
    return type.type === 'bool' ? certain(valueIn(row)) : { value: valueIn(row), isDefined: undefined };
  }
  const summary = scope.summarized?.at(node, scope, outcomes);
  if (summary !== undefined) return summary;
  const { rows, isOne, isKey } = openRows(found, outcomes, scope);
  const isThere = all([isKey ?? TRUE, isOne]);
  const value = rows.reduce((rest, { row, isRow }) => ifThenElse(isRow, valueIn(row), rest), otherwise(type));
  return type.type === 'bool' ? atom(value, isThere) : { value, isDefined: isThere };
}

/** What has no value, of this type. */
export const withoutValue = (type: ValueType): Outcome =>
  type.type === 'bool' ? NEITHER : missing(literal(anyValue(type)));

const otherwise = (type: ValueType): Term => (type.type === 'bool' ? FALSE : literal(anyValue(type)));

function knownKeys(outcomes: readonly Outcome[]): readonly Value[] | undefined {
  const values = outcomes.map(knownOutcome).filter((value) => value !== undefined);
  return values.length === outcomes.length ? values : undefined;
}

/** The rows that a key with open parts can be the key of. */
function openRows({ key, positions: columns, rows }: Table, outcomes: readonly Outcome[], { session }: Scope) {
  const positions = key.map((name) => defined(columns.get(name)));
  const known = outcomes.map(knownOutcome);
  const fitting = rows.filter((row) =>
    known.every((value, index) => value === undefined || row[defined(positions[index])] === value),
  );
  if (fitting.length > MAX_OPEN_ROWS) {
    throw new DocumentError('TOO_MANY_NODES', '', `looks up an open key in ${fitting.length} rows`);
  }
  session.spend(4 * fitting.length);
  const matched = fitting.map((row) => {
    const equalities = outcomes.map((outcome, index) => {
      const value = literal(defined(row[defined(positions[index])]));
      return equality(outcome, typeof value.value === 'boolean' ? certain(value) : { value, isDefined: undefined });
    });
    return { row, isRow: conjunction(equalities).isTrue };
  });
  return { rows: matched, isOne: any(matched.map(({ isRow }) => isRow)), isKey: allDefined(outcomes) };
}
