import { defined } from '../../exact/defined.ts';
import type { AtKey, BoundPart, Expression, Reference, RunFact, Term } from '../../plan/language/terms.ts';
import { literal } from '../../plan/language/terms.ts';
import { elaborateAggregate } from './aggregate.ts';
import type { ActionElement } from './element.ts';
import {
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
  negation,
  type Outcome,
  type Quantity,
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
      return fromTerm(resolve(expression, scope), scope);
    case 'not':
      return negation(asTruth(inner(expression.arg)));
    case 'and':
      return conjunction(expression.args.map((arg) => asTruth(inner(arg))));
    case 'or':
      return disjunction(expression.args.map((arg) => asTruth(inner(arg))));
    case 'ite':
      return choice(asTruth(inner(expression.condition)), inner(expression.whenTrue), inner(expression.whenFalse));
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
    case 'part': {
      const part = partOf(expression, scope);
      return part === undefined ? withoutValue(expression.type) : fromTerm(part, scope);
    }
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

function resolve({ scope, name }: Reference, { names }: Scope): Term {
  const term = names[scope]?.get(name);
  if (term === undefined) throw new TypeError(`there is no term for ${scope} ${name}`);
  return term;
}

const DONE = literal('done');

/** Undefined: an act of an earlier run does not have it, because it was recorded with arguments that are not those of its tool. */
function partOf({ binder, part, name }: BoundPart, { bound }: Scope): Term | undefined {
  const element = defined(bound.get(binder));
  if (element.kind === 'row') return literal(defined(element.row[defined(element.table.positions.get(name))]));
  if (part === 'started' || part === 'ended') return element[part];
  if (part === 'outcome') return element.outcome ?? DONE;
  return (part === 'arg' ? element.arg : element.resp).get(name);
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
