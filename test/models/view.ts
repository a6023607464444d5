import type { PlanDocument } from '../../workers/exact/plan-schema.ts';
import type { SheetDocument } from '../../workers/exact/sheet-schema.ts';
import type { ToolDocument } from '../../workers/exact/tool-schema.ts';
import type { Finding } from '../../workers/plan/finding.ts';
import { findDangers } from '../../workers/plan/lint/dangers.ts';
import { readPlan } from '../../workers/plan/read/read-plan.ts';
import { type PlanTexts, readParts } from '../../workers/plan/view/parts/viewed-plan.ts';
import { type ViewContext, viewPlan } from '../../workers/plan/view/view-plan.ts';
import { textsOf } from './plan-texts.ts';
import { textOf } from './sheets.ts';

/** What a plan refers to. */
interface Documents {
  readonly tools: readonly ToolDocument[];
  readonly tables?: PlanTexts['tables'];
  readonly sheets?: readonly SheetDocument[];
}

interface Viewed extends Documents {
  readonly hash?: string;
  readonly lint?: readonly Finding[];
  readonly predecessor?: PlanDocument;
  readonly payees?: ViewContext['payees'];
}

export const partsOf = ({ tools, tables = [], sheets = [] }: Documents): PlanTexts => ({
  tools: textsOf(tools),
  tables,
  sheets: sheets.map(textOf),
});

/** What an approver reads of a plan. */
export function viewOf(
  plan: PlanDocument,
  { hash = 'a'.repeat(64), lint = [], predecessor, payees, ...documents }: Viewed,
): string {
  const texts = partsOf(documents);
  const before = predecessor === undefined ? {} : { predecessor: readParts(predecessor, texts) };
  return viewPlan(plan, texts, { hash, lint, ...before, ...(payees === undefined ? {} : { payees }) });
}

/** A plan as it is judged. */
export function typed(plan: PlanDocument, documents: Documents) {
  const { sheets, ...texts } = partsOf(documents);
  return readPlan(plan, sheets, texts);
}

export const dangersOf = (plan: PlanDocument, documents: Documents): readonly Finding[] =>
  findDangers(typed(plan, documents));
