import { Compile } from 'typebox/schema';
import { valueAt } from './json-pointer.ts';
import { PlanDocument } from './plan-schema.ts';
import { shapeFault } from './shape-fault.ts';

const shape = Compile(PlanDocument);

/** Plans of format 1 were stored before `plan_format` 2. They are read, and nothing is done under them. */
export const isOfEarlierFormat = (json: unknown): boolean => valueAt(json, '/plan_format') === 1;

type Read =
  | { readonly plan: PlanDocument; readonly fault?: undefined }
  | { readonly plan?: undefined; readonly fault: ReturnType<typeof shapeFault> };

/** Checks the shape of a plan. */
export function readPlanShape(json: unknown): Read {
  if (valueAt(json, '/plan_format') !== 2) {
    return {
      fault: { path: '/plan_format', message: 'must be 2: docs/verified-execution/plan-format.md describes it' },
    };
  }
  return shape.Check(json) ? { plan: json } : { fault: shapeFault(shape.Errors(json)[1]) };
}
