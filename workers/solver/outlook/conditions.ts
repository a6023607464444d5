import type { Expression } from '../language/terms.ts';
import { isRelation, mapOperands, walkExpressions } from '../language/walk.ts';
import type { Plan, Step } from '../plan/plan.ts';

/**
 * What every action of a step must obey, as a list of conditions in the names of the action itself: those of the step, and
 * those of rules such as `pay.all(p, …)`, as far as they are about the action alone.
 */
export function conditionsOf(step: Step, plan: Plan): readonly Expression[] {
  const ofEach = plan.constraints
    .flatMap(({ expression }) => conjunctsOf(expression))
    .flatMap((rule) => {
      if (rule.op !== 'all' || rule.range.kind !== 'step' || rule.range.name !== step.stepId) return [];
      return rule.body === undefined
        ? []
        : conjunctsOf(rule.body).flatMap((body) => inOwnNames(body, rule.binder) ?? []);
    });
  return [...step.where.flatMap(({ expression }) => conjunctsOf(expression)), ...ofEach];
}

function conjunctsOf(expression: Expression): readonly Expression[] {
  return expression.op === 'and' ? expression.args.flatMap(conjunctsOf) : [expression];
}

/** The expression with names of the action itself in place of those of the bound action. Undefined if it has others. */
function inOwnNames(expression: Expression, binder: string): Expression | undefined {
  let isAbout = true;
  walkExpressions([expression], (node) => {
    const isKnown = node.op === 'in' || node.op === 'look' || (node.op === 'part' && node.binder === binder);
    if (isRelation(node) && !isKnown) isAbout = false;
    if (node.op === 'reference' && node.scope !== 'var') isAbout = false;
  });
  return isAbout ? rename(expression) : undefined;
}

function rename(expression: Expression): Expression {
  switch (expression.op) {
    case 'literal':
    case 'reference':
      return expression;
    case 'in':
    case 'look':
      return { ...expression, keys: expression.keys.map(rename) };
    case 'part': {
      const { part, name } = expression;
      if (part === 'arg' || part === 'resp') return { op: 'reference', scope: part, name };
      if (part === 'started' || part === 'ended') return { op: 'own', time: part };
      throw new TypeError('an action has no columns');
    }
    default:
      if (isRelation(expression)) throw new TypeError(`${expression.op} was not expected`);
      return mapOperands(expression, rename);
  }
}

/** Whether the value of an expression follows from the state and these arguments of the action. */
export function followsFrom(expression: Expression, args: ReadonlyMap<string, unknown>): boolean {
  let follows = true;
  walkExpressions([expression], (node) => {
    if (node.op === 'own') follows = false;
    if (node.op === 'reference' && (node.scope === 'resp' || (node.scope === 'arg' && !args.has(node.name)))) {
      follows = false;
    }
  });
  return follows;
}
