import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument, IntentDocument } from '../../../workers/exact/action-schema.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { isOfEarlierFormat, readPlanShape } from '../../../workers/exact/plan-shape.ts';
import { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';

/* Documents were checked before they were stored. A document of another shape is a fault of the store: an error. */

function createReader<Schema extends TSchema>(what: string, schema: Schema): (text: string) => Static<Schema> {
  const compiled = Compile(schema);
  return (text) => {
    const value: unknown = JSON.parse(text);
    if (!compiled.Check(value)) throw new Error(`the stored ${what} does not have the shape of one`);
    return value;
  };
}

export const readSheetDocument = createReader('sheet', SheetDocument);
export const readToolDocument = createReader('tool', ToolDocument);
const readActionList = createReader('list of actions', Type.Array(ActionDocument));
const readIntentList = createReader('list of proposed actions', Type.Array(IntentDocument));

interface StoredPlan {
  readonly document: string;
}

/** A stored plan of format 1 can be read, and nothing is done under it. */
export const isOfEarlier = ({ document }: StoredPlan): boolean => isOfEarlierFormat(JSON.parse(document));

/** @throws {ServiceError} PLAN_CLOSED for a plan of format 1 */
export function readPlanDocument(stored: StoredPlan): PlanDocument {
  if (isOfEarlier(stored)) {
    throw new ServiceError('PLAN_CLOSED', 'the plan is of format 1, which is read only: propose one of plan_format 2');
  }
  const { plan } = readPlanShape(JSON.parse(stored.document));
  if (plan === undefined) throw new Error('the stored plan does not have the shape of one');
  return plan;
}

export const readActions = ({ actions }: { readonly actions: string }): readonly ActionDocument[] =>
  readActionList(actions);

/** The actions of a check of a proposal. */
export const readIntents = ({ actions }: { readonly actions: string }): readonly IntentDocument[] =>
  readIntentList(actions);
