import { defined } from '../../exact/defined.ts';
import type { PlanDocument } from '../../exact/plan-schema.ts';
import { readPlanShape } from '../../exact/plan-shape.ts';
import type { WorkerAnswer } from '../../thread/worker-answer.ts';
import { readPlan as typedPlan } from '../read/read-plan.ts';
import { readParts } from '../view/parts/viewed-plan.ts';
import { hashPlan, viewPlan } from '../view/view-plan.ts';
import type { ViewAnswer, ViewTask } from './tasks.ts';

/** Shows plans. Their texts come from tenants, so this does not run in the service's own thread. */
export default function run(task: ViewTask): WorkerAnswer<ViewAnswer> {
  const { plan, lint, predecessor, compared } = task;
  const hash = hashPlan(JSON.parse(plan));
  const before = predecessor === undefined ? {} : { predecessor: readParts(readPlan(predecessor), task) };
  const payees =
    compared === undefined
      ? {}
      : { compared: { which: compared.which, plan: typedPlan(readPlan(compared.plan), task.sheets, task) } };
  return { ok: true, value: { markdown: viewPlan(readPlan(plan), task, { hash, lint, payees, ...before }) } };
}

const readPlan = (text: string): PlanDocument => defined(readPlanShape(JSON.parse(text)).plan);
