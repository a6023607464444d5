import { checkBounds } from '../../../exact/bounds.ts';
import { DocumentError } from '../../../exact/document-error.ts';
import type { Site } from '../../language/site.ts';
import type { Sort, ValueType } from '../../language/types.ts';
import { isMap } from '../../read/read-state.ts';
import { knownNames } from '../faults/suggest.ts';
import { CelError } from './cel-error.ts';
import { lowerCall, lowerMacro } from './lower-call.ts';
import { lowerBool, lowerNumber, lowerString } from './lower-literal.ts';
import { lowerKeys, lowerName, lowerSelect, stateOf, wordOf } from './lower-name.ts';
import { condition, lowerOperator, ofType } from './lower-operator.ts';
import { lowerList } from './lower-part.ts';
import { type Json, type Lowered, type Lowering, lowered, typedBefore } from './lowering.ts';
import { fitting } from './misfit.ts';
import type { TextScope } from './scope.ts';
import { type IndexSyntax, namesIn, type OperatorSyntax, type Syntax } from './syntax.ts';

type List = NonNullable<ReturnType<typeof lowerList>>;

/** The canonical form of a condition. @throws {CelError} */
export function lowerCondition(syntax: Syntax, scope: TextScope): Json {
  return lowerWhole(syntax, scope, (lowering) => condition(syntax, lowering, 'a condition'));
}

/** The canonical form of an expression that must have a type. `what` names the place. @throws {CelError} */
export function lowerValue(
  syntax: Syntax,
  wanted: { readonly type: ValueType; readonly what: string },
  scope: TextScope,
): Json {
  return lowerWhole(syntax, scope, (lowering) => ofType(syntax, wanted, lowering));
}

/** What is said about a name with a fault of its own would only mislead. */
function assertSound(syntax: Syntax, { faulty }: TextScope): void {
  if (faulty.size === 0) return;
  for (const [name, at] of namesIn(syntax)) {
    if (faulty.has(name)) throw new CelError('UNKNOWN_NAME', at, `${name} has a fault of its own: mend that first`);
  }
}

/** Lowers an expression within the limits of the canonical form. */
function lowerWhole(syntax: Syntax, scope: TextScope, lower: (lowering: Lowering) => Lowered): Json {
  assertSound(syntax, scope);
  try {
    const { json } = lower(
      createLowering(scope, { ...scope, referred: new Set(), bound: new Map(), read: typedBefore }),
    );
    checkBounds(json, '');
    return json;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const code = error.code === 'TOO_DEEP' ? 'TOO_DEEP' : 'TOO_LARGE';
    const advice = error.code === 'TOO_LARGE' ? '' : ': split it into several rules';
    throw new CelError(code, syntax.at, `the expression ${error.message}${advice}`);
  }
}

function createLowering(scope: TextScope, site: Site): Lowering {
  const lowering: Lowering = {
    scope,
    site,
    lower: (syntax, expected) => lower(syntax, lowering, expected),
    bind: (name, types) => createLowering(scope, { ...site, bound: new Map([...site.bound, [name, types]]) }),
  };
  return lowering;
}

function lower(syntax: Syntax, lowering: Lowering, expected: Sort | undefined): Lowered {
  switch (syntax.kind) {
    case 'number':
      return lowerNumber(syntax, lowering);
    case 'string':
      return lowerString(syntax, expected, lowering);
    case 'bool':
      return lowerBool(syntax, lowering);
    case 'name':
      return lowerName(syntax, lowering);
    case 'select':
      return lowerSelect(syntax, lowering);
    case 'index':
      return lowerIndex(syntax, lowering);
    case 'list':
      throw new CelError(
        'CEL_UNSUPPORTED',
        syntax.at,
        'a list can only be searched with in, or be a key of several columns',
      );
    case 'call':
      return lowerCall(syntax, lowering);
    case 'macro':
      return lowerMacro(syntax, lowering);
    case 'operator':
      return syntax.operator === 'in' ? lowerIn(syntax, lowering) : lowerOperator(syntax, lowering, expected);
  }
}

