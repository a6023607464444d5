import { LanguageError } from '../../exact/language-error.ts';
import type { SheetUseDocument } from '../../exact/plan-schema.ts';
import { parseExpression, type Scope } from '../language/parse-expression.ts';
import { codePointsOf } from '../language/strings.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Sheet, SheetUse } from './plan.ts';
import { PlanError } from './plan-error.ts';
import { hashSheetText, readSheet } from './read-sheet.ts';

/** What bindings may refer to: of the run, or of an action of a step; undefined where there is no such step. */
type ScopeOf = (stepId: string | undefined) => Scope | undefined;

/**
 * Reads how a plan uses sheets. Each must have the hash that the plan names, whoever it comes from: whoever approved the
 * plan has approved its rules.
 * @param texts sheets in canonical form, in any order
 * @throws {PlanError} @throws {LanguageError} with a JSON pointer into the plan
 */
export function readSheetUses(
  uses: readonly SheetUseDocument[],
  texts: readonly string[],
  scopeOf: ScopeOf,
): readonly SheetUse[] {
  const known = new Map(texts.map((text) => [hashSheetText(text), text]));
  const hashes = new Map([...known].map(([sha256, text]) => [nameIn(text), sha256]));
  const read = new Map<string, Sheet>();
  return uses.map((use, index) => {
    const path = `/sheets/${index}`;
    const ref = `${use.name}@${use.version}`;
    const sha256 = hashes.get(ref);
    const text = sha256 && known.get(sha256);
    if (text === undefined) throw new PlanError('UNKNOWN_SHEET', path, `there is no sheet ${ref}`);
    if (use.sha256 !== sha256)
      throw new PlanError('UNKNOWN_SHEET', `${path}/sha256`, `is not ${sha256}, that of ${ref}`);
    const sheet = read.get(sha256) ?? parseSheet(text, path);
    read.set(sha256, sheet);
    const stepId = use.scope === 'plan' ? undefined : use.scope.slice('each:'.length);
    const scope = scopeOf(stepId);
    if (scope === undefined) throw new PlanError('UNKNOWN_STEP', `${path}/scope`, `${stepId} is no step of the plan`);
    return { sheet, stepId, bind: readBind(use.bind, { sheet, scope }, `${path}/bind`) };
  });
}

/** The name@version that a sheet gives itself, if it is one. */
function nameIn(text: string): string {
  const sheet = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown } | null;
  return `${sheet?.name}@${sheet?.version}`;
}

function parseSheet(text: string, path: string): Sheet {
  try {
    return readSheet(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof LanguageError || error instanceof PlanError)) throw error;
    throw new PlanError('MALFORMED_SHEET', path, `the sheet is none: its ${error.path || 'form'} ${error.message}`);
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
        throw new PlanError('UNBOUND_VARIABLE', path, `binds nothing to ${name} of ${sheet.ref}`);
      }
      const at = `${path}/${name}`;
      const expression = parseExpression(bind[name], { type, scope, path: at });
      if (type.type === 'string' && longest(expression, scope) > type.max) {
        throw new LanguageError('TYPE_MISMATCH', at, `may have more than ${type.max} code points`);
      }
      return [name, expression];
    }),
  );
}

/** The most code points that an expression of strings may have. */
function longest(expression: Expression, scope: Scope): number {
  switch (expression.op) {
    case 'literal':
      return codePointsOf(`${expression.value}`);
    case 'reference':
      return maxOf(scope.names[expression.scope]?.get(expression.name));
    case 'ite':
      return Math.max(longest(expression.whenTrue, scope), longest(expression.whenFalse, scope));
    default:
      throw new TypeError('an expression of another sort');
  }
}

function maxOf(type: ValueType | undefined): number {
  if (type?.type !== 'string') throw new TypeError('a name of another sort');
  return type.max;
}
