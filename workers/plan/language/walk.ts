import { defined } from '../../exact/defined.ts';
import type { Expression, Operation, Relation, Term } from './terms.ts';

/** The operands of an operation, in the order in which they are written. */
function operandsOf<Operand>(operation: Operation<Operand>): readonly Operand[] {
  switch (operation.op) {
    case 'not':
    case '*':
    case 'div':
      return [operation.arg];
    case 'and':
    case 'or':
    case '+':
      return operation.args;
    case 'ite':
      return [operation.condition, operation.whenTrue, operation.whenFalse];
    default:
      return [operation.left, operation.right];
  }
}

function childrenOfTerm(term: Term): readonly Term[] {
  return term.op === 'literal' || term.op === 'variable' ? [] : operandsOf(term);
}

export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.op) {
    case 'literal':
    case 'reference':
      return [];
    default:
      return isRelation(expression) ? childrenOfRelation(expression) : operandsOf(expression);
  }
}

const RELATIONS: ReadonlySet<string> = new Set<Relation['op']>([
  ...(['all', 'any', 'number', 'total', 'least', 'greatest', 'unique', 'part', 'precedes'] as const),
  ...(['in', 'look', 'at', 'own', 'run', 'approved_by'] as const),
]);

/** Whether the expression is about actions, tables, maps, times or the run, and no operation or name. */
export const isRelation = (expression: Expression): expression is Relation => RELATIONS.has(expression.op);

function childrenOfRelation(relation: Relation): readonly Expression[] {
  switch (relation.op) {
    case 'unique':
      return [...relation.keys, ...present(relation.condition)];
    case 'in':
    case 'look':
      return relation.keys;
    case 'at':
      return [relation.key];
    case 'part':
    case 'precedes':
    case 'own':
    case 'run':
    case 'approved_by':
      return [];
    default:
      return [...present(relation.body), ...present(relation.condition)];
  }
}

/** The relation with each expression in it replaced by what `map` returns for it. */
export function mapRelation(relation: Relation, map: (expression: Expression) => Expression): Expression {
  const present = (expression: Expression | undefined) => expression && map(expression);
  switch (relation.op) {
    case 'unique':
      return { ...relation, keys: relation.keys.map(map), condition: present(relation.condition) };
    case 'in':
    case 'look':
      return { ...relation, keys: relation.keys.map(map) };
    case 'at':
      return { ...relation, key: map(relation.key) };
    case 'part':
    case 'precedes':
    case 'own':
    case 'run':
    case 'approved_by':
      return relation;
    default:
      return { ...relation, body: present(relation.body), condition: present(relation.condition) };
  }
}

const present = (expression: Expression | undefined): readonly Expression[] =>
  expression === undefined ? [] : [expression];

/** Called with a node and the number of nodes above it. */
type Visit<Node> = (node: Node, depth: number) => void;

/**
 * Visits every node of some terms, each before the nodes in it, the last root and the last operand first. It does not
 * recurse, because a term that was put together from others may be deep.
 */
export const walkTerms = (roots: Iterable<Term>, visit: Visit<Term>): void => walk(roots, childrenOfTerm, visit);

/** Visits every node of some expressions, in the order of {@link walkTerms}. */
export const walkExpressions = (roots: Iterable<Expression>, visit: Visit<Expression>): void =>
  walk(roots, childrenOf, visit);

function walk<Node>(roots: Iterable<Node>, childrenOf: (node: Node) => readonly Node[], visit: Visit<Node>): void {
  const pending = [...roots];
  const depths = pending.map(() => 0);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const depth = defined(depths.pop());
    visit(node, depth);
    for (const child of childrenOf(node)) {
      pending.push(child);
      depths.push(depth + 1);
    }
  }
}

/** The operation with each operand replaced by what `map` returns for it, called in the order in which they are written. */
export function mapOperands<From, To>(operation: Operation<From>, map: (operand: From) => To): Operation<To> {
  switch (operation.op) {
    case 'not':
      return { op: 'not', arg: map(operation.arg) };
    case '*':
    case 'div':
      return { op: operation.op, arg: map(operation.arg), by: operation.by };
    case 'and':
    case 'or':
    case '+':
      return { op: operation.op, args: operation.args.map((arg) => map(arg)) };
    case 'ite': {
      const { condition, whenTrue, whenFalse } = operation;
      return { op: 'ite', condition: map(condition), whenTrue: map(whenTrue), whenFalse: map(whenFalse) };
    }
    default:
      return { ...operation, left: map(operation.left), right: map(operation.right) };
  }
}

/** The expression with other parts in place of some, which are not looked into. */
export function rewrite(expression: Expression, replace: (node: Expression) => Expression | undefined): Expression {
  const replaced = replace(expression);
  if (replaced !== undefined || expression.op === 'literal' || expression.op === 'reference')
    return replaced ?? expression;
  const inner = (operand: Expression) => rewrite(operand, replace);
  return isRelation(expression) ? mapRelation(expression, inner) : mapOperands(expression, inner);
}

/** Keys of the variables in some terms. */
export function variablesIn(terms: Iterable<Term>): ReadonlySet<string> {
  const keys = new Set<string>();
  walkTerms(terms, (term) => {
    if (term.op === 'variable') keys.add(term.key);
  });
  return keys;
}

/** The strings that occur as literals in some terms. */
export function stringsIn(terms: Iterable<Term>): ReadonlySet<string> {
  const strings = new Set<string>();
  walkTerms(terms, (term) => {
    if (term.op === 'literal' && typeof term.value === 'string') strings.add(term.value);
  });
  return strings;
}