/** `state.sent[key]`. A table needs a column: `approved[key].amount`. */
function lowerIndex({ operand, key, mark }: IndexSyntax, lowering: Lowering): Lowered {
  const { scope } = lowering;
  if (operand.kind === 'select' && operand.operand.kind === 'name' && operand.operand.name === 'state') {
    const name = operand.field;
    const type = stateOf(scope, name, operand);
    if (!isMap(type)) throw new CelError('TYPE_MISMATCH', mark, `state.${name} is one value, not a map`);
    const typed = ofType(key, { type: type.key, what: `the key of ${name}` }, lowering);
    return lowered(['at', wordOf(scope), name, typed], mark, lowering);
  }
  if (operand.kind === 'name' && scope.relations.tables.has(operand.name)) {
    const column = scope.relations.tables.get(operand.name)?.columns.keys().next().value ?? 'column';
    throw new CelError(
      'TYPE_MISMATCH',
      mark,
      `a row is not a value: take a column, as in ${operand.name}[key].${column}`,
    );
  }
  throw new CelError(
    'TYPE_MISMATCH',
    mark,
    'only tables and maps of state have keys: table[key].column, state.sent[key]',
  );
}

/** `x in table`, `[a, b] in table`, `x in [1, 2]`, `x in args.to`. */
function lowerIn({ operands, mark }: OperatorSyntax, lowering: Lowering): Lowered {
  const [item, list] = operands;
  if (item === undefined || list === undefined) throw new TypeError('in has two operands');
  if (list.kind === 'list') return lowerInList(item, list.items, mark, lowering);
  if (list.kind === 'name' && lowering.scope.relations.tables.has(list.name)) {
    return lowered(['in', list.name, lowerKeys(list.name, item, lowering)], mark, lowering);
  }
  if (list.kind === 'select' && list.operand.kind === 'name' && list.operand.name === 'state') {
    throw new CelError(
      'CEL_UNSUPPORTED',
      mark,
      `every key has a value: compare it, as in state.${list.field}[key] > 0`,
    );
  }
  const elements = list.kind === 'select' ? lowerList(list, lowering) : undefined;
  if (elements !== undefined) return lowerInElements(item, elements, mark, lowering);
  const hint = list.kind === 'name' ? knownNames(list.name, lowering.scope.relations.tables.keys()) : '';
  throw new CelError('UNKNOWN_NAME', list.at, `in searches a table or a list such as ["a", "b"].${hint}`);
}

/** `x in args.to`: whether some element is x. */
function lowerInElements(item: Syntax, { json, types }: List, mark: number, lowering: Lowering): Lowered {
  if (!types.names.has('')) throw new CelError('TYPE_MISMATCH', mark, 'its elements are objects: write .exists(x, …)');
  const name = freeName(lowering);
  const wanted = lowering.lower(item);
  const inner = lowering.bind(name, types);
  const element = lowered(['item', name], mark, inner);
  const same = fitting({ operator: '==', operands: [wanted, element], mark }, () =>
    lowered(['=', wanted, element], mark, inner),
  );
  return lowered(['exists', json, name, same], mark, lowering);
}

const freeName = ({ site, scope }: Lowering): string =>
  ['element', 'element_2', 'element_3', 'element_4'].find(
    (name) => !site.bound.has(name) && !scope.given.has(name) && !scope.stepNames.includes(name),
  ) ?? 'element_5';

function lowerInList(item: Syntax, items: readonly Syntax[], mark: number, lowering: Lowering): Lowered {
  if (items.length === 0) return lowered(['bool', false], mark, lowering);
  const wanted = lowering.lower(item);
  const equations = items.map((each) => {
    const operands = [wanted, lowering.lower(each, wanted.sort)];
    return fitting({ operator: 'in', operands, mark }, () => lowered(['=', ...operands], mark, lowering));
  });
  return lowered(['or', ...equations], mark, lowering);
}
