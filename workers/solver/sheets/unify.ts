import { LanguageError } from '../../exact/language-error.ts';
import type { Claim } from '../decide/verdict.ts';
import { createNodeBudget, expand } from '../language/expand.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import type { Rule, Sheet } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { termsOf } from '../plan/read-sheet.ts';

const MAX_VARIABLES = 256;
const MAX_RULES = 256;

/** Sheets as one: a variable of one name is the same in all of them. */
export interface Union {
  /** By name. Numbers within the bounds of all sheets, which may leave none. */
  readonly variables: ReadonlyMap<string, ValueType>;
  /** `spend-cap@1.0.0#within`, in the order of the sheets. */
  readonly rules: readonly Claim[];
  /** `spend-cap@1.0.0#variables/cap`: that a number is within its bounds. */
  readonly bounds: readonly Claim[];
}

/** Two sheets that mean something else by the same name. */
export interface Clash {
  readonly core: readonly string[];
}

/**
 * Takes sheets for one. Types agree where all but the bounds of numbers is the same, which are narrowed: of an enum the
 * values, in whichever order, of a string the greatest length.
 * @throws {PlanError} @throws {LanguageError} where they are too large together
 */
export function unify(sheets: readonly Sheet[]): Union | Clash {
  const met = new Map<string, { readonly ref: string; readonly type: ValueType }>();
  for (const { ref, variables } of sheets) {
    for (const [name, type] of variables) {
      const before = met.get(name);
      const both = before === undefined ? type : narrow(before.type, type);
      if (both === undefined) return { core: [before?.ref ?? ref, ref].map((one) => typeId(one, name)) };
      met.set(name, { ref: before?.ref ?? ref, type: both });
    }
  }
  if (met.size > MAX_VARIABLES) throw tooMany(`${met.size} variables, more than ${MAX_VARIABLES}`);
  const byName = [...met].sort(([one], [other]) => (one < other ? -1 : 1));
  const variables = new Map(byName.map(([name, { type }]) => [name, type]));
  const environment = { names: { var: termsOf(variables.keys()) } };
  const spend = createNodeBudget();
  const toClaim = ({ expression }: Rule, id: string): Claim => ({ id, term: expand(expression, environment, spend) });
  const rules = within(() =>
    sheets.flatMap(({ ref, rules: own }) => own.map((rule) => toClaim(rule, ruleId(ref, rule)))),
  );
  if (rules.length > MAX_RULES) throw tooMany(`${rules.length} constraints, more than ${MAX_RULES}`);
  const bounds = within(() =>
    sheets.flatMap(({ ref, bounds: own }) => own.map((rule) => toClaim(rule, typeId(ref, rule.id)))),
  );
  return { variables, rules, bounds };
}

const ruleId = (ref: string, { id }: Rule): string => `${ref}#${id}`;
/** No id of a constraint has a slash. */
const typeId = (ref: string, variable: string): string => `${ref}#variables/${variable}`;

/** Undefined where they are not one type. */
function narrow(one: ValueType, other: ValueType): ValueType | undefined {
  if ('min' in one && 'min' in other) {
    const isSame = one.type === 'int' ? other.type === 'int' : other.type === 'decimal' && one.scale === other.scale;
    if (!isSame) return undefined;
    return { ...one, min: higher(one.min, other.min), max: -higher(-one.max, -other.max) };
  }
  if (one.type === 'enum' && other.type === 'enum') {
    return new Set([...one.values, ...other.values]).size === one.values.length &&
      one.values.length === other.values.length
      ? one
      : undefined;
  }
  if (one.type === 'string' && other.type === 'string') return one.max === other.max ? one : undefined;
  return one.type === 'bool' && other.type === 'bool' ? one : undefined;
}

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function within<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof LanguageError) throw new LanguageError(error.code, '/sheets', error.message);
    throw error;
  }
}

const tooMany = (what: string) => new PlanError('MALFORMED_SHEET', '/sheets', `together have ${what}`);

/** Types as the solver takes them: what bounds them is a claim, for a core to name. */
export function unbounded(variables: ReadonlyMap<string, ValueType>): ReadonlyMap<string, ValueType> {
  return new Map([...variables].map(([name, type]) => [name, withoutBounds(type)]));
}
