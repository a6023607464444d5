import { canonicalText } from '../../../exact/canonical-json.ts';
import type { SheetUseDocument } from '../../../exact/plan-schema.ts';
import type { SheetDocument } from '../../../exact/sheet-schema.ts';
import { parseTypes } from '../../language/types.ts';
import { hashSheetText } from '../../read/read-sheet.ts';
import { compileValue } from '../cel/compile-expression.ts';
import type { TextScope } from '../cel/scope.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { quote, readEntries, readFields, readNamed, unknownName } from '../yaml/fields.ts';
import { asScalar, type MapEntry, type ScalarNode, type TextNode } from '../yaml/text-node.ts';

/** The scope of a sheet's bindings: of the whole run, or of the actions of a step. */
export type ScopeOf = (step: string | undefined) => TextScope | undefined;

/** Uses of sheets: `- { sheet: refund-limits@1.0.0, for: plan, bind: { total: sum(pay, p, p.amount) } }`. */
export function readSheetUses(
  node: TextNode | undefined,
  sheets: readonly SheetDocument[],
  scopeOf: ScopeOf,
  log: FaultLog,
): SheetUseDocument[] {
  if (node === undefined) return [];
  if (node.kind !== 'list') {
    log.add('WRONG_FORM', node.at, 'sheets are a list: - { sheet: name@1.0.0, for: plan, bind: { … } }');
    return [];
  }
  return log.each(node.items, (item) => readUse(item, sheets, scopeOf, log));
}

function readUse(node: TextNode, sheets: readonly SheetDocument[], scopeOf: ScopeOf, log: FaultLog): SheetUseDocument {
  const fields = readFields(node, ['sheet', 'for', 'bind'], 'the use of a sheet', log);
  const sheet = findSheet(
    asScalar(fields.require('sheet', 'sheet: refund-limits@1.0.0'), 'a sheet and its version'),
    sheets,
  );
  const target = asScalar(fields.require('for', 'for: plan'), 'plan, or each and a step: each pay');
  const step = /^each\s+(\S+)$/.exec(target.text)?.[1];
  if (step === undefined && target.text !== 'plan') {
    throw new TextError(
      'MALFORMED_VALUE',
      target.at,
      `${quote(target.text)} is neither plan nor each and a step: each pay`,
    );
  }
  const scope = scopeOf(step);
  if (scope === undefined) throw new TextError('UNKNOWN_STEP', target.at, `there is no step ${quote(step ?? '')}`);
  return {
    name: sheet.name,
    version: sheet.version,
    sha256: hashSheetText(canonicalText(sheet)),
    scope: step === undefined ? 'plan' : `each:${step}`,
    bind: readBind(fields.get('bind'), { sheet, scope, at: node.at }, log),
  };
}

function findSheet(ref: ScalarNode, sheets: readonly SheetDocument[]): SheetDocument {
  const known = new Map(sheets.map((sheet) => [`${sheet.name}@${sheet.version}`, sheet]));
  const found = known.get(ref.text);
  if (found !== undefined) return found;
  throw unknownName(ref, known.keys(), `there is no sheet ${quote(ref.text)}`, 'UNKNOWN_SHEET');
}

function readBind(
  node: TextNode | undefined,
  { sheet, scope, at }: { readonly sheet: SheetDocument; readonly scope: TextScope; readonly at: number },
  log: FaultLog,
): Record<string, unknown> {
  const types = parseTypes(sheet.variables, '');
  const entries = readNamed(node, 'expressions by the names of the sheet', log);
  const read = ({ key, value }: MapEntry) => {
    const type = types.get(key.text);
    if (type !== undefined) return compileValue(value, { type, what: key.text }, scope);
    throw unknownName(key, types.keys(), `${sheet.name} has no name ${quote(key.text)}`);
  };
  const bind = readEntries(entries, read, log);
  const missing = [...types.keys()].filter((name) => entries.every(({ key }) => key.text !== name));
  if (missing.length > 0) log.add('MISSING_PART', node?.at ?? at, `bind lacks ${missing.join(', ')} of ${sheet.name}`);
  return Object.fromEntries(bind);
}
