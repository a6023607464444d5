import { createHash } from 'node:crypto';
import { Compile } from 'typebox/schema';
import { DocumentError } from '../../exact/document-error.ts';
import { shapeFault } from '../../exact/shape-fault.ts';
import { SheetDocument } from '../../exact/sheet-schema.ts';
import { createNodeBudget, expand } from '../language/expand.ts';
import { type Expression, literal, type Term, variable } from '../language/terms.ts';
import { parseTypes, type ValueType, withoutBounds } from '../language/types.ts';
import type { Rule, Sheet } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { readRules } from './tool-parts.ts';

const document = Compile(SheetDocument);

/** Checks the shape of a sheet. @throws {PlanError} MALFORMED_SHEET */
export function parseSheetDocument(json: unknown): SheetDocument {
  if (document.Check(json)) return json;
  const { path, message } = shapeFault(document.Errors(json)[1]);
  throw new PlanError('MALFORMED_SHEET', path, message);
}

/**
 * Reads an unchecked sheet.
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer to the fault
 */
export function readSheet(sheet: unknown): Sheet {
  const json = parseSheetDocument(sheet);
  const variables = parseTypes(json.variables, '/variables');
  const rules = readRules(json.constraints, { names: { var: variables } }, '/constraints');
  assertExpandable(variables, rules);
  return { ref: `${json.name}@${json.version}`, variables, bounds: boundsOf(variables), rules };
}

/** The hash that identifies a sheet: SHA-256("tollhouse:sheet:v1\0" ‖ canonical text), in lower-case hex. */
export function hashSheetText(text: string): string {
  return createHash('sha256').update(`tollhouse:sheet:v1\0${text}`).digest('hex');
}

/** Each variable name as a term. */
export function termsOf(variables: Iterable<string>): ReadonlyMap<string, Term> {
  return new Map([...variables].map((name) => [name, variable(name)]));
}

function boundsOf(variables: ReadonlyMap<string, ValueType>): readonly Rule[] {
  return [...variables].flatMap(([name, type]): Rule[] => {
    const widest = withoutBounds(type);
    if (!('min' in type && 'min' in widest)) return [];
    const value: Expression = { op: 'reference', scope: 'var', name };
    const args: Expression[] = [];
    if (type.min > widest.min) args.push({ op: '<=', left: literal(type.min), right: value });
    if (type.max < widest.max) args.push({ op: '<=', left: value, right: literal(type.max) });
    return args.length === 0 ? [] : [{ id: name, expression: { op: 'and', args } }];
  });
}

/** Limits a sheet to the size that the solver accepts for one plan. @throws {DocumentError} TOO_MANY_NODES */
function assertExpandable(variables: ReadonlyMap<string, ValueType>, rules: readonly Rule[]): void {
  const spend = createNodeBudget();
  const names = { var: termsOf(variables.keys()) };
  for (const [index, { expression }] of rules.entries()) {
    try {
      expand(expression, names, spend);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      throw new DocumentError(error.code, `/constraints/${index}/expr`, error.message);
    }
  }
}
