import { MAX_VARIABLES } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { createNodeBudget, expand } from '../../plan/language/expand.ts';
import { haveSameValues } from '../../plan/language/operands.ts';
import type { Expression } from '../../plan/language/terms.ts';
import { type ValueType, withoutBounds } from '../../plan/language/types.ts';
import type { Rule, Sheet } from '../../plan/plan.ts';
import { PlanError } from '../../plan/plan-error.ts';
import { termsOf } from '../../plan/read/read-sheet.ts';
import type { Formula } from '../decide/problem.ts';

const MAX_RULES = 256;

/** Several sheets as one. Variables with the same name are one variable. */
export interface Union {
  /** Types by name. A number is within the bounds of all sheets, so its type may be empty. */
  readonly variables: ReadonlyMap<string, ValueType>;
  /** In the order of the sheets, with ids such as `spend-cap@1.0.0#within`. */
  readonly rules: readonly Formula[];
  /** The expressions of `rules`. */
  readonly conditions: readonly Expression[];
  /** Conditions that numbers are within their bounds, with ids such as `spend-cap@1.0.0#variables/cap`. */
  readonly bounds: readonly Formula[];
}

/** Two sheets whose types of one variable do not agree. */
export interface Clash {
  readonly core: readonly string[];
}

/**
 * Unifies sheets. Types of a variable must agree: enums in their values, in any order, strings in their greatest length,
 * decimals in their scale. Bounds of numbers may differ; the narrower ones apply.
 * @throws {PlanError} @throws {DocumentError} if the sheets are too large together
 */
export function unify(sheets: readonly Sheet[]): Union | Clash {
  const met = new Map<string, { readonly ref: string; readonly type: ValueType }>();
  for (const { ref, variables } of sheets) {
    for (const [name, type] of variables) {
      const before = met.get(name) ?? { ref, type };
      const both = narrow(before.type, type);
      if (both === undefined) return { core: [before.ref, ref].map((one) => typeId(one, name)) };
      met.set(name, { ref: before.ref, type: both });
    }
  }
  if (met.size > MAX_VARIABLES) throw tooMany(`${met.size} variables, more than ${MAX_VARIABLES}`);
  const byName = [...met].sort(([one], [other]) => (one < other ? -1 : 1));
  const variables = new Map(byName.map(([name, { type }]) => [name, type]));
  const names = { var: termsOf(variables.keys()) };
  const spend = createNodeBudget();
  const toClaim = ({ expression }: Rule, id: string): Formula => ({ id, term: expand(expression, names, spend) });
  const rules = within(() =>
    sheets.flatMap(({ ref, rules: own }) => own.map((rule) => toClaim(rule, ruleId(ref, rule)))),
  );
  if (rules.length > MAX_RULES) throw tooMany(`${rules.length} constraints, more than ${MAX_RULES}`);
  const bounds = within(() =>
    sheets.flatMap(({ ref, bounds: own }) => own.map((rule) => toClaim(rule, typeId(ref, rule.id)))),
  );
  const conditions = sheets.flatMap(({ rules: own }) => own.map(({ expression }) => expression));
  return { variables, rules, conditions, bounds };
}

const ruleId = (ref: string, { id }: Rule): string => `${ref}#${id}`;
/** It differs from every id of a constraint, because those have no slash. */
const typeId = (ref: string, variable: string): string => `${ref}#variables/${variable}`;

/** The type that both allow. Undefined if they do not agree. */
function narrow(one: ValueType, other: ValueType): ValueType | undefined {
  if ('min' in one && 'min' in other) {
    if (one.type !== other.type) return undefined;
    if (one.type === 'decimal' && other.type === 'decimal' && one.scale !== other.scale) return undefined;
    return { ...one, min: higher(one.min, other.min), max: -higher(-one.max, -other.max) };
  }
  if (one.type === 'enum' && other.type === 'enum') {
    return haveSameValues(one.values, other.values) ? one : undefined;
  }
  if (one.type === 'string' && other.type === 'string') return one.max === other.max ? one : undefined;
  return one.type === 'bool' && other.type === 'bool' ? one : undefined;
}

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function within<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof DocumentError) throw new DocumentError(error.code, '/sheets', error.message);
    throw error;
  }
}

const tooMany = (what: string) => new PlanError('MALFORMED_SHEET', '/sheets', `together have ${what}`);

/** Types without bounds, for questions that have the bounds as formulas, so that a core can name them. */
export function unbounded(variables: ReadonlyMap<string, ValueType>): ReadonlyMap<string, ValueType> {
  return new Map([...variables].map(([name, type]) => [name, withoutBounds(type)]));
}
