import { defined } from '../../exact/defined.ts';
import type { AtKey, BoundPart, Expression, Reference, RunFact, Term } from '../../plan/language/terms.ts';
import { literal } from '../../plan/language/terms.ts';
import { elaborateAggregate } from './aggregate.ts';
import type { ActionElement } from './element.ts';
import {
  all,
  allDefined,
  asQuantity,
  asTruth,
  atom,
  certain,
  choice,
  conjunction,
  definedness,
  disjunction,
  equality,
  knownOutcome,
  negation,
  type Outcome,
  type Quantity,
  type Truth,
  termOf,
  total,
} from './kleene.ts';
import { elaborateLookup, elaborateMembership, withoutValue } from './lookup.ts';
import { isOver } from './order.ts';
import { product } from './product.ts';
import type { Scope } from './scope.ts';
import { elaborateUnique } from './unique.ts';

/**
 * Replaces the names of an expression by their terms, and aggregates by terms over their elements. Known values
 * are literals. Elements that an equality rules out are left out: see `candidatesOf`.
 * @throws {DocumentError} TOO_MANY_NODES, about the expression as a whole: the path is empty
 */
export function elaborate(expression: Expression, scope: Scope): Outcome {
  scope.session.spend(1);
  const inner = (operand: Expression): Outcome => elaborate(operand, scope);
  switch (expression.op) {
    case 'literal':
      return fromTerm(expression, scope);
    case 'reference':
      return resolve(expression, scope);
    case 'not':
      return negation(asTruth(inner(expression.arg)));
    case 'and':
      return conjunction(upTo(false, expression.args, scope));
    case 'or':
      return disjunction(upTo(true, expression.args, scope));
    case 'ite': {
      const condition = asTruth(inner(expression.condition));
      const known = condition.isTrue.op === 'literal' ? knownOutcome(condition) : undefined;
      if (known !== undefined) return inner(known ? expression.whenTrue : expression.whenFalse);
      return choice(condition, inner(expression.whenTrue), inner(expression.whenFalse));
    }
    case '=':
      return equality(inner(expression.left), inner(expression.right));
    case '<':
    case '<=': {
      const [left, right] = [asQuantity(inner(expression.left)), asQuantity(inner(expression.right))];
      return atom({ op: expression.op, left: left.value, right: right.value }, allDefined([left, right]));
    }
    case 'min':
    case 'max': {
      const [left, right] = [asQuantity(inner(expression.left)), asQuantity(inner(expression.right))];
      return {
        value: { op: expression.op, left: left.value, right: right.value },
        isDefined: allDefined([left, right]),
      };
    }
    case '+': {
      const args = expression.args.map((arg) => asQuantity(inner(arg)));
      return { value: { op: '+', args: args.map(({ value }) => value) }, isDefined: allDefined(args) };
    }
    case '*':
    case 'div': {
      const { value, isDefined } = asQuantity(inner(expression.arg));
      return { value: { op: expression.op, arg: value, by: expression.by }, isDefined };
    }
    case 'times':
      return product(asQuantity(inner(expression.left)), asQuantity(inner(expression.right)), scope);
    default:
      return relation(expression, scope);
  }
}

/** The term that is true if the rule is definitely true. */
export const definitely = (rule: Expression, scope: Scope): Term => asTruth(elaborate(rule, scope)).isTrue;

export const quantityOf = (expression: Expression, scope: Scope): Quantity => asQuantity(elaborate(expression, scope));

function relation(expression: Expression, scope: Scope): Outcome {
  switch (expression.op) {
    case 'part':
      return partOf(expression, scope);
    case 'precedes': {
      const [first, second] = [actionOf(expression.first, scope), actionOf(expression.second, scope)];
      if (!isListedBefore(first, second)) return certain(literal(false));
      // Nobody knows when an act of unknown outcome ended.
      if (first.span !== undefined && first.span.ended === undefined && second.span !== undefined) {
        return certain({ op: '<=', left: first.ended, right: literal(second.span.started) });
      }
      if (!isOver(first.span, second.span)) return certain(literal(false));
      // Of actions that are not done yet, the list decides, unless a rule reads how long they take.
      const areOpen = first.span === undefined && second.span === undefined;
      if (!areOpen || !scope.session.usesEnds) return certain(literal(true));
      return certain({ op: '<=', left: first.ended, right: second.started });
    }
    case 'in':
      return elaborateMembership(expression, scope, elaborate);
    case 'look':
      return elaborateLookup(expression, scope, elaborate);
    case 'at':
      return valueAt(expression, scope);
    case 'own':
      return total(defined(scope.own)[expression.time]);
    case 'run':
    case 'approved_by':
      return runFact(expression, scope);
    case 'unique':
      return elaborateUnique(expression, scope, elaborate);
    case 'all':
    case 'any':
    case 'number':
    case 'total':
    case 'least':
    case 'greatest':
      return elaborateAggregate(expression, scope, elaborate);
    default:
      throw new TypeError(`${expression.op} is no relation`);
  }
}

