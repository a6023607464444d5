import { literal, type Term } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { evaluate, type Values } from '../decide/evaluate.ts';

// Strong Kleene logic in two-valued terms. A look-up of a row that is not there is undefined, and so is what is made of it.
// The kernel has no undefined values, so each truth is a pair of terms: whether it is true, and whether it is false.

/** A truth value. `isFalse` is undefined if the truth is never undefined: then it is the negation of `isTrue`. */
export interface Truth {
  readonly isTrue: Term;
  readonly isFalse: Term | undefined;
}

/** A number, string, time or duration. `isDefined` is undefined if the value always is. */
export interface Quantity {
  readonly value: Term;
  readonly isDefined: Term | undefined;
}

export type Outcome = Truth | Quantity;

export const TRUE = literal(true);
export const FALSE = literal(false);
/** Neither true nor false. */
export const NEITHER: Truth = { isTrue: FALSE, isFalse: FALSE };

export const isTruth = (outcome: Outcome): outcome is Truth => 'isTrue' in outcome;
export const certain = (isTrue: Term): Truth => ({ isTrue, isFalse: undefined });
export const total = (value: Term): Quantity => ({ value, isDefined: undefined });
/** A quantity that is never defined. The value is of its sort, and nothing depends on it. */
export const missing = (value: Term): Quantity => ({ value, isDefined: FALSE });

export const isFalse = (truth: Truth): Term => truth.isFalse ?? not(truth.isTrue);

const isLiteral = (term: Term, value: boolean): boolean => term.op === 'literal' && term.value === value;

export function not(arg: Term): Term {
  if (arg.op === 'literal') return arg.value === true ? FALSE : TRUE;
  return { op: 'not', arg };
}

export const all = (args: readonly Term[]): Term => connect('and', args, true);
export const any = (args: readonly Term[]): Term => connect('or', args, false);

/** `neutral` literals are left out. One literal of the other value decides. */
function connect(op: 'and' | 'or', args: readonly Term[], neutral: boolean): Term {
  const kept = args.filter((arg) => !isLiteral(arg, neutral));
  const decisive = kept.find((arg) => isLiteral(arg, !neutral));
  if (decisive !== undefined) return decisive;
  const [only, ...others] = kept;
  if (only === undefined) return literal(neutral);
  return others.length === 0 ? only : { op, args: kept };
}

/** The condition that all are defined. Undefined if they always are. */
export function allDefined(outcomes: readonly Outcome[]): Term | undefined {
  const conditions = outcomes.flatMap((outcome) => definedness(outcome) ?? []);
  return conditions.length === 0 ? undefined : all(conditions);
}

/** Where an outcome is defined. Undefined if it always is. */
export function definedness(outcome: Outcome): Term | undefined {
  if (!isTruth(outcome)) return outcome.isDefined;
  return outcome.isFalse && any([outcome.isTrue, outcome.isFalse]);
}

/** The term of an outcome, which says nothing where it is not defined. */
export const termOf = (outcome: Outcome): Term => (isTruth(outcome) ? outcome.isTrue : outcome.value);

export function conjunction(truths: readonly Truth[]): Truth {
  const isTrue = all(truths.map((truth) => truth.isTrue));
  return truths.every((truth) => truth.isFalse === undefined)
    ? certain(isTrue)
    : { isTrue, isFalse: any(truths.map(isFalse)) };
}

export function disjunction(truths: readonly Truth[]): Truth {
  const isTrue = any(truths.map((truth) => truth.isTrue));
  return truths.every((truth) => truth.isFalse === undefined)
    ? certain(isTrue)
    : { isTrue, isFalse: all(truths.map(isFalse)) };
}

export function negation(truth: Truth): Truth {
  if (truth.isFalse === undefined) return certain(not(truth.isTrue));
  return { isTrue: truth.isFalse, isFalse: truth.isTrue };
}

