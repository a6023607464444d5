import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument, IntentDocument } from '../../../workers/exact/action-schema.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { readPlanShape } from '../../../workers/exact/upgrade-plan.ts';

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

/** A plan in the form in which everything reads it, whatever its format. */
export function readPlanDocument({ document }: { readonly document: string }): PlanDocument {
  const { plan } = readPlanShape(JSON.parse(document));
  if (plan === undefined) throw new Error('the stored plan does not have the shape of one');
  return plan;
}

export const readActions = ({ actions }: { readonly actions: string }): readonly ActionDocument[] =>
  readActionList(actions);

/** The actions of a check of a proposal. */
export const readIntents = ({ actions }: { readonly actions: string }): readonly IntentDocument[] =>
  readIntentList(actions);