/** The operands up to the first one that decides, whatever the others are. What has to be computed is left to the solver. */
function upTo(decisive: boolean, operands: readonly Expression[], scope: Scope): readonly Truth[] {
  const truths: Truth[] = [];
  for (const operand of operands) {
    const truth = asTruth(elaborate(operand, scope));
    truths.push(truth);
    if (truth.isTrue.op === 'literal' && knownOutcome(truth) === decisive) break;
  }
  return truths;
}

function resolve({ scope: word, name, needs }: Reference, scope: Scope): Outcome {
  const terms = scope.names[word];
  const term = terms?.get(name);
  if (terms === undefined || term === undefined) throw new TypeError(`there is no term for ${word} ${name}`);
  return ifThere(fromTerm(term, scope), needs, terms);
}

/** A value that may be missing is defined where what it needs is there. */
const ifThere = (outcome: Outcome, needs: Reference['needs'], terms: ReadonlyMap<string, Term>): Outcome =>
  needs === undefined ? outcome : withCondition(outcome, all(needs.map((need) => defined(terms.get(need)))));

const DONE = literal('done');

/** An act of an earlier run that was recorded with arguments that are not those of its tool has none of them. */
function partOf({ binder, part, name, type, needs }: BoundPart, scope: Scope): Outcome {
  const element = defined(scope.bound.get(binder));
  if (element.kind === 'row') {
    return fromTerm(literal(defined(element.row[defined(element.table.positions.get(name))])), scope);
  }
  if (part === 'started' || part === 'ended') return fromTerm(element[part], scope);
  if (part === 'outcome') return fromTerm(element.outcome ?? DONE, scope);
  const terms = part === 'arg' ? element.arg : element.resp;
  const term = terms.get(name);
  return term === undefined ? withoutValue(type) : ifThere(fromTerm(term, scope), needs, terms);
}

/** Actions of a run are listed as they start. Those of two runs are compared by when they started, and else by the order of the runs. */
function isListedBefore(one: ActionElement, other: ActionElement): boolean {
  const isInOneRun = one.name === undefined && other.name === undefined;
  if (isInOneRun || one.span === undefined || other.span === undefined || one.span.started === other.span.started)
    return one.position < other.position;
  return one.span.started < other.span.started;
}

function actionOf(binder: string, { bound }: Scope): ActionElement {
  const element = bound.get(binder);
  if (element?.kind !== 'action') throw new TypeError(`${binder} is not an action`);
  return element;
}

function valueAt(node: AtKey, scope: Scope): Outcome {
  const { map, key } = node;
  const outcome = elaborate(key, scope);
  const summary = scope.summarized?.at(node, scope, [outcome]);
  if (summary !== undefined) return summary;
  const at = defined(scope.maps.get(map));
  return withCondition(fromTerm(at.at(termOf(outcome)), scope), definedness(outcome));
}

/** The outcome, which is undefined where the condition is false. */
function withCondition(outcome: Outcome, isDefined: Term | undefined): Outcome {
  if (isDefined === undefined) return outcome;
  if ('isTrue' in outcome) return atom(outcome.isTrue, isDefined);
  return { value: outcome.value, isDefined };
}

function runFact(expression: RunFact, { session: { run } }: Scope): Outcome {
  if (expression.op === 'approved_by') return certain(run.approvedBy(expression.group));
  return total(expression.fact === 'approved_at' ? run.approvedAt : run.approvals);
}

/** A term of sort bool is a truth, another a quantity. Both are defined. */
export function fromTerm(term: Term, { session }: Pick<Scope, 'session'>): Outcome {
  return isBool(term, session.variables) ? certain(term) : total(term);
}

function isBool(term: Term, variables: Scope['session']['variables']): boolean {
  switch (term.op) {
    case 'literal':
      return typeof term.value === 'boolean';
    case 'variable':
      return defined(variables.get(term.key)).type === 'bool';
    case 'ite':
      return isBool(term.whenTrue, variables);
    case '+':
    case '*':
    case 'div':
    case 'min':
    case 'max':
    case 'times':
      return false;
    default:
      return true;
  }
}
