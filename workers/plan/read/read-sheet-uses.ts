import { DocumentError } from '../../exact/document-error.ts';
import type { SheetUseDocument } from '../../exact/plan-schema.ts';
import { parseExpression } from '../language/parse-expression.ts';
import type { Scope } from '../language/site.ts';
import { codePointsOf } from '../language/strings.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Sheet, SheetUse } from '../plan.ts';
import { PlanError } from '../plan-error.ts';
import { hashSheetText, readSheet } from './read-sheet.ts';

/** The scope of bindings for the run, or for the actions of a step. Undefined if the plan has no such step. */
type ScopeOf = (stepId: string | undefined) => Scope | undefined;

/**
 * Reads how a plan uses sheets. Each sheet must have the hash that the plan names: who approved the plan has approved these
 * rules and no others.
 * @param texts sheets in canonical form, in any order
 * @throws {PlanError} @throws {DocumentError} with a JSON pointer into the plan
 */
export function readSheetUses(
  uses: readonly SheetUseDocument[],
  texts: readonly string[],
  scopeOf: ScopeOf,
): readonly SheetUse[] {
  const known = new Map(texts.map((text) => [refIn(text), { sha256: hashSheetText(text), text }]));
  const read = new Map<string, Sheet>();
  return uses.map((use, index) => {
    const path = `/sheets/${index}`;
    const ref = `${use.name}@${use.version}`;
    const found = known.get(ref);
    if (found === undefined) throw new PlanError('UNKNOWN_SHEET', path, `there is no sheet ${ref}`);
    if (use.sha256 !== found.sha256)
      throw new PlanError('UNKNOWN_SHEET', `${path}/sha256`, `is not ${found.sha256}, the hash of ${ref}`);
    const sheet = read.get(ref) ?? parseSheet(found.text, path);
    read.set(ref, sheet);
    const stepId = use.scope === 'plan' ? undefined : use.scope.slice('each:'.length);
    const scope = scopeOf(stepId);
    if (scope === undefined)
      throw new PlanError('UNKNOWN_STEP', `${path}/scope`, `${stepId} is not a step of the plan`);
    return { sheet, stepId, bind: readBind(use.bind, { sheet, scope }, `${path}/bind`) };
  });
}

/** The name@version that a sheet gives itself. Undefined if the text is not a sheet. */
function refIn(text: string): string | undefined {
  const sheet: unknown = JSON.parse(text);
  if (typeof sheet !== 'object' || sheet === null || !('name' in sheet) || !('version' in sheet)) return undefined;
  return `${sheet.name}@${sheet.version}`;
}

function parseSheet(text: string, path: string): Sheet {
  try {
    return readSheet(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
    throw new PlanError(
      'MALFORMED_SHEET',
      path,
      `the sheet is malformed: its ${error.path || 'form'} ${error.message}`,
    );
  }
}

function readBind(
  bind: Readonly<Record<string, unknown>>,
  { sheet, scope }: { readonly sheet: Sheet; readonly scope: Scope },
  path: string,
): ReadonlyMap<string, Expression> {
  const unknown = Object.keys(bind).find((name) => !sheet.variables.has(name));
  if (unknown !== undefined) {
    throw new PlanError('UNKNOWN_FIELD', `${path}/${unknown}`, `${sheet.ref} has no variable of this name`);
  }
  return new Map(
    [...sheet.variables].map(([name, type]) => {
      if (!Object.hasOwn(bind, name)) {
        throw new PlanError('UNBOUND_VARIABLE', path, `does not bind ${name} of ${sheet.ref}`);
      }
      const at = `${path}/${name}`;
      const expression = parseExpression(bind[name], { type, scope, path: at });
      if (type.type === 'string' && longest(expression, scope) > type.max) {
        throw new DocumentError('TYPE_MISMATCH', at, `may have more than ${type.max} code points`);
      }
      return [name, expression];
    }),
  );
}

/** The most code points that the value of a string expression can have. */
function longest(expression: Expression, scope: Scope): number {
  switch (expression.op) {
    case 'literal':
      return codePointsOf(`${expression.value}`);
    case 'reference':
      return maxOf(scope.names[expression.scope]?.get(expression.name));
    case 'part':
    case 'look':
    case 'at':
      return maxOf(expression.type);
    case 'ite':
      return Math.max(longest(expression.whenTrue, scope), longest(expression.whenFalse, scope));
    default:
      throw new TypeError('the expression is not of strings');
  }
}

function maxOf(type: ValueType | undefined): number {
  if (type?.type !== 'string') throw new TypeError('the name is not of a string');
  return type.max;
}
