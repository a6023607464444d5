import { LanguageError } from '../../exact/language-error.ts';
import { evaluate, type Values } from './evaluate.ts';
import { type Aggregate, type Expression, literal, type Reference, type Scoped, type Term } from './terms.ts';

/** An action that a run has, or may have. */
export interface Slot {
  readonly step: string;
  /** Whether the action is there: true, or a variable that the facts may decide. */
  readonly present: Term;
  /** Of a slot that stands for several like actions: how many. What is asked of each of them is the same. */
  readonly times?: Term;
  readonly names: Scoped<Term>;
}

/** What the names of an expression stand for. */
export interface Environment {
  readonly names: Scoped<Term>;
  readonly slots?: readonly Slot[];
}

/** Counts nodes; one counter may serve all expressions of a plan. @throws {LanguageError} TOO_MANY_NODES */
export type SpendNodes = (nodes: number) => void;

const MAX_EXPANDED_NODES = 20_000;
const MAX_BOUND_DEPTH = 256;

export function createNodeBudget(maxNodes = MAX_EXPANDED_NODES): SpendNodes {
  let left = maxNodes;
  return (nodes) => {
    left -= nodes;
    if (left < 0) throw new LanguageError('TOO_MANY_NODES', '', `expands to more than ${maxNodes} nodes`);
  };
}

/**
 * Puts terms in the place of names, and the actions of a run in that of aggregates. Over no action, a sum and a count
 * are 0, `forall` is true and `exists` false.
 * @throws {LanguageError} TOO_MANY_NODES, TOO_DEEP; the path is empty, as it is about the expression as a whole
 * @throws {TypeError} if the environment lacks a name that the expression's scope had
 */
export function expand(expression: Expression, environment: Environment, spend = createNodeBudget()): Term {
  spend(1);
  const inner = (arg: Expression) => expand(arg, environment, spend);
  switch (expression.op) {
    case 'literal':
      return expression;
    case 'reference':
      return resolve(expression, environment, spend);
    case 'not':
      return { op: 'not', arg: inner(expression.arg) };
    case 'and':
    case 'or':
    case '+':
      return { op: expression.op, args: expression.args.map(inner) };
    case 'min':
    case 'max':
    case '=':
    case '<':
    case '<=':
      return { op: expression.op, left: inner(expression.left), right: inner(expression.right) };
    case 'ite': {
      const { condition, whenTrue, whenFalse } = expression;
      return { op: 'ite', condition: inner(condition), whenTrue: inner(whenTrue), whenFalse: inner(whenFalse) };
    }
    case '*':
    case 'div':
    case 'mod':
      return { op: expression.op, arg: inner(expression.arg), by: expression.by };
    default:
      return unfold(expression, environment, spend);
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

/** What several like actions come to. @throws {TypeError} if it depends on what is not known what is asked of them */
function repeat(
  op: Aggregate['op'],
  term: Term,
  { present, times }: { readonly present: Term; readonly times: Term },
): Term {
  const value = evaluate(term, NOTHING);
  if (typeof value === 'bigint') return value === 0n ? ZERO : { op: '*', arg: times, by: value };
  if (typeof value !== 'boolean') throw new TypeError('what is asked of like actions is open');
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
  if (term === undefined) throw new TypeError(`nothing stands for ${scope} ${name}`);
  measure(term, spend);
  return term;
}

/** A name may stand for a whole term, itself expanded: chained, those would grow without end. */
function measure(term: Term, spend: SpendNodes): void {
  const pending = [{ term, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { depth } = next;
    if (depth > MAX_BOUND_DEPTH) throw new LanguageError('TOO_DEEP', '', `nests deeper than ${MAX_BOUND_DEPTH} levels`);
    if (depth > 0) spend(1);
    for (const child of childrenOf(next.term)) pending.push({ term: child, depth: depth + 1 });
  }
}

export function childrenOf(term: Term): readonly Term[] {
  switch (term.op) {
    case 'literal':
    case 'variable':
      return [];
    case 'not':
    case '*':
    case 'div':
    case 'mod':
      return [term.arg];
    case 'and':
    case 'or':
    case '+':
      return term.args;
    case 'ite':
      return [term.condition, term.whenTrue, term.whenFalse];
    default:
      return [term.left, term.right];
  }
}

/** The variables that some term is about. */
export function variablesIn(terms: Iterable<Term>): ReadonlySet<string> {
  const keys = new Set<string>();
  const pending = [...terms];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (term.op === 'variable') keys.add(term.key);
    for (const child of childrenOf(term)) pending.push(child);
  }
  return keys;
}
