import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { defined } from '../exact/defined.ts';
import type { PlanDocument } from '../exact/plan-schema.ts';
import { readPlanShape } from '../exact/plan-shape.ts';
import { SheetDocument } from '../exact/sheet-schema.ts';
import { ToolDocument } from '../exact/tool-schema.ts';
import { compilePlan } from '../plan-text/compile-plan.ts';
import { findDangers } from '../plan-view/lint/find-dangers.ts';
import type { Finding } from '../plan-view/parts/plan-parts.ts';
import { hashPlan, viewPlan } from '../plan-view/view-plan.ts';
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
  const tools = task.tools.map(readTool);
  const sheets = task.sheets.map(readSheet);
  switch (task.kind) {
    case 'compile':
      return compilePlan(task.text, { tools, sheets, tables: new Map(Object.entries(task.files)) });
    case 'find_dangers':
      return findDangers(readPlan(task.plan), { tools, sheets, tables: task.tables });
    case 'view': {
      const { tables, lint, predecessor } = task;
      const plan = readPlan(task.plan);
      const own = findDangers(plan, { tools, sheets, tables });
      const context = {
        hash: hashPlan(JSON.parse(task.plan)),
        tools,
        sheets,
        tables,
        lint: lint.filter((finding) => !own.some((each) => isSame(each, finding))),
      };
      const before = predecessor === undefined ? {} : { predecessor: readPlan(predecessor) };
      return { markdown: viewPlan(plan, { ...context, ...before }) };
    }
  }
}

/** The view finds its own dangers again, so those that were stored with the plan are left out. */
const isSame = (one: Finding, other: Finding): boolean => one.code === other.code && one.path === other.path;
