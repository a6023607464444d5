import { type Expression, literal, type Quantified, type Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import { bindTo, candidatesOf, type Elaborate } from './candidates.ts';
import { countsIn } from './counts-in.ts';
import { areCertain, type Element } from './element.ts';
import {
  all,
  allDefined,
  any,
  asQuantity,
  asTruth,
  certain,
  conjunction,
  disjunction,
  ifThenElse,
  isFalse,
  isNeverDefined,
  knownOutcome,
  knownValue,
  missing,
  negation,
  type Outcome,
  type Quantity,
  TRUE,
  type Truth,
  total,
} from './kleene.ts';
import type { EncodingSession, Scope } from './scope.ts';

const ZERO = literal(0n);
const ONE = literal(1n);

/**
 * An aggregate over the elements of a range. Inside another aggregate, its outcome is kept by the parts of outer elements
 * that it depends on: with 1,000 payments to one payee, their sum is written out once and not for each of them.
 */
export function elaborateAggregate(node: Quantified, scope: Scope, elaborate: Elaborate): Outcome {
  if (scope.bound.size === 0) return unfold(node, scope, elaborate);
  const key = dependencyKey(node, scope);
  if (key === undefined) return unfold(node, scope, elaborate);
  const kept = scope.memo.get(node) ?? new Map<string, Outcome>();
  scope.memo.set(node, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const outcome = settle(unfold(node, scope, elaborate), scope.session);
  if (outcome.isSettled) kept.set(key, outcome.outcome);
  return outcome.outcome;
}

/** A literal in place of a known outcome. That they are equal becomes a fact, which the solver checks like any other. */
export function settle(
  outcome: Outcome,
  { facts, spend }: EncodingSession,
): { readonly outcome: Outcome; readonly isSettled: boolean } {
  const value = knownOutcome(outcome);
  if (value === undefined) return { outcome, isSettled: false };
  spend(2);
  const id = `/derived/${facts.length}`;
  if (typeof value === 'boolean') {
    const truth = asTruth(outcome);
    facts.push({ id, term: value ? truth.isTrue : isFalse(truth) });
    return { outcome: certain(literal(value)), isSettled: true };
  }
  const { value: term, isDefined } = asQuantity(outcome);
  const isEqual: Term = { op: '=', left: literal(value), right: term };
  facts.push({ id, term: isDefined === undefined ? isEqual : all([isDefined, isEqual]) });
  return { outcome: total(literal(value)), isSettled: true };
}

/** What the aggregate depends on, as a text. Undefined if a value of that is open. */
function dependencyKey(node: Quantified, { bound }: Scope): string | undefined {
  const parts: string[] = [];
  let isOpen = false;
  for (const dependency of dependenciesOf(node)) {
    const element = bound.get(dependency.binder);
    if (element === undefined) continue;
    const value = dependency.read(element);
    if (value === undefined) isOpen = true;
    parts.push(`${value}`);
  }
  return isOpen ? undefined : parts.join('\0');
}

interface Dependency {
  readonly binder: string;
  /** Undefined if the value is open. */
  readonly read: (element: Element) => unknown;
}

const dependencies = new WeakMap<Quantified, readonly Dependency[]>();

function dependenciesOf(node: Quantified): readonly Dependency[] {
  const known = dependencies.get(node);
  if (known !== undefined) return known;
  const found = new Map<string, Dependency>();
  const position = (binder: string) =>
    found.set(binder, { binder, read: (element) => (element.kind === 'action' ? element.position : undefined) });
  walkExpressions([node], (inner: Expression) => {
    if (inner.op === 'precedes') {
      position(inner.first);
      position(inner.second);
    } else if (inner.op === 'part') {
      const { binder, part, name, needs = [] } = inner;
      for (const each of [name, ...needs]) {
        found.set(`${binder} ${part} ${each}`, { binder, read: (element) => valueOfPart(element, part, each) });
      }
    }
  });
  const list = [...found.values()];
  dependencies.set(node, list);
  return list;
}

function valueOfPart(element: Element, part: string, name: string): unknown {
  if (element.kind === 'row') return element.row[element.table.positions.get(name) ?? -1];
  if (part === 'started' || part === 'ended') return knownValue(element[part]);
  if (part === 'outcome') return element.outcome === undefined ? 'done' : knownValue(element.outcome);
  const term = (part === 'arg' ? element.arg : element.resp).get(name);
  return term && knownValue(term);
}

/** An element's part in an aggregate. */
interface Member {
  readonly counts: Truth;
  readonly body: Outcome;
}

function unfold(node: Quantified, scope: Scope, elaborate: Elaborate): Outcome {
  const known = overKnown(node, scope, elaborate);
  return scope.summarized === undefined ? known : scope.summarized.over(node, known, scope);
}

function overKnown(node: Quantified, scope: Scope, elaborate: Elaborate): Outcome {
  const { op, binder, body, condition } = node;
  const candidates = candidatesOf(node, scope, elaborate);
  if (op === 'number' && condition === undefined && areCertain(candidates)) {
    return total(literal(BigInt(candidates.length)));
  }
  const members = candidates.flatMap((element): Member[] => {
    scope.session.spend(2);
    const inside = bindTo(scope, binder, element);
    const counts = countsIn(node, element, inside, elaborate);
    // An element that certainly does not count has no part, even if its value is undefined.
    if (knownOutcome(counts) === false) return [];
    return [{ counts, body: body === undefined ? total(ONE) : elaborate(body, inside) }];
  });
  switch (op) {
    case 'all':
      return conjunction(members.map((member) => disjunction([negation(member.counts), asTruth(member.body)])));
    case 'any':
      return disjunction(members.map((member) => conjunction([member.counts, asTruth(member.body)])));
    case 'number':
    case 'total':
      return sum(members);
    case 'least':
    case 'greatest':
      return extreme(op, members, scope);
  }
}

/** It is undefined if it is unknown whether an element counts, or if the value of one that counts is undefined. */
function sum(members: readonly Member[]): Quantity {
  const args = members.map(({ counts, body }) => ifThenElse(counts.isTrue, asQuantity(body).value, ZERO));
  return { value: { op: '+', args }, isDefined: definedness(members) };
}

function definedness(members: readonly Member[]): Term | undefined {
  const conditions = members.flatMap(({ counts, body }) => {
    const { isDefined } = asQuantity(body);
    if (counts.isFalse === undefined && isDefined === undefined) return [];
    return [any([isFalse(counts), all([counts.isTrue, isDefined ?? TRUE])])];
  });
  return conditions.length === 0 ? undefined : all(conditions);
}

/** The least or greatest value: a balanced tree if it is known which elements count, otherwise a new variable. */
function extreme(op: 'least' | 'greatest', members: readonly Member[], scope: Scope): Quantity {
  if (members.length === 0 || members.some(({ counts }) => isNeverDefined(counts))) return missing(ZERO);
  const isOpen = members.some(({ counts }) => knownOutcome(counts) !== true);
  if (!isOpen) {
    const values = members.map(({ body }) => asQuantity(body));
    return { value: halve(op === 'least' ? 'min' : 'max', values), isDefined: allDefined(values) };
  }
  const { variables, facts } = scope.session;
  const key = `/extreme/${variables.size}`;
  variables.set(key, WIDEST);
  const value: Term = { op: 'variable', key };
  const some = any(members.map(({ counts }) => counts.isTrue));
  const bounds = members.map(({ counts, body }): Term => {
    const term = asQuantity(body).value;
    const isBound: Term =
      op === 'least' ? { op: '<=', left: value, right: term } : { op: '<=', left: term, right: value };
    return { op: 'or', args: [{ op: 'not', arg: counts.isTrue }, isBound] };
  });
  const isOne = members.map(({ counts, body }) =>
    all([counts.isTrue, { op: '=', left: value, right: asQuantity(body).value }]),
  );
  facts.push({ id: key, term: all([...bounds, any([...isOne, { op: 'not', arg: some }])]) });
  const others = definedness(members);
  return { value, isDefined: others === undefined ? some : all([some, others]) };
}

const WIDEST: ValueType = { type: 'int', min: -(10n ** 90n), max: 10n ** 90n };

function halve(op: 'min' | 'max', values: readonly Quantity[]): Term {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only.value;
  const middle = values.length >> 1;
  return { op, left: halve(op, values.slice(0, middle)), right: halve(op, values.slice(middle)) };
}
