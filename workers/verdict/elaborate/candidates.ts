import type { Expression, Quantified, Unique } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Element } from './element.ts';
import { knownOutcome, type Outcome } from './kleene.ts';
import type { Index, Scope } from './scope.ts';

export type Elaborate = (expression: Expression, scope: Scope) => Outcome;

/** An equality that decides for an element as soon as it is false. `own` depends on the element alone, `other` not on it. */
interface Guard {
  readonly own: Expression;
  readonly other: Expression;
}

const guardsByNode = new WeakMap<Quantified | Unique, readonly Guard[]>();

/**
 * The elements that an aggregate must look at. In `pay.all(p, approve.exists(a, a.invoice == p.invoice && …))`, the inner
 * aggregate only looks at the approvals of the invoice, by an index: for others, the equality is false, and so is the
 * whole condition, whatever the rest of it is. Without that, 1,000 payments and 1,000 approvals make a million terms.
 */
export function candidatesOf(node: Quantified, scope: Scope, elaborate: Elaborate): readonly Element[] {
  const elements = elementsOf(node, scope);
  let fewest = elements;
  if (elements.length < 2) return elements;
  for (const { own, other } of guardsOf(node)) {
    const probe = knownOutcome(elaborate(other, scope));
    if (probe === undefined) continue;
    const { byValue, others } = indexOf(own, elements, { node, scope, elaborate });
    const found = byValue.get(probe) ?? [];
    if (found.length + others.length < fewest.length) fewest = [...found, ...others];
  }
  return fewest;
}

/** Every element of the range. */
export function elementsOf({ range }: Quantified | Unique, { session, actions }: Scope): readonly Element[] {
  if (range.kind === 'step') return actions.get(range.name) ?? [];
  const table = session.tables.get(range.name);
  if (table === undefined) throw new TypeError(`there is no table ${range.name}`);
  let elements = session.elements.get(table);
  if (elements === undefined) {
    elements = table.rows.map((row): Element => ({ kind: 'row', table, row }));
    session.elements.set(table, elements);
  }
  return elements;
}

interface Probed {
  readonly node: Quantified;
  readonly scope: Scope;
  readonly elaborate: Elaborate;
}

function indexOf(own: Expression, elements: readonly Element[], { node, scope, elaborate }: Probed): Index {
  const { indexes } = scope.session;
  const known = indexes.get(elements) ?? new Map<Expression, Index>();
  indexes.set(elements, known);
  const found = known.get(own);
  if (found !== undefined) return found;
  const byValue = new Map<Value, Element[]>();
  const others: Element[] = [];
  for (const element of elements) {
    const value = knownOutcome(elaborate(own, bindTo(scope, node.binder, element)));
    const list = value === undefined ? others : byValue.get(value);
    if (list !== undefined) list.push(element);
    else if (value !== undefined) byValue.set(value, [element]);
  }
  const index = { byValue, others };
  known.set(own, index);
  return index;
}

export const bindTo = (scope: Scope, binder: string, element: Element): Scope => ({
  ...scope,
  bound: new Map([...scope.bound, [binder, element]]),
});

function guardsOf(node: Quantified): readonly Guard[] {
  const known = guardsByNode.get(node);
  if (known !== undefined) return known;
  const guards = decisiveIn(node).flatMap((condition): Guard[] => {
    if (condition.op !== '=') return [];
    const { left, right } = condition;
    const pairs = [
      { own: left, other: right },
      { own: right, other: left },
    ];
    return pairs.filter(({ own, other }) => isOwn(own, node.binder) && !mentions(other, node.binder)).slice(0, 1);
  });
  guardsByNode.set(node, guards);
  return guards;
}

/** Conditions that decide for an element if they are false: it does not count, or the body is irrelevant. */
export function decisiveIn({ op, body, condition }: Quantified): readonly Expression[] {
  if (op === 'any' && body !== undefined) return needed(body);
  if (op === 'all' && body !== undefined) return refuting(body);
  return condition === undefined ? [] : needed(condition);
}

/** Conditions without which the expression is false. */
function needed(expression: Expression): readonly Expression[] {
  if (expression.op === 'and') return expression.args.flatMap(needed);
  return expression.op === 'not' ? refuting(expression.arg) : [expression];
}

/** Conditions without which the expression is true. */
function refuting(expression: Expression): readonly Expression[] {
  if (expression.op === 'or') return expression.args.flatMap(refuting);
  return expression.op === 'not' ? needed(expression.arg) : [];
}

/** Whether a value depends on the element and on nothing else that differs between situations. */
function isOwn(expression: Expression, binder: string): boolean {
  let isOnly = true;
  walkExpressions([expression], (node) => {
    const isConstant =
      (node.op === 'reference' && node.scope === 'var') || (node.op === 'part' && node.binder === binder);
    if (!isConstant && !PLAIN.has(node.op)) isOnly = false;
  });
  return isOnly && mentions(expression, binder);
}

const PLAIN: ReadonlySet<string> = new Set<Expression['op']>([
  ...(['literal', 'not', 'and', 'or', '+', '=', '<', '<=', 'min', 'max', 'ite', '*', 'times', 'div'] as const),
  ...(['in', 'look'] as const),
]);

/** Whether the expression is about the element of the binder. */
export function mentions(expression: Expression, binder: string): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    if (node.op === 'part' && node.binder === binder) found = true;
    if (node.op === 'precedes' && (node.first === binder || node.second === binder)) found = true;
  });
  return found;
}
