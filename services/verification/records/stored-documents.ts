import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ActionDocument, IntentDocument } from '../../../workers/exact/action-schema.ts';
import { PlanDocument2 } from '../../../workers/exact/plan-2-schema.ts';
import { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { ToolDocument2 } from '../../../workers/exact/tool-schema.ts';
import type { AnyPlanDocument } from '../plans/plan-document.ts';

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
const readPlan = createReader('plan', Type.Union([PlanDocument2, PlanDocument]));
export const readToolDocument = createReader('tool', ToolDocument2);
const readActionList = createReader('list of actions', Type.Array(ActionDocument));
const readIntentList = createReader('list of proposed actions', Type.Array(IntentDocument));

export const readPlanDocument = ({ document }: { readonly document: string }): AnyPlanDocument => readPlan(document);

export const readActions = ({ actions }: { readonly actions: string }): readonly ActionDocument[] =>
  readActionList(actions);

/** The actions of a check of a proposal. */
export const readIntents = ({ actions }: { readonly actions: string }): readonly IntentDocument[] =>
  readIntentList(actions);
