import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Expression } from '../language/terms.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { walkExpressions } from '../language/walk.ts';
import { rulesAlwaysTrue } from '../outlook/always-true.ts';
import { boundsOfStep, ofType } from '../outlook/intervals.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Fault } from '../run/checked.ts';
import { expressionsOf } from '../run/expressions.ts';
import { lintParts } from '../run/lint.ts';

/**
 * Parts of a plan that are valid but probably not intended. What can be told from the text alone, such as
 * missing evidence, is not said here.
 */
export function lintPlan(plan: Plan, by: BoundedSolver): readonly Fault[] {
  const always = rulesAlwaysTrue(plan, by).map((path): Fault => {
    const [, , index] = path.split('/');
    const id = path.startsWith('/constraints/') ? plan.constraints[Number(index)]?.id : undefined;
    const rule = id === undefined ? 'the rule' : `the rule ${id}`;
    return {
      code: 'RULE_ALWAYS_TRUE',
      path,
      message: `no run can break ${rule}: it adds nothing to the rest of the plan`,
    };
  });
  return [...lintParts(plan), ...unusedTables(plan), ...unusedMaps(plan), ...lintAmounts(plan), ...always];
}

function unusedTables(plan: Plan): readonly Fault[] {
  const used = new Set<string>();
  walkExpressions(expressionsOf(plan), (node) => {
    if (node.op === 'in' || node.op === 'look') used.add(node.table);
    if ('range' in node && node.range.kind === 'table') used.add(node.range.name);
  });
  return unused([...plan.tables.keys()], used, '/tables');
}

function unusedMaps(plan: Plan): readonly Fault[] {
  const used = new Set<string>();
  walkExpressions(expressionsOf(plan), (node) => {
    if (node.op === 'at') used.add(node.map);
    if ('range' in node && node.range.kind === 'map') used.add(node.range.name);
  });
  for (const { mapEffects } of [...plan.steps, ...plan.tools.values()])
    for (const name of mapEffects.keys()) used.add(name);
  return unused([...plan.maps.keys()], used, '/state');
}

const unused = (names: readonly string[], used: ReadonlySet<string>, path: string): readonly Fault[] =>
  names
    .filter((name) => !used.has(name))
    .map((name) => ({ code: 'UNUSED', path: `${path}/${name}`, message: 'nothing in the plan uses it' }));

/** Numbers of acts that move money, which nothing but their type bounds. */
function lintAmounts(plan: Plan): readonly Fault[] {
  return plan.steps.flatMap((step, index) => {
    if (step.tool.effect !== 'revenue_write') return [];
    const { args } = boundsOfStep(step, plan);
    return [...step.tool.args].flatMap(([name, type]): readonly Fault[] => {
      const [own, narrowed] = [ofType(type), args.get(name)];
      if ((type.type !== 'int' && type.type !== 'decimal') || own === undefined || narrowed === undefined) return [];
      if (narrowed.max < own.max || isBoundedByRule(plan, step, name)) return [];
      const message = `nothing bounds ${name} of an act that moves money, apart from its type`;
      return [{ code: 'AMOUNT_UNBOUNDED', path: `/steps/${index}/where`, message }];
    });
  });
}

/** Whether a rule, a condition, or a state with bounds depends on the argument. */
function isBoundedByRule(plan: Plan, step: Step, name: string): boolean {
  const rules = plan.constraints.map(({ expression }) => expression);
  const isPart = (node: Expression) => node.op === 'part' && node.part === 'arg' && node.name === name;
  const isOwn = (node: Expression) => node.op === 'reference' && node.scope === 'arg' && node.name === name;
  const bounded = [...step.tool.effects, ...step.effects].flatMap(([state, effect]) => {
    const type = plan.state.get(state)?.type;
    return type !== undefined && hasBounds(type) ? [effect] : [];
  });
  return (
    aggregatesOf(rules, step.stepId).some((rule) => has(rule, isPart)) ||
    step.where.some(({ expression }) => has(expression, isOwn) && !comparesWithZero(expression)) ||
    bounded.some((effect) => has(effect, isOwn)) ||
    plan.sheets.some(({ stepId, bind }) => stepId === step.stepId && [...bind.values()].some((one) => has(one, isOwn)))
  );
}

/** Whether the author bounded a number: every number is limited in its digits. */
function hasBounds(type: ValueType): boolean {
  const widest = withoutBounds(type);
  if (!('min' in type && 'min' in widest)) return false;
  return type.min > widest.min || type.max < widest.max;
}

/** The aggregates over a step. */
function aggregatesOf(rules: readonly Expression[], stepId: string): readonly Expression[] {
  const found: Expression[] = [];
  walkExpressions(rules, (node) => {
    if ('range' in node && node.range.kind === 'step' && node.range.name === stepId) found.push(node);
  });
  return found;
}

/** A condition such as `amount > 0.00` is no bound above. */
function comparesWithZero(expression: Expression): boolean {
  if (expression.op !== '<' && expression.op !== '<=') return false;
  return expression.left.op === 'literal';
}

function has(expression: Expression, isWanted: (node: Expression) => boolean): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    if (isWanted(node)) found = true;
  });
  return found;
}
