import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { defined } from '../../exact/defined.ts';
import type { PlanDocument } from '../../exact/plan-schema.ts';
import { readPlanShape } from '../../exact/plan-shape.ts';
import { SheetDocument } from '../../exact/sheet-schema.ts';
import { ToolDocument } from '../../exact/tool-schema.ts';
import { compilePlan } from '../text/compile-plan.ts';
import { readParts } from '../view/parts/viewed-plan.ts';
import { hashPlan, viewPlan } from '../view/view-plan.ts';
import type { AuthoringAnswers, AuthoringTask, AuthoringTaskKind } from './tasks.ts';

function createReader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> {
  const compiled = Compile(schema);
  return (text) => {
    const value: unknown = JSON.parse(text);
    if (compiled.Check(value)) return value;
    throw new TypeError('a stored document has another shape');
  };
}

const readPlan = (text: string): PlanDocument => defined(readPlanShape(JSON.parse(text)).plan);
const readTool = createReader(ToolDocument);
const readSheet = createReader(SheetDocument);

/** Answers a task. It throws only if the service itself has a fault. */
export function answerTask(task: AuthoringTask): AuthoringAnswers[AuthoringTaskKind] {
  switch (task.kind) {
    case 'compile': {
      const documents = { tools: task.tools.map(readTool), sheets: task.sheets.map(readSheet) };
      return compilePlan(task.text, { ...documents, tables: new Map(Object.entries(task.files)) });
    }
    case 'view': {
      const { lint, predecessor } = task;
      const hash = hashPlan(JSON.parse(task.plan));
      const before = predecessor === undefined ? {} : { predecessor: readParts(readPlan(predecessor), task) };
      return { markdown: viewPlan(readPlan(task.plan), task, { hash, lint, ...before }) };
    }
  }
}
