import { MAX_BINDERS } from '../../../exact/bounds.ts';
import { knownNames } from '../faults/suggest.ts';
import { CelError } from './cel-error.ts';
import type { Json, Lowering } from './lowering.ts';
import { type Binder, RESERVED, type Scope } from './scope.ts';
import { type NameSyntax, type Syntax, spell } from './syntax.ts';

/** Something that an aggregate ranges over: the actions of a step, the rows of a table. */
export interface Range {
  readonly json: Json;
  /** An element under the name that an aggregate gives it. */
  readonly element: (name: string) => Binder;
}

/** @throws {CelError} */
export function lowerRange(syntax: Syntax, { scope, binders }: Pick<Lowering, 'scope' | 'binders'>): Range {
  if (syntax.kind === 'name') return namedRange(syntax, scope, binders);
  const written = spell(syntax) ?? 'this';
  const hint = written.startsWith('state.') ? `: look up each key, as in pay.all(p, ${written}[p.payee] <= 3)` : '';
  throw new CelError('TYPE_MISMATCH', syntax.at, `${written} is not a step or a table${hint}`);
}

function namedRange({ name, at }: NameSyntax, scope: Scope, binders: Lowering['binders']): Range {
  const table = scope.tables.get(name);
  if (table !== undefined) {
    const { columns } = table;
    return { json: ['table', name], element: (row) => ({ kind: 'row', name: row, columns }) };
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
    return { json: name, element: (action) => ({ kind: 'action', name: action, ...step }) };
  }
  if (binders.has(name)) throw new CelError('TYPE_MISMATCH', at, `${name} is one element, not a step or a table`);
  const known = [...scope.stepNames, ...scope.tables.keys()];
  if (scope.state?.types.has(name)) throw new CelError('UNKNOWN_NAME', at, `${name} is a state: write state.${name}`);
  throw new CelError('UNKNOWN_NAME', at, `${name} is not a step or a table.${knownNames(name, known)}`);
}

/** The lowering inside an aggregate that calls an element `name`. @throws {CelError} */
export function bindElement(range: Range, name: string, at: number, lowering: Lowering): Lowering {
  assertFree(name, at, lowering);
  return lowering.bind(name, range.element(name));
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
