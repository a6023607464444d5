import { isDeepStrictEqual } from 'node:util';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { walkExpressions } from '../language/walk.ts';
import { rulesAlwaysTrue } from '../outlook/always-true.ts';
import type { Plan } from '../plan/plan.ts';
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
  return [...lintParts(plan), ...unusedTables(plan), ...unusedMaps(plan), ...selfComparisons(plan), ...always];
}

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
