import type { Expression, Quantified, Reference, Unique } from './language/terms.ts';
import type { Value } from './language/values.ts';
import { walkExpressions } from './language/walk.ts';
import type { Constraint, MapUpdate, Plan, Step, Tool } from './plan.ts';

type Effects = Pick<Tool | Step, 'effects' | 'mapEffects'>;

/** Every expression of a plan. */
export function expressionsOf({ tools, steps, constraints, runs, sheets }: Plan): readonly Expression[] {
  return [
    ...[...tools.values()].flatMap((tool) => [...effectsOf(tool), ...tool.post.map(({ expression }) => expression)]),
    ...steps.flatMap((step) => [
      ...effectsOf(step),
      ...[...step.where, ...step.evidence.flatMap(({ binds }) => binds)].map(({ expression }) => expression),
    ]),
    ...[...constraints, ...runs].map(({ expression }) => expression),
    ...sheets.flatMap(({ bind }) => [...bind.values()]),
  ];
}

/** The expressions of the changes that an action makes. */
export function effectsOf({ effects, mapEffects }: Effects): readonly Expression[] {
  const updates: readonly MapUpdate[] = [...mapEffects.values()].flat();
  return [...effects.values(), ...updates.flatMap(({ key, value }) => [key, value])];
}

/** What the tool and the step say that an action makes of a state. */
export const effectsOn = (state: string, { tool, effects }: Step): readonly Expression[] =>
  [tool.effects.get(state), effects.get(state)].filter((effect) => effect !== undefined);

/** Whether an action may change the state or the map. */
export const isChanged = (name: string, { tools, steps }: Plan): boolean =>
  [...tools.values(), ...steps].some(({ effects, mapEffects }) => effects.has(name) || mapEffects.has(name));

/** Every name that an expression mentions, in no particular order. A map counts like a state. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  walkExpressions([expression], (node) => {
    if (node.op === 'reference') {
      found.push(node, ...(node.needs ?? []).map((name) => ({ op: node.op, scope: node.scope, name })));
    }
    if (node.op === 'at') found.push({ op: 'reference', scope: node.at, name: node.map });
  });
  return found;
}

/** The steps over whose actions expressions aggregate. */
export function stepsIn(expressions: readonly Expression[]): ReadonlySet<string> {
  const found = new Set<string>();
  walkExpressions(expressions, (node) => {
    if ('range' in node && node.range.kind === 'step') found.add(node.range.name);
  });
  return found;
}

/** The value of every literal in an expression, in no particular order. Factors and divisors are not literals here. */
export function literalsIn(expression: Expression): readonly Value[] {
  const found: Value[] = [];
  walkExpressions([expression], (node) => {
    if (node.op === 'literal') found.push(node.value);
  });
  return found;
}

/** Whether a rule or an effect of the plan depends on times that actions report. */
export const usesTimes = (plan: Plan): boolean => expressionsOf(plan).some(readsTimes);

/** Whether a rule or an effect of the plan depends on when an action ends. Otherwise, it may end as soon as it starts. */
export const usesEnds = (plan: Plan): boolean =>
  expressionsOf(plan).some((expression) => reads(expression, (time) => time === 'ended'));

/** Whether an expression depends on times that actions report. */
export const readsTimes = (expression: Expression): boolean =>
  reads(expression, (time) => time === 'started' || time === 'ended');

/** Rules about the whole run, and over the runs, with their JSON pointers. */
export const rulesOfRuns = ({ constraints, runs }: Plan): readonly (Constraint & { readonly path: string })[] => [
  ...constraints.map((rule, index) => ({ ...rule, path: `/constraints/${index}` })),
  ...runs.map((rule, index) => ({ ...rule, path: `/runs/${index}` })),
];

/** Those that read outcomes. */
export const rulesOfOutcomes = (plan: Plan) =>
  rulesOfRuns(plan).filter(({ expression }) => reads(expression, (part) => part === 'outcome'));

/** Whether an aggregate reads the outcomes of its actions, as they are reported. */
export const readsOutcome = (node: Quantified | Unique): boolean => {
  let found = false;
  walkExpressions([node], (inner) => {
    if (inner.op === 'part' && inner.part === 'outcome' && inner.binder === node.binder) found = true;
  });
  return found;
};

const knownReads = new WeakMap<Expression, ReadonlySet<string>>();

/** Whether the expression reads a wanted part of an action: a time, or its outcome. */
function reads(expression: Expression, isWanted: (part: string) => boolean): boolean {
  const found = knownReads.get(expression) ?? readsOf(expression);
  knownReads.set(expression, found);
  return [...found].some(isWanted);
}

function readsOf(expression: Expression): ReadonlySet<string> {
  const found = new Set<string>();
  walkExpressions([expression], (node) => {
    if (node.op === 'own') found.add(node.time);
    if (node.op === 'part') found.add(node.part);
  });
  return found;
}