/** A comparison of quantities: it is undefined if one of them is. */
export function atom(term: Term, isDefined: Term | undefined): Truth {
  if (isDefined === undefined) return certain(term);
  return { isTrue: all([isDefined, term]), isFalse: all([isDefined, not(term)]) };
}

/** Whether two truths are the same. */
export function sameTruth(left: Truth, right: Truth): Truth {
  if (left.isFalse === undefined && right.isFalse === undefined) {
    return certain({ op: '=', left: left.isTrue, right: right.isTrue });
  }
  return {
    isTrue: any([all([left.isTrue, right.isTrue]), all([isFalse(left), isFalse(right)])]),
    isFalse: any([all([left.isTrue, isFalse(right)]), all([isFalse(left), right.isTrue])]),
  };
}

/** The chosen branch. Undefined if the condition is, even if both branches have the same value. */
export function choice(condition: Truth, whenTrue: Outcome, whenFalse: Outcome): Outcome {
  if (isTruth(whenTrue) && isTruth(whenFalse)) return chosenTruth(condition, whenTrue, whenFalse);
  const [yes, no] = [asQuantity(whenTrue), asQuantity(whenFalse)];
  const value = ifThenElse(condition.isTrue, yes.value, no.value);
  if (condition.isFalse === undefined && yes.isDefined === undefined && no.isDefined === undefined) return total(value);
  const isDefined = any([
    all([condition.isTrue, yes.isDefined ?? TRUE]),
    all([isFalse(condition), no.isDefined ?? TRUE]),
  ]);
  return { value, isDefined };
}

function chosenTruth(condition: Truth, whenTrue: Truth, whenFalse: Truth): Truth {
  const [yes, no] = [condition.isTrue, isFalse(condition)];
  const isTrue = any([all([yes, whenTrue.isTrue]), all([no, whenFalse.isTrue])]);
  const isTotal = [condition, whenTrue, whenFalse].every((truth) => truth.isFalse === undefined);
  if (isTotal) return certain(isTrue);
  return { isTrue, isFalse: any([all([yes, isFalse(whenTrue)]), all([no, isFalse(whenFalse)])]) };
}

export function ifThenElse(condition: Term, whenTrue: Term, whenFalse: Term): Term {
  if (condition.op === 'literal') return condition.value === true ? whenTrue : whenFalse;
  return { op: 'ite', condition, whenTrue, whenFalse };
}

/** Whether two outcomes of one sort are equal. */
export function equality(left: Outcome, right: Outcome): Truth {
  if (isTruth(left) && isTruth(right)) return sameTruth(left, right);
  const [one, other] = [asQuantity(left), asQuantity(right)];
  return atom({ op: '=', left: one.value, right: other.value }, allDefined([one, other]));
}

export function asTruth(outcome: Outcome): Truth {
  if (isTruth(outcome)) return outcome;
  throw new TypeError('an expression is not of sort bool');
}

export function asQuantity(outcome: Outcome): Quantity {
  if (!isTruth(outcome)) return outcome;
  throw new TypeError('an expression is of sort bool');
}

const NOTHING: Values = new Map();

/** The value of a term without open variables. Undefined if it depends on one. */
export const knownValue = (term: Term): Value | undefined =>
  term.op === 'literal' ? term.value : evaluate(term, NOTHING);

/** An outcome that is defined and does not depend on open variables. */
export function knownOutcome(outcome: Outcome): Value | undefined {
  if (!isTruth(outcome)) {
    const isKnown = outcome.isDefined === undefined || knownValue(outcome.isDefined) === true;
    return isKnown ? knownValue(outcome.value) : undefined;
  }
  const value = knownValue(outcome.isTrue);
  if (value === true || outcome.isFalse === undefined) return value;
  return knownValue(outcome.isFalse) === true ? false : undefined;
}

/** Whether an outcome is undefined whatever the open variables are. */
export function isNeverDefined(outcome: Outcome): boolean {
  const isDefined = definedness(outcome);
  return isDefined !== undefined && knownValue(isDefined) === false;
}
