import { readsOutcome } from './expressions.ts';
import type { Expression } from './language/terms.ts';
import { rewrite } from './language/walk.ts';
import type { Plan, SheetUse, Step } from './plan.ts';

/** A condition that every run obeys. `id`: of the plan's own rule. */
export interface Claim {
  readonly id: string | undefined;
  readonly expression: Expression;
}

/** The parts of an expression that must all be true. */
export function conjunctsOf(expression: Expression): readonly Expression[] {
  return expression.op === 'and' ? expression.args.flatMap(conjunctsOf) : [expression];
}

/** What the rules of a plan and of its sheets say of whole runs. */
export const claimsOfRun = (plan: Plan): readonly Claim[] => [
  ...plan.constraints.flatMap(({ id, expression }) =>
    conjunctsOf(expression).map((each) => ({ id, expression: each })),
  ),
  ...sheetClaims(plan, undefined).map((expression) => ({ id: undefined, expression })),
];

const known = new WeakMap<Plan, WeakMap<Step, readonly Expression[]>>();

/**
 * What every action of a step must obey, in the names of the action itself: its conditions, the rules of its sheets, and the
 * bodies of rules such as `pay.all(p, …)`.
 */
export function claimsOfStep(step: Step, plan: Plan): readonly Expression[] {
  const ofPlan = known.get(plan) ?? new WeakMap<Step, readonly Expression[]>();
  known.set(plan, ofPlan);
  const found = ofPlan.get(step) ?? [
    ...step.where.flatMap(({ expression }) => conjunctsOf(expression)),
    ...sheetClaims(plan, step.stepId),
    ...claimsOfRun(plan).flatMap(({ expression: rule }) => {
      if (rule.op !== 'all' || rule.range.kind !== 'step' || rule.range.name !== step.stepId || rule.body === undefined)
        return [];
      // What a rule says of some outcomes is not said of every action.
      return readsOutcome(rule) ? [] : conjunctsOf(asOwn(rule.body, rule.binder));
    }),
  ];
  ofPlan.set(step, found);
  return found;
}

/** The expression with the names of the action itself in place of those of a bound action. */
function asOwn(expression: Expression, binder: string): Expression {
  return rewrite(expression, (node) => {
    if (node.op !== 'part' || node.binder !== binder) return undefined;
    const { part, name, needs } = node;
    if (part === 'started' || part === 'ended') return { op: 'own', time: part };
    return { op: 'reference', scope: part === 'arg' ? 'arg' : 'resp', name, ...(needs && { needs }) };
  });
}

/** The rules of sheets, with what the plan binds in place of their variables. */
function sheetClaims({ sheets }: Plan, stepId: string | undefined): readonly Expression[] {
  return sheets
    .filter((use) => use.stepId === stepId)
    .flatMap((use) =>
      [...use.sheet.rules, ...use.sheet.bounds].flatMap(({ expression }) => conjunctsOf(withBound(expression, use))),
    );
}

const withBound = (expression: Expression, { bind }: SheetUse): Expression =>
  rewrite(expression, (node) => (node.op === 'reference' && node.scope === 'var' ? bind.get(node.name) : undefined));
