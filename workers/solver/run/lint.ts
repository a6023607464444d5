import type { Expression, Reference } from '../language/terms.ts';
import type { Plan, Tool } from '../plan/plan.ts';
import type { Fault } from '../tasks.ts';
import type { Judgement } from './judgement.ts';

/** What a plan has and does not use, and what moves money unwitnessed. */
export function lintPlan(plan: Plan): readonly Fault[] {
  const used = new Set(expressionsOf(plan).flatMap((expression) => [...referencesIn(expression)]));
  const tools = [...plan.tools.values()];
  const isChanged = (name: string) => tools.some(({ effects }) => effects.has(name));
  const unused = (names: Iterable<string>, path: string, isUsed: (name: string) => boolean) =>
    [...names]
      .filter((name) => !isUsed(name))
      .map((name): Fault => ({ code: 'UNUSED', path: `${path}/${name}`, message: 'nothing in the plan uses it' }));
  const isDone = (tool: Tool) => plan.steps.some((step) => step.tool === tool);
  return [
    ...unused(plan.variables.keys(), '/variables', (name) => used.has(`var ${name}`)),
    ...unused(
      plan.state.keys(),
      '/state',
      (name) => isChanged(name) || used.has(`state ${name}`) || used.has(`final ${name}`),
    ),
    ...tools.flatMap((tool, index): Fault[] =>
      isDone(tool) ? [] : [{ code: 'UNUSED', path: `/tools/${index}`, message: 'no step is done with it' }],
    ),
    ...plan.steps.flatMap(({ tool, evidence }, index): Fault[] =>
      tool.effect !== 'revenue_write' || evidence.some(({ min }) => min > 0)
        ? []
        : [
            {
              code: 'NO_EVIDENCE',
              path: `/steps/${index}/evidence`,
              message: 'money is moved, and no evidence is wanted',
            },
          ],
    ),
  ];
}

/** That it could not be decided whether the rules can be obeyed. */
export function lintVerdict({ verdict, reasons }: Judgement): readonly Fault[] {
  if (verdict !== 'indeterminate' && verdict !== 'engine_error') return [];
  const why = reasons.map(({ message }) => message).join(', ');
  return [{ code: 'NOT_DECIDED', path: '', message: `whether the rules can be obeyed could not be decided: ${why}` }];
}

function expressionsOf({ tools, steps, constraints, sheets }: Plan): readonly Expression[] {
  return [
    ...[...tools.values()].flatMap(({ effects, post }) => [
      ...effects.values(),
      ...post.map(({ expression }) => expression),
    ]),
    ...steps.flatMap(({ where, evidence }) =>
      [...where, ...evidence.flatMap(({ binds }) => binds)].map(({ expression }) => expression),
    ),
    ...constraints.map(({ expression }) => expression),
    ...sheets.flatMap(({ bind }) => [...bind.values()]),
  ];
}

function referencesIn(expression: Expression): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isReference(next)) found.push(`${next.scope} ${next.name}`);
    else pending.push(...Object.values(next));
  }
  return found;
}

const isReference = (node: object): node is Reference => 'op' in node && node.op === 'reference';
