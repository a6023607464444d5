import { groupsOf, rootsOf } from '../../language/parts.ts';
import type { BoundTypes } from '../../language/site.ts';
import { isMap } from '../../read/read-state.ts';
import { knownNames } from '../faults/suggest.ts';
import { quote } from '../yaml/fields.ts';
import { CelError } from './cel-error.ts';
import { NAMES } from './hints.ts';
import { ofType } from './lower-operator.ts';
import { chainOf, noFields, type Part, partOf } from './lower-part.ts';
import { type Lowered, type Lowering, lowered } from './lowering.ts';
import type { TextScope, TypesByName } from './scope.ts';
import { type IndexSyntax, type NameSyntax, type SelectSyntax, type Syntax, spell } from './syntax.ts';

const NONE: TypesByName = new Map();

const notHere = (name: string, hint: string, at: number): CelError =>
  new CelError('OUT_OF_SCOPE', at, `${name} cannot be used here: ${hint}`);

/** A bare name: a given value, or a fact of the run or of the action. @throws {CelError} */
export function lowerName({ name, at }: NameSyntax, lowering: Lowering): Lowered {
  const { scope, site } = lowering;
  const { hasOwnTimes, hasRunFacts } = scope.relations;
  const bound = site.bound.get(name);
  if (bound?.kind === 'item' && bound.names.has('')) return lowered(['item', name], at, lowering);
  if (scope.given.has(name)) return lowered(['var', name], at, lowering);
  if (name === 'approved_at' || name === 'approvals') {
    if (!hasRunFacts) throw notHere(name, 'the approval is known in where, effects, post and rules only', at);
    return lowered(['run', name], at, lowering);
  }
  if (name === 'started_at' || name === 'ended_at') {
    const hint = 'write p.started_at for an action p, as in pay.all(p, p.started_at > approved_at)';
    if (!hasOwnTimes) throw notHere(name, hint, at);
    return lowered([name === 'started_at' ? 'started' : 'ended'], at, lowering);
  }
  throw new CelError('UNKNOWN_NAME', at, explainName(name, scope, site.bound));
}

function explainName(name: string, scope: TextScope, bound: Lowering['site']['bound']): string {
  const binder = bound.get(name);
  if (binder !== undefined) return `${name} is not a value: write, for example, ${name}.${firstOf(binder)}`;
  if (scope.stepNames.includes(name))
    return `${name} is a step: write, for example, count(${name}) or ${name}.all(p, …)`;
  if (scope.relations.tables.has(name))
    return `${name} is a table: write, for example, args.x in ${name} or ${name}[args.x].column`;
  if (name === 'args' || name === 'response' || name === 'state')
    return `${name} is not a value: write ${name}. and a name`;
  if (name === scope.evidence) return `${name} is not a value: write ${name}. and a field`;
  if (scope.names.arg?.has(name)) return `${name} is not known: write args.${name}`;
  if (scope.names.resp?.has(name)) return `${name} is not known: write response.${name}`;
  if (scope.states.has(name)) return `${name} is not known: write state.${name}`;
  const instead = NAMES.get(name.toLowerCase());
  const hint = instead === undefined ? knownNames(name, [...scope.given.keys(), ...bound.keys()]) : ` ${instead}`;
  return `${name} is not known.${hint}`;
}

function firstOf(bound: BoundTypes): string {
  if (bound.kind === 'table') return [...bound.columns.keys()][0] ?? 'column';
  return rootsOf(bound.kind === 'item' ? bound.names : (bound.names.arg ?? NONE))[0] ?? 'started_at';
}

/** `args.x`, `response.x`, `state.x`, `receipt.x`, `p.x`, `p.args.x`, `approved[k].x`, `args.address.street`. @throws {CelError} */
export function lowerSelect(syntax: SelectSyntax, lowering: Lowering): Lowered {
  const { operand, field, mark } = syntax;
  if (operand.kind === 'index') return lowerLookUp(operand, field, mark, lowering);
  const chain = chainOf(syntax);
  if (chain === undefined) throw noFields(field, mark);
  const part = partOf(chain, lowering);
  if (part !== undefined) return lowerPart(part, syntax, lowering);
  const bound = lowering.site.bound.get(chain.base.name);
  if (operand.kind !== 'name') throw noFields(field, mark);
  return bound === undefined
    ? lowerScoped(operand, field, mark, lowering)
    : fieldOf(operand.name, bound, field, mark, lowering);
}

function lowerPart({ name, types, json, kind }: Part, syntax: SelectSyntax, lowering: Lowering): Lowered {
  const { mark } = syntax;
  if (kind === 'value') return lowered(json, mark, lowering);
  const written = spell(syntax) ?? name;
  if (kind === 'list') {
    throw new CelError('TYPE_MISMATCH', mark, `${written} is a list: write ${written}.all(x, …) or size(${written})`);
  }
  const member =
    groupsOf(types)
      .get(name)
      ?.parts[0]?.slice(name.length + 1) ?? 'x';
  throw new CelError('TYPE_MISMATCH', mark, `${written} is an object: take a member, as in ${written}.${member}`);
}

