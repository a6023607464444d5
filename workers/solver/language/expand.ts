import { DocumentError } from '../../exact/document-error.ts';
import { evaluate, type Values } from './evaluate.ts';
import { type Aggregate, type Expression, literal, type Reference, type Scoped, type Term } from './terms.ts';
import { isRelation, mapOperands, walkTerms } from './walk.ts';

/** A possible action of a run. */
export interface Slot {
  readonly step: string;
  /** Whether the run has the action: true, or a variable. */
  readonly present: Term;
  /** For a slot of several like actions: how many there are. The rules ask the same of each of them. */
  readonly times?: Term;
  readonly names: Scoped<Term>;
}

/** The terms that the names of an expression stand for, and the actions that its aggregates range over. */
export interface Environment {
  readonly names: Scoped<Term>;
  readonly slots?: readonly Slot[];
}

/** Takes nodes from a budget, which several expressions may share. @throws {DocumentError} TOO_MANY_NODES */
export type SpendNodes = (nodes: number) => void;

const MAX_EXPANDED_NODES = 20_000;
const MAX_BOUND_DEPTH = 256;

export function createNodeBudget(maxNodes = MAX_EXPANDED_NODES): SpendNodes {
  let left = maxNodes;
  return (nodes) => {
    left -= nodes;
    if (left < 0) throw new DocumentError('TOO_MANY_NODES', '', `expands to more than ${maxNodes} nodes`);
  };
}

/**
 * Replaces names of an expression of format 1 by their terms, and aggregates by terms over the actions of a run. Over no actions, a sum and a count are
 * 0, `forall` is true and `exists` is false.
 * @throws {DocumentError} TOO_MANY_NODES, TOO_DEEP, about the expression as a whole: the path is empty
 * @throws {TypeError} if the environment lacks a name of the expression
 */
export function expand(expression: Expression, environment: Environment, spend = createNodeBudget()): Term {
  spend(1);
  switch (expression.op) {
    case 'literal':
      return expression;
    case 'reference':
      return resolve(expression, environment, spend);
    case 'sum':
    case 'count':
    case 'forall':
    case 'exists':
      return unfold(expression, environment, spend);
    default:
      if (isRelation(expression)) throw new TypeError(`${expression.op} is a form of format 2`);
      return mapOperands(expression, (operand) => expand(operand, environment, spend));
  }
}

function unfold({ op, step, body }: Aggregate, { names, slots = [] }: Environment, spend: SpendNodes): Term {
  const each = (whenPresent: (term: Term) => Term, whenAbsent: Term) =>
    slots
      .filter((slot) => slot.step === step)
      .map(({ present, times, names: own }) => {
        spend(4);
        const term = whenPresent(expand(body, { names: { ...names, ...own } }, spend));
        return times === undefined ? ifThenElse(present, term, whenAbsent) : repeat(op, term, { present, times });
      });
  switch (op) {
    case 'sum':
      return { op: '+', args: each((term) => term, ZERO) };
    case 'count':
      return { op: '+', args: each((term) => ifThenElse(term, ONE, ZERO), ZERO) };
    case 'forall':
      return { op: 'and', args: each((term) => term, TRUE) };
    case 'exists':
      return { op: 'or', args: each((term) => term, FALSE) };
  }
}

/** An aggregate over several like actions. @throws {TypeError} if the value of `term` depends on unknown values */
function repeat(
  op: Aggregate['op'],
  term: Term,
  { present, times }: { readonly present: Term; readonly times: Term },
): Term {
  const value = evaluate(term, NOTHING);
  if (typeof value === 'bigint') return value === 0n ? ZERO : { op: '*', arg: times, by: value };
  if (typeof value !== 'boolean') throw new TypeError('the value for like actions is unknown');
  if (op === 'exists') return value ? present : FALSE;
  return value ? TRUE : { op: 'not', arg: present };
}

const NOTHING: Values = new Map();
const ZERO = literal(0n);
const ONE = literal(1n);
const TRUE = literal(true);
const FALSE = literal(false);

function ifThenElse(condition: Term, whenTrue: Term, whenFalse: Term): Term {
  if (condition.op === 'literal') return condition.value === true ? whenTrue : whenFalse;
  return { op: 'ite', condition, whenTrue, whenFalse };
}

function resolve({ scope, name }: Reference, { names }: Environment, spend: SpendNodes): Term {
  const term = names[scope]?.get(name);
  if (term === undefined) throw new TypeError(`the environment has no term for ${scope} ${name}`);
  measure(term, spend);
  return term;
}

/** Counts the nodes of a term that replaces a name. Terms that are put into terms again and again could grow without end. */
function measure(replacement: Term, spend: SpendNodes): void {
  walkTerms([replacement], (_, depth) => {
    if (depth > MAX_BOUND_DEPTH) throw new DocumentError('TOO_DEEP', '', `nests deeper than ${MAX_BOUND_DEPTH} levels`);
    if (depth > 0) spend(1);
  });
}
