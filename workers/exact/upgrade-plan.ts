import { Compile } from 'typebox/schema';
import { valueAt } from './json-pointer.ts';
import { Plan1Document } from './plan-1-schema.ts';
import { Plan2Document, type PlanDocument } from './plan-schema.ts';
import { shapeFault } from './shape-fault.ts';

const formats = { 1: Compile(Plan1Document), 2: Compile(Plan2Document) };

type Read =
  | { readonly plan: PlanDocument; readonly fault?: undefined }
  | { readonly plan?: undefined; readonly fault: ReturnType<typeof shapeFault> };

/** Checks the shape of a plan. A plan of format 1 becomes one of format 2 that allows the same runs. */
export function readPlanShape(json: unknown): Read {
  switch (valueAt(json, '/plan_format')) {
    case 1:
      return formats[1].Check(json) ? { plan: upgradePlan(json) } : { fault: shapeFault(formats[1].Errors(json)[1]) };
    case 2:
      return formats[2].Check(json) ? { plan: json } : { fault: shapeFault(formats[2].Errors(json)[1]) };
    default:
      return { fault: { path: '/plan_format', message: 'is neither 1 nor 2' } };
  }
}

function upgradePlan(plan: Plan1Document): PlanDocument {
  const least = new Map(plan.steps.map(({ step_id, min }) => [step_id, Math.max(1, min)]));
  return {
    ...plan,
    plan_format: 2,
    approvals: 1,
    tables: {},
    steps: plan.steps.map(({ after, ...step }) => ({
      ...step,
      after: [...new Set(after)].map((step) => ({ step, at_least: least.get(step) ?? 1 })),
      effects: {},
    })),
    constraints: plan.constraints.map(({ id, expr }) => ({ id, expr: upgradeExpression(expr) })),
    sheets: plan.sheets.map(({ bind, ...use }) => ({
      ...use,
      bind: Object.fromEntries(Object.entries(bind).map(([name, expr]) => [name, upgradeExpression(expr)])),
    })),
  };
}

/** The name of the action in an aggregate. Format 1 gives it none. */
const BINDER = 'action';
const AGGREGATES: ReadonlySet<unknown> = new Set(['sum', 'count', 'forall', 'exists']);

/**
 * Names the actions of aggregates: `["sum","pay",["arg","amount"]]` becomes
 * `["sum","pay","action",["arg","action","amount"]]`.
 */
function upgradeExpression(expr: unknown, isOfAction = false): unknown {
  if (!Array.isArray(expr)) return expr;
  const [head, ...operands]: readonly unknown[] = expr;
  if (isOfAction && (head === 'arg' || head === 'resp') && operands.length === 1) return [head, BINDER, ...operands];
  if (AGGREGATES.has(head) && operands.length === 2) {
    return [head, operands[0], BINDER, upgradeExpression(operands[1], true)];
  }
  return [head, ...operands.map((operand) => upgradeExpression(operand, isOfAction))];
}
