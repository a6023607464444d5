import { SmtError } from '../decide/smt-solver.ts';

export type Sort = 'Int' | 'Real' | 'Bool';

/** A term that was read. `literal` is only there for literal numbers, and says whether the number is 0. */
export interface ReadTerm {
  readonly sort: Sort;
  readonly literal?: 'zero' | 'nonzero';
}

type Rule = (args: readonly ReadTerm[]) => ReadTerm | undefined;

const BOOL: ReadTerm = { sort: 'Bool' };
const INT: ReadTerm = { sort: 'Int' };
const REAL: ReadTerm = { sort: 'Real' };

const allSame = (args: readonly ReadTerm[]): boolean => args.every(({ sort }) => sort === args[0]?.sort);
const allOf = (sort: Sort, args: readonly ReadTerm[]): boolean => args.every((arg) => arg.sort === sort);
const allNumbers = (args: readonly ReadTerm[]): boolean => allSame(args) && args[0]?.sort !== 'Bool';

const one =
  (from: Sort, to: ReadTerm): Rule =>
  (args) =>
    args.length === 1 && allOf(from, args) ? to : undefined;
const connective: Rule = (args) => (args.length >= 2 && allOf('Bool', args) ? BOOL : undefined);
const equality: Rule = (args) => (args.length >= 2 && allSame(args) ? BOOL : undefined);
const order: Rule = (args) => (args.length >= 2 && allNumbers(args) ? BOOL : undefined);
const arithmetic: Rule = ([first, ...rest]) =>
  first !== undefined && rest.length >= 1 && allNumbers([first, ...rest]) ? { sort: first.sort } : undefined;
// A negative literal is written (- 1). It counts as a literal, so it may be a divisor.
const minus: Rule = (args) => (args.length === 1 && allNumbers(args) ? args[0] : arithmetic(args));
/** SMT-LIB lets the model define division by zero as a function, which our models cannot hold. */
const division =
  (sort: Sort, result: ReadTerm): Rule =>
  (args) =>
    args.length === 2 && allOf(sort, args) && args[1]?.literal === 'nonzero' ? result : undefined;
const choice: Rule = ([condition, ...branches]) =>
  condition?.sort === 'Bool' && branches.length === 2 && allSame(branches) && branches[0] !== undefined
    ? { sort: branches[0].sort }
    : undefined;

/** The theories Core and Reals_Ints of SMT-LIB 2.6, without the coercions that z3 adds: true is not 1, and 1 is not 1.0. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ['not', one('Bool', BOOL)],
  ...['and', 'or', 'xor', '=>'].map((op) => [op, connective] as const),
  ...['=', 'distinct'].map((op) => [op, equality] as const),
  ...['<', '<=', '>', '>='].map((op) => [op, order] as const),
  ...['+', '*'].map((op) => [op, arithmetic] as const),
  ['-', minus],
  ['/', division('Real', REAL)],
  ['div', division('Int', INT)],
  ['mod', division('Int', INT)],
  ['abs', one('Int', INT)],
  ['ite', choice],
  ['to_real', one('Int', REAL)],
  ['to_int', one('Real', INT)],
  ['is_int', one('Real', BOOL)],
]);

/** The sort of an application. @throws {SmtError} if there is no such operator, or it does not take these sorts */
export function applyOperator(operator: string, args: readonly ReadTerm[]): ReadTerm {
  const rule = RULES.get(operator);
  if (rule === undefined) throw new SmtError('a term has an operator that is not allowed');
  const result = rule(args);
  if (result === undefined) throw new SmtError(`${operator} has arguments that it does not take`);
  return result;
}