function lowerScoped({ name, at }: NameSyntax, field: string, mark: number, lowering: Lowering): Lowered {
  const { scope } = lowering;
  if (name === 'state') {
    if (isMap(stateOf(scope, field, { at, mark }))) {
      throw new CelError('TYPE_MISMATCH', mark, `state.${field} is a map: write state.${field}[key]`);
    }
    return lowered([wordOf(scope), field], mark, lowering);
  }
  const word = name === 'args' ? 'arg' : name === 'response' ? 'resp' : name === scope.evidence ? 'ev' : undefined;
  if (word !== undefined) {
    const types = scope.names[word];
    // Arguments and responses that are known here were read before.
    if (types === undefined || word !== 'ev') throw notHere(name, word === 'arg' ? ARGS_PLACES : RESPONSE_PLACES, at);
    assertKnown(field, [...types.keys()], mark, `${name} has no`);
    return lowered([word, field], mark, lowering);
  }
  if (scope.stepNames.includes(name)) {
    if (/^(?:length|count|size)$/.test(field)) throw new CelError('TYPE_MISMATCH', mark, `write count(${name})`);
    throw new CelError(
      'TYPE_MISMATCH',
      mark,
      `${name} is a step with several actions: write ${name}.all(p, p.${field} …) or sum(${name}, p, p.${field})`,
    );
  }
  if (scope.relations.tables.has(name)) {
    throw new CelError('TYPE_MISMATCH', mark, `${name} is a table with several rows: write ${name}[key].${field}`);
  }
  throw new CelError('UNKNOWN_NAME', at, unknownBase(name, lowering));
}

const unknownBase = (name: string, { scope, site }: Lowering): string =>
  scope.given.has(name)
    ? `${name} is one value without fields`
    : `${name} is not known.${knownNames(name, ['args', 'response', 'state', ...site.bound.keys(), ...scope.relations.tables.keys(), ...(scope.evidence ? [scope.evidence] : [])])}`;

const ARGS_PLACES =
  'arguments are those of one action: write p.amount for an action p, as in pay.all(p, p.amount > 0.00)';
const RESPONSE_PLACES =
  'where is checked before the act: move the condition to post of the tool, to evidence, or to rules as pay.all(p, …)';

/** @throws {CelError} UNKNOWN_NAME, with what `names` it could be. `message` ends before the name */
function assertKnown(name: string, names: readonly string[], mark: number, message: string): void {
  if (names.includes(name)) return;
  throw new CelError('UNKNOWN_NAME', mark, `${message} ${name}.${knownNames(name, names)}`);
}

/** The type of a state. @throws {CelError} */
export function stateOf(
  { relations, states, withoutStates = 'evidence is checked after the run, without states' }: TextScope,
  name: string,
  { at, mark }: { readonly at: number; readonly mark: number },
) {
  if (relations.maps === undefined) throw notHere('state', withoutStates, at);
  const type = states.get(name);
  if (type !== undefined) return type;
  const hint = knownNames(name, states.keys());
  throw new CelError('UNKNOWN_NAME', mark, `there is no state ${quote(name)}.${hint}`);
}

/** Whether states are those before the action, or at the end of the run. */
export const wordOf = ({ relations }: TextScope): 'state' | 'final' => relations.maps?.at ?? 'state';

function fieldOf(name: string, bound: BoundTypes, field: string, mark: number, lowering: Lowering): Lowered {
  if (bound.kind === 'table') {
    assertKnown(field, [...bound.columns.keys()], mark, 'the table has no column');
    return lowered(['col', name, field], mark, lowering);
  }
  if (field === 'started_at') return lowered(['started', name], mark, lowering);
  if (field === 'ended_at') return lowered(['ended', name], mark, lowering);
  return lowered(['outcome', name], mark, lowering);
}

function lowerLookUp({ operand, key }: IndexSyntax, column: string, mark: number, lowering: Lowering): Lowered {
  const { tables } = lowering.scope.relations;
  const table = operand.kind === 'name' ? tables.get(operand.name) : undefined;
  if (operand.kind !== 'name' || table === undefined) {
    const hint = operand.kind === 'name' ? knownNames(operand.name, tables.keys()) : '';
    throw new CelError('UNKNOWN_NAME', operand.at, `only a table is looked up as table[key].column.${hint}`);
  }
  assertKnown(column, [...table.columns.keys()], mark, `${operand.name} has no column`);
  return lowered(['look', operand.name, column, lowerKeys(operand.name, key, lowering)], mark, lowering);
}

/** The key of a table: one value, or a list of several. @throws {CelError} */
export function lowerKeys(name: string, key: Syntax, lowering: Lowering): readonly Lowered[] {
  const table = lowering.scope.relations.tables.get(name);
  if (table === undefined) throw new TypeError('the table is unknown');
  const parts = key.kind === 'list' ? key.items : [key];
  if (parts.length !== table.key.length) {
    const wanted = table.key.length === 1 ? `one value: its ${table.key[0]}` : `a list: [${table.key.join(', ')}]`;
    throw new CelError('WRONG_ARITY', key.at, `the key of ${name} is ${wanted}`);
  }
  return parts.map((part, index) => {
    const column = table.key[index] ?? '';
    const type = table.columns.get(column);
    if (type === undefined) throw new TypeError('a key is not a column');
    return ofType(part, { type, what: `the key ${column} of ${name}` }, lowering);
  });
}
