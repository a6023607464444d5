import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Compile } from 'typebox/schema';
import { SHIPPED_SHEETS } from '../../../../services/verification/sheets/shipped-sheets.ts';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { MAX_TABLE_BYTES, type PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { readPlanShape } from '../../../../workers/exact/plan-shape.ts';
import { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { ToolDocument } from '../../../../workers/exact/tool-schema.ts';
import { compilePlan } from '../../../../workers/plan/text/compile-plan.ts';
import type { TextFault } from '../../../../workers/plan/text/faults/text-fault.ts';
import type { TableFiles } from '../../../../workers/plan/text/plan/table-files.ts';
import { compileTools } from '../../../../workers/plan/text/tools/compile-tools.ts';
import { visibly } from '../../../../workers/plan/view/words/escape.ts';
import { CommandError, type Options } from '../../terminal/command.ts';

const MAX_TEXT_BYTES = 512 * 1024;
const TABLE_FILE = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}\.jsonl$/;

const NO_CATALOGUE =
  'no catalogue was given: add --tools FILE, such as --tools docs/verified-execution/examples/tools.yaml';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const isTool = Compile(ToolDocument);
const isSheet = Compile(SheetDocument);

/** A plan with everything that it refers to, as the solver takes it. */
export interface PlanInput {
  readonly file: string;
  /** The plan as it is sent. */
  readonly document: unknown;
  /** undefined if it does not have the shape of a plan. */
  readonly plan: PlanDocument | undefined;
  readonly tools: readonly ToolDocument[];
  readonly tables: readonly { readonly sha256: string; readonly text: string }[];
  readonly sheets: readonly SheetDocument[];
}

type PlanFiles = Pick<Options, 'tools' | 'sheet'>;

/** Reads a plan: YAML is compiled; JSON is in canonical form already. @throws {CommandError} */
export function readPlanInput(file: string, files: PlanFiles): PlanInput {
  const tools = files.tools === undefined ? [] : readTools(files.tools);
  const sheets = [
    ...SHIPPED_SHEETS.map(({ document }) => toSheet(JSON.parse(document), 'a sheet of the service')),
    ...(files.sheet ?? []).map((sheet) => toSheet(readJson(sheet), sheet)),
  ];
  const folder = dirname(file);
  const document = isYaml(file) ? compileFile(file, { tools, sheets, folder }) : readJson(file);
  const { plan } = readPlanShape(document);
  return { file, document, plan, tools, tables: plan === undefined ? [] : tablesOf(plan, folder), sheets };
}

/** Reads a plan, and refuses what is not one. @throws {CommandError} */
export function readWholePlan(file: string, files: PlanFiles): PlanInput & { readonly plan: PlanDocument } {
  const { plan, ...input } = readPlanInput(file, files);
  if (plan === undefined) throw new CommandError(`${file} is not a plan`);
  return { ...input, plan };
}

/** The parts of a solver's task that say which plan it is about. */
export const toTask = ({ document, tools, tables, sheets }: PlanInput) => ({
  plan: canonicalText(document),
  sheets: sheets.map(canonicalText),
  tools: tools.map(canonicalText),
  tables,
});

const isYaml = (file: string): boolean => /\.ya?ml$/.test(file);

/** A catalogue: `tools.yaml`, or a description or a list of descriptions in canonical form. @throws {CommandError} */
export function readTools(file: string): readonly ToolDocument[] {
  if (isYaml(file)) {
    const { tools, faults } = compileTools(readText(file));
    if (tools === undefined) throw faultError(file, faults);
    return tools;
  }
  const json = readJson(file);
  return (Array.isArray(json) ? json : [json]).map((tool: unknown) => {
    if (isTool.Check(tool)) return tool;
    throw new CommandError(`${file} has a part that is not the description of a tool`);
  });
}

function toSheet(json: unknown, file: string): SheetDocument {
  if (isSheet.Check(json)) return json;
  throw new CommandError(`${file} is not a sheet`);
}

function compileFile(
  file: string,
  { tools, sheets, folder }: Pick<PlanInput, 'tools' | 'sheets'> & { readonly folder: string },
): PlanDocument {
  const { plan, faults } = compilePlan(readText(file), { tools, sheets, tables: tableFiles(folder) });
  if (plan !== undefined) return plan;
  const error = faultError(file, faults);
  const lacksCatalogue = tools.length === 0 && faults.some(({ code }) => code === 'UNKNOWN_TOOL');
  throw lacksCatalogue ? new CommandError(`${error.message}\n${NO_CATALOGUE}`) : error;
}

/** One line for each fault, as compilers print them. */
export function faultError(file: string, faults: readonly TextFault[]): CommandError {
  const lines = faults.map(({ code, line, column, message }) => `${file}:${line}:${column}: ${message} (${code})`);
  return new CommandError(lines.join('\n'));
}

/** The files beside a plan. Only names in its folder are read, never paths. */
function tableFiles(folder: string): TableFiles {
  const names = readdirSync(folder).filter((name) => TABLE_FILE.test(name));
  return {
    get: (name) => (names.includes(name) ? readTable(join(folder, name)) : undefined),
    keys: () => names.values(),
  };
}

function readTable(file: string): string {
  if (statSync(file).size > MAX_TABLE_BYTES) throw new CommandError(`${file} has more than ${MAX_TABLE_BYTES} bytes`);
  return decode(readFileSync(file), file);
}

/** A text that is not UTF-8 would be read with other characters. @throws {CommandError} */
export function decode(bytes: Uint8Array, file: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const isUtf16 = /^(?:feff|fffe)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
    const mark = isUtf16 ? ': it begins with the byte order mark of UTF-16' : '';
    throw new CommandError(`${file} is not in UTF-8${mark}. Save it in UTF-8`);
  }
}

/** The texts of a plan's tables, found by their hashes beside the plan. */
function tablesOf({ tables }: PlanDocument, folder: string): PlanInput['tables'] {
  const wanted = new Set(Object.values(tables).flatMap((table) => ('sha256' in table ? [table.sha256] : [])));
  if (wanted.size === 0) return [];
  const files = tableFiles(folder);
  return [...files.keys()].flatMap((name) => {
    const text = files.get(name) ?? '';
    const sha256 = createHash('sha256').update(text).digest('hex');
    return wanted.delete(sha256) ? [{ sha256, text }] : [];
  });
}

/** @throws {CommandError} */
export function readText(file: string): string {
  const bytes = readFileSync(file);
  if (bytes.length > MAX_TEXT_BYTES) throw new CommandError(`${basename(file)} has more than ${MAX_TEXT_BYTES} bytes`);
  return decode(bytes, file);
}

/** @throws {CommandError} */
export function readJson(file: string, maxBytes = MAX_TEXT_BYTES, rules = RECORD_JSON): unknown {
  try {
    return parseStrictJsonBytes(readFileSync(file), maxBytes, rules);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new CommandError(`${file}: ${visibly(error.pointer || '/')}: ${visibly(error.message)}`);
  }
}
