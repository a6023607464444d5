import { MAX_BINDERS } from '../../exact/bounds.ts';
import { knownNames } from '../faults/suggest.ts';
import { CelError } from './cel-error.ts';
import { stateOf } from './lower-name.ts';
import { condition } from './lower-operator.ts';
import type { Json, Lowering } from './lowering.ts';
import { type Binder, RESERVED, type Scope } from './scope.ts';
import { type NameSyntax, type Syntax, spell } from './syntax.ts';

/** Something that an aggregate ranges over: the actions of a step, the rows of a table, the entries of a map. */
export interface Range {
  readonly json: Json;
  /** An element under the name that an aggregate gives it. */
  readonly element: (name: string) => Binder;
  readonly filters: readonly { readonly binder: string; readonly body: Syntax; readonly at: number }[];
}

/** @throws {CelError} */
export function lowerRange(syntax: Syntax, { scope, binders }: Pick<Lowering, 'scope' | 'binders'>): Range {
  if (syntax.kind === 'macro' && syntax.name === 'filter') {
    const range = lowerRange(syntax.range, { scope, binders });
    const filter = { binder: syntax.binder, body: syntax.body, at: syntax.mark };
    return { ...range, filters: [...range.filters, filter] };
  }
  if (syntax.kind === 'name') return namedRange(syntax, scope, binders);
  if (syntax.kind === 'select' && syntax.operand.kind === 'name' && syntax.operand.name === 'state') {
    const type = stateOf(scope, syntax.field, { at: syntax.at, mark: syntax.mark });
    if (type.type !== 'map') {
      throw new CelError('TYPE_MISMATCH', syntax.mark, `state.${syntax.field} is one value, not a map`);
    }
    const { key, value } = type;
    return { json: ['map', syntax.field], element: (name) => ({ kind: 'entry', name, key, value }), filters: [] };
  }
  const written = spell(syntax);
  throw new CelError('TYPE_MISMATCH', syntax.at, `${written ?? 'this'} is not a step, a table or a map of state`);
}

function namedRange({ name, at }: NameSyntax, scope: Scope, binders: Lowering['binders']): Range {
  const table = scope.tables.get(name);
  if (table !== undefined) {
    const { columns } = table;
    return { json: ['table', name], element: (row) => ({ kind: 'row', name: row, columns }), filters: [] };
  }
  if (scope.steps === undefined && scope.stepNames.includes(name)) {
    throw new CelError(
      'OUT_OF_SCOPE',
      at,
      `${name} is a step, and only rules and sheets look at whole runs: move this to rules`,
    );
  }
  const step = scope.steps?.get(name);
  if (step !== undefined) {
    return { json: name, element: (action) => ({ kind: 'action', name: action, ...step }), filters: [] };
  }
  if (binders.has(name))
    throw new CelError('TYPE_MISMATCH', at, `${name} is one element, not a step, a table or a map`);
  const known = [...scope.stepNames, ...scope.tables.keys()];
  if (scope.state?.types.has(name)) throw new CelError('UNKNOWN_NAME', at, `${name} is a state: write state.${name}`);
  throw new CelError('UNKNOWN_NAME', at, `${name} is not a step or a table.${knownNames(name, known)}`);
}

/** The lowering inside an aggregate that calls an element `name`. @throws {CelError} */
export function bindElement(range: Range, name: string, at: number, lowering: Lowering): Lowering {
  assertFree(name, at, lowering);
  return lowering.bind(name, range.element(name));
}

/** The condition of a range's filters on the element `name`. Undefined if it has none. @throws {CelError} */
export function filterOf(range: Range, name: string, lowering: Lowering): Json | undefined {
  const conditions = range.filters.map(({ binder, body, at }) => {
    if (binder !== name) assertFree(binder, at, lowering);
    // Each filter may call the element differently. The canonical form has one name.
    return condition(body, lowering.bind(binder, range.element(name)), 'filter');
  });
  const [only] = conditions;
  return conditions.length > 1 ? ['and', ...conditions] : only;
}

function assertFree(name: string, at: number, { scope, binders }: Lowering): void {
  const isTaken =
    RESERVED.has(name) ||
    binders.has(name) ||
    scope.given.has(name) ||
    scope.tables.has(name) ||
    scope.stepNames.includes(name) ||
    scope.evidence?.kind === name;
  if (isTaken) throw new CelError('NAME_TAKEN', at, `${name} already means something here: choose another name`);
  if (name.length > 64) throw new CelError('MALFORMED_NAME', at, 'a name has at most 64 characters');
  if (binders.size >= MAX_BINDERS)
    throw new CelError('TOO_DEEP', at, `all, exists, sum and the like nest at most ${MAX_BINDERS} deep`);
}
