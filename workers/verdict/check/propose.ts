import { defined } from '../../exact/defined.ts';
import type { SheetDocument } from '../../exact/sheet-schema.ts';
import type { ToolDocument } from '../../exact/tool-schema.ts';
import type { TableText } from '../../plan/read/read-table.ts';
import { compilePlan } from '../../plan/text/compile-plan.ts';
import type { TextFault } from '../../plan/text/faults/text-fault.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Linted } from '../run/checked.ts';
import { malformed } from '../run/judgement.ts';
import { checkPlan, checkTyped } from './check-plan.ts';

/** A plan in canonical form, or its text in YAML, with all that it may name. */
export type ProposedPlan = {
  /** In canonical form and in any order. */
  readonly sheets: readonly string[];
  readonly tools?: readonly string[];
  readonly tables?: readonly TableText[];
} & (
  | { readonly plan: string }
  | {
      readonly plan?: undefined;
      readonly text: string;
      /** Hashes of tables by the names of files that the text has for them. */
      readonly files: Readonly<Record<string, string>>;
    }
);

/** What is found out about a plan before it is stored. */
export interface Proposed extends Linted {
  /** The plan of a text, as a JSON document. */
  readonly plan?: unknown;
  /** Why a text is not a plan. */
  readonly textFaults?: readonly TextFault[];
}

/** Reads a plan or its text once, and finds out everything that is known before it is stored. */
export function propose(proposed: ProposedPlan, solver: BoundedSolver): Proposed {
  if (proposed.plan !== undefined) return checkPlan(JSON.parse(proposed.plan), solver, proposed);
  const { text, files, sheets, tools = [], tables = [] } = proposed;
  const texts = new Map(tables.map((table) => [table.sha256, table.text]));
  const compiled = compilePlan(text, {
    tools: tools.map(parsed<ToolDocument>),
    sheets: sheets.map(parsed<SheetDocument>),
    tables: new Map(Object.entries(files).map(([file, sha256]) => [file, defined(texts.get(sha256))])),
  });
  const { plan, typed, faults } = compiled;
  if (plan !== undefined) return { ...checkTyped(typed, solver), plan };
  return { textFaults: faults, judgement: malformed('possible', { path: '', message: 'has faults' }), lint: [] };
}

/** A description or a sheet, which was checked before it was stored. */
function parsed<Document>(text: string): Document {
  return JSON.parse(text) as Document;
}
