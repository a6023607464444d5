import { isDeepStrictEqual } from 'node:util';
import { expressionsOf } from '../../plan/expressions.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan } from '../../plan/plan.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Fault } from '../run/checked.ts';
import { lintParts } from '../run/lint.ts';
import { rulesAlwaysTrue } from '../search/always-true.ts';

/**
 * Parts of a plan that are valid but probably not intended. What can be told from the text alone, such as
 * missing evidence, is not said here.
 */
export function lintPlan(plan: Plan, solver: BoundedSolver): readonly Fault[] {
  const always = rulesAlwaysTrue(plan, solver).map((path): Fault => {
    const [, , index] = path.split('/');
    const id = path.startsWith('/constraints/') ? plan.constraints[Number(index)]?.id : undefined;
    const rule = id === undefined ? 'the rule' : `the rule ${id}`;
    return {
      code: 'RULE_ALWAYS_TRUE',
      path,
      message: `no run can break ${rule}: it adds nothing to the rest of the plan`,
    };
  });
  return [
    ...lintParts(plan),
    ...unusedTables(plan),
    ...unusedMaps(plan),
    ...selfComparisons(plan),
    ...extremesOfNothing(plan),
    ...always,
  ];
}

/** Rules that need an action of a step that need not be done: nothing has no least or greatest value. */
function extremesOfNothing({ steps, constraints }: Plan): readonly Fault[] {
  const optional = new Set(steps.flatMap(({ stepId, min }) => (min === 0 ? [stepId] : [])));
  return constraints.flatMap(({ expression }, index) => {
    let found: string | undefined;
    walkExpressions([expression], (node) => {
      const isExtreme = node.op === 'least' || node.op === 'greatest';
      if (isExtreme && node.range.kind === 'step' && optional.has(node.range.name)) found ??= node.range.name;
    });
    // What an alternative or a condition decides may be another part of the rule.
    if (found === undefined || !COMPARISONS.has(expression.op)) return [];
    const message = `a run without an action of ${found} breaks it: there is no least or greatest of no values`;
    return [{ code: 'MAY_HAVE_NO_VALUE', path: `/constraints/${index}`, message }];
  });
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '<=', 'not']);

/** Comparisons of a value with itself: probably another value was meant. */
function selfComparisons({ steps, constraints }: Plan): readonly Fault[] {
  const rules = [
    ...constraints.map(({ expression }, index) => ({ path: `/constraints/${index}`, expression })),
    ...steps.flatMap(({ where, evidence }, step) => [
      ...where.map(({ expression }, index) => ({ path: `/steps/${step}/where/${index}`, expression })),
      ...evidence.flatMap(({ binds }, kind) =>
        binds.map(({ expression }, index) => ({ path: `/steps/${step}/evidence/${kind}/binds/${index}`, expression })),
      ),
    ]),
  ];
  return rules.flatMap(({ path, expression }) => {
    let found = false;
    walkExpressions([expression], (node) => {
      if ((node.op === '=' || node.op === '<=' || node.op === '<') && node.left.op !== 'literal')
        found ||= isDeepStrictEqual(node.left, node.right);
    });
    return found ? [{ code: 'COMPARES_ITSELF', path, message: 'compares a value with itself' }] : [];
  });
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
  });
  for (const { mapEffects } of [...plan.steps, ...plan.tools.values()])
    for (const name of mapEffects.keys()) used.add(name);
  return unused([...plan.maps.keys()], used, '/state');
}

const unused = (names: readonly string[], used: ReadonlySet<string>, path: string): readonly Fault[] =>
  names
    .filter((name) => !used.has(name))
    .map((name) => ({ code: 'UNUSED', path: `${path}/${name}`, message: 'nothing in the plan uses it' }));
