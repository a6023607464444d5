import type { InlineTool, PlanDocument } from '../../../exact/plan-schema.ts';
import type { SheetDocument } from '../../../exact/sheet-schema.ts';
import type { ToolDocument } from '../../../exact/tool-schema.ts';
import type { Plan } from '../../plan.ts';
import { readPlan } from '../../read/read-plan.ts';
import { hashToolText } from '../../read/read-tool.ts';

/** The texts that a plan refers to by hash. */
export interface PlanTexts {
  /** Descriptions of the catalogue, in canonical form. */
  readonly tools: readonly string[];
  /** JSON lines. */
  readonly tables: readonly { readonly sha256: string; readonly text: string }[];
  /** In canonical form. */
  readonly sheets: readonly string[];
}

/** A tool of the catalogue, or one that the plan describes. */
export type ViewedTool = ToolDocument | InlineTool;
export type Row = Readonly<Record<string, unknown>>;

/** A plan as it was sent, with what it refers to. */
export interface PlanParts {
  readonly document: PlanDocument;
  /** By name@version. A description that is not known is missing. */
  readonly tools: ReadonlyMap<string, ViewedTool>;
  /** By name@version. */
  readonly sheets: ReadonlyMap<string, SheetDocument>;
  readonly tables: PlanTexts['tables'];
}

/** A plan as it was sent, and as it is judged. */
export interface ViewedPlan extends PlanParts {
  readonly plan: Plan;
}

/** @throws {PlanError} @throws {DocumentError} as `readPlan` */
export const readViewedPlan = (document: PlanDocument, texts: PlanTexts): ViewedPlan => ({
  ...readParts(document, texts),
  plan: readPlan(document, texts.sheets, texts),
});

export function readParts(document: PlanDocument, { tools: texts, sheets, tables }: PlanTexts): PlanParts {
  const byHash = new Map(texts.map((text) => [hashToolText(text), text]));
  const tools = new Map<string, ViewedTool>();
  for (const tool of document.tools) {
    const text = 'sha256' in tool ? byHash.get(tool.sha256) : undefined;
    const described = 'sha256' in tool ? text && parsed<ToolDocument>(text) : tool;
    if (described) tools.set(`${tool.name}@${tool.version}`, described);
  }
  const named = sheets.map(parsed<SheetDocument>).map((sheet) => [`${sheet.name}@${sheet.version}`, sheet] as const);
  return { document, tools, tables, sheets: new Map(named) };
}

/** A document that was read before it was stored. */
function parsed<Document>(text: string): Document {
  return JSON.parse(text) as Document;
}

/** The rows of a table, as they are written. Undefined if its text is not known. */
export function rowsOf({ document, tables }: PlanParts, name: string): readonly Row[] | undefined {
  const table = Object.hasOwn(document.tables, name) ? document.tables[name] : undefined;
  if (table === undefined) return undefined;
  if ('inline' in table) return table.inline;
  const text = tables.find(({ sha256 }) => sha256 === table.sha256)?.text;
  const lines = text?.split('\n').filter((line) => line !== '');
  return lines?.map(parsed<Row>);
}
