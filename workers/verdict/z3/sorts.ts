import { SmtError } from '../decide/smt-solver.ts';

export type Sort = 'Int' | 'Bool';

/** A term that was read. `literal` is only there for literal numbers, and says whether the number is 0. */
export interface ReadTerm {
  readonly sort: Sort;
  readonly literal?: 'zero' | 'nonzero';
}

type Rule = (args: readonly ReadTerm[]) => ReadTerm | undefined;

const BOOL: ReadTerm = { sort: 'Bool' };
const INT: ReadTerm = { sort: 'Int' };

const allSame = (args: readonly ReadTerm[]): boolean => args.every(({ sort }) => sort === args[0]?.sort);
const allOf = (sort: Sort, args: readonly ReadTerm[]): boolean => args.every((arg) => arg.sort === sort);

/** Two or more arguments of one sort. */
const several =
  (from: Sort, to: ReadTerm): Rule =>
  (args) =>
    args.length >= 2 && allOf(from, args) ? to : undefined;
const negation: Rule = (args) => (args.length === 1 && allOf('Bool', args) ? BOOL : undefined);
const equality: Rule = (args) => (args.length >= 2 && allSame(args) ? BOOL : undefined);
// A negative literal is written (- 1). It counts as a literal, so it may be a divisor.
const minus: Rule = (args) => (args.length === 1 && allOf('Int', args) ? args[0] : undefined);
/** SMT-LIB lets the model define division by zero as a function, which our models cannot hold. */
const division: Rule = (args) =>
  args.length === 2 && allOf('Int', args) && args[1]?.literal === 'nonzero' ? INT : undefined;
const choice: Rule = ([condition, ...branches]) =>
  condition?.sort === 'Bool' && branches.length === 2 && allSame(branches) && branches[0] !== undefined
    ? { sort: branches[0].sort }
    : undefined;

/** What is used of the theories Core and Ints of SMT-LIB 2.6, without the coercions that z3 adds: true is not 1. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ['not', negation],
  ['and', several('Bool', BOOL)],
  ['or', several('Bool', BOOL)],
  ['=', equality],
  ['<', several('Int', BOOL)],
  ['<=', several('Int', BOOL)],
  ['+', several('Int', INT)],
  ['*', several('Int', INT)],
  ['-', minus],
  ['div', division],
  ['ite', choice],
]);

/** The sort of an application. @throws {SmtError} if there is no such operator, or it does not take these sorts */
export function applyOperator(operator: string, args: readonly ReadTerm[]): ReadTerm {
  const rule = RULES.get(operator);
  if (rule === undefined) throw new SmtError('a term has an operator that is not allowed');
  const result = rule(args);
  if (result === undefined) throw new SmtError(`${operator} has arguments that it does not take`);
  return result;
}
