import { MAX_BINDERS } from '../../../exact/bounds.ts';
import { type BoundTypes, isTooDeep } from '../../language/site.ts';
import { knownNames } from '../faults/suggest.ts';
import { CelError } from './cel-error.ts';
import { lowerList } from './lower-part.ts';
import type { Json, Lowering } from './lowering.ts';
import { RESERVED } from './scope.ts';
import { type NameSyntax, type Syntax, spell } from './syntax.ts';

/** Something that an aggregate ranges over: the actions of a step, the rows of a table, the elements of a list. */
export interface Range {
  readonly json: Json;
  /** What is known of an element. */
  readonly types: BoundTypes;
}

/** @throws {CelError} */
export function lowerRange(syntax: Syntax, lowering: Lowering): Range {
  if (syntax.kind === 'name') return namedRange(syntax, lowering);
  const list = syntax.kind === 'select' ? lowerList(syntax, lowering) : undefined;
  if (list !== undefined) return list;
  const written = spell(syntax) ?? 'this';
  const hint = written.startsWith('state.') ? `: look up each key, as in pay.all(p, ${written}[p.payee] <= 3)` : '';
  throw new CelError('TYPE_MISMATCH', syntax.at, `${written} is not a step, a table or a list${hint}`);
}

function namedRange({ name, at }: NameSyntax, { scope, site }: Lowering): Range {
  const { tables } = scope.relations;
  const table = tables.get(name);
  if (table !== undefined) return { json: ['table', name], types: { kind: 'table', columns: table.columns } };
  if (scope.steps === undefined && scope.stepNames.includes(name)) {
    throw new CelError(
      'OUT_OF_SCOPE',
      at,
      `${name} is a step, and only rules and sheets look at whole runs: move this to rules`,
    );
  }
  const names = scope.steps?.get(name);
  if (names !== undefined) return { json: name, types: { kind: 'step', names } };
  if (site.bound.has(name))
    throw new CelError('TYPE_MISMATCH', at, `${name} is one element, not a step, a table or a list`);
  const known = [...scope.stepNames, ...tables.keys()];
  if (scope.states.has(name)) throw new CelError('UNKNOWN_NAME', at, `${name} is a state: write state.${name}`);
  throw new CelError('UNKNOWN_NAME', at, `${name} is not a step, a table or a list.${knownNames(name, known)}`);
}

/** The lowering inside an aggregate that calls an element `name`. @throws {CelError} */
export function bindElement(range: Range, name: string, at: number, lowering: Lowering): Lowering {
  assertFree(name, range, at, lowering);
  return lowering.bind(name, range.types);
}

function assertFree(name: string, { types }: Range, at: number, { scope, site }: Lowering): void {
  const isTaken =
    RESERVED.has(name) ||
    site.bound.has(name) ||
    scope.given.has(name) ||
    scope.relations.tables.has(name) ||
    scope.stepNames.includes(name) ||
    scope.evidence === name;
  if (isTaken) throw new CelError('NAME_TAKEN', at, `${name} already means something here: choose another name`);
  if (name.length > 64) throw new CelError('MALFORMED_NAME', at, 'a name has at most 64 characters');
  if (isTooDeep(site.bound, types))
    throw new CelError('TOO_DEEP', at, `all, exists, sum and the like nest at most ${MAX_BINDERS} deep`);
}
