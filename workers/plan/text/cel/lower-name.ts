import { isMap } from '../../read/read-state.ts';
import { knownNames } from '../faults/suggest.ts';
import { quote } from '../yaml/fields.ts';
import { CelError } from './cel-error.ts';
import { NAMES } from './hints.ts';
import { type Lowered, type Lowering, lowered, reference } from './lowering.ts';
import { ofType } from './of-type.ts';
import type { Binder, Scope, TypesByName } from './scope.ts';
import { INT, TIME } from './sorts.ts';
import type { IndexSyntax, NameSyntax, SelectSyntax, Syntax } from './syntax.ts';

const notHere = (name: string, hint: string, at: number): CelError =>
  new CelError('OUT_OF_SCOPE', at, `${name} cannot be used here: ${hint}`);

/** A bare name: a given value, or a fact of the run or of the action. @throws {CelError} */
export function lowerName({ name, at }: NameSyntax, { scope, binders }: Lowering): Lowered {
  const given = scope.given.get(name);
  if (given !== undefined) return reference(['var', name], given.type, at);
  if (name === 'approved_at' || name === 'approvals') {
    if (!scope.hasRun) throw notHere(name, 'the approval is known in where, effects, post and rules only', at);
    const json = ['run', name];
    return name === 'approved_at' ? lowered(json, TIME, at) : { ...lowered(json, INT, at), isNonNegative: true };
  }
  if (name === 'started_at' || name === 'ended_at') {
    const hint = 'write p.started_at for an action p, as in pay.all(p, p.started_at > approved_at)';
    if (!scope.hasTimes) throw notHere(name, hint, at);
    return lowered([name === 'started_at' ? 'started' : 'ended'], TIME, at);
  }
  throw new CelError('UNKNOWN_NAME', at, explainName(name, scope, binders));
}

function explainName(name: string, scope: Scope, binders: Lowering['binders']): string {
  const binder = binders.get(name);
  if (binder !== undefined) return `${name} is not a value: write, for example, ${name}.${firstOf(binder)}`;
  if (scope.stepNames.includes(name))
    return `${name} is a step: write, for example, count(${name}) or ${name}.all(p, …)`;
  if (scope.tables.has(name))
    return `${name} is a table: write, for example, args.x in ${name} or ${name}[args.x].column`;
  if (name === 'args' || name === 'response' || name === 'state')
    return `${name} is not a value: write ${name}. and a name`;
  if (name === scope.evidence?.kind) return `${name} is not a value: write ${name}. and a field`;
  if (scope.args?.has(name)) return `${name} is not known: write args.${name}`;
  if (scope.response?.has(name)) return `${name} is not known: write response.${name}`;
  if (scope.state?.types.has(name)) return `${name} is not known: write state.${name}`;
  const instead = NAMES.get(name.toLowerCase());
  const hint = instead === undefined ? knownNames(name, [...scope.given.keys(), ...binders.keys()]) : ` ${instead}`;
  return `${name} is not known.${hint}`;
}

function firstOf(binder: Binder): string {
  if (binder.kind === 'row') return [...binder.columns.keys()][0] ?? 'column';
  return [...binder.args.keys()][0] ?? 'started_at';
}

/** `args.x`, `response.x`, `state.x`, `receipt.x`, `p.x`, `p.args.x`, `approved[k].x`. @throws {CelError} */
export function lowerSelect(syntax: SelectSyntax, lowering: Lowering): Lowered {
  const { operand, field, mark } = syntax;
  if (operand.kind === 'index') return lowerLookUp(operand, field, { mark, at: syntax.at }, lowering);
  if (operand.kind === 'name') {
    const binder = lowering.binders.get(operand.name);
    if (binder !== undefined) return fieldOf(binder, field, mark);
    return lowerScoped(operand, field, mark, lowering);
  }
  if (operand.kind === 'select' && operand.operand.kind === 'name') {
    const binder = lowering.binders.get(operand.operand.name);
    if (binder?.kind === 'action') return nestedField(binder, operand.field, field, mark);
  }
  throw new CelError('TYPE_MISMATCH', mark, `.${field} cannot be taken from this: only actions and rows have fields`);
}

function lowerScoped({ name, at }: NameSyntax, field: string, mark: number, lowering: Lowering): Lowered {
  const { scope } = lowering;
  if (name === 'state') {
    const type = stateOf(scope, field, { at, mark });
    if (isMap(type)) {
      throw new CelError('TYPE_MISMATCH', mark, `state.${field} is a map: write state.${field}[key]`);
    }
    return reference([scope.state?.word ?? 'state', field], type, mark);
  }
  if (name === 'args') return pick(scope.args, ['arg', field], { name, field, at, mark, where: ARGS_PLACES });
  if (name === 'response')
    return pick(scope.response, ['resp', field], { name, field, at, mark, where: RESPONSE_PLACES });
  if (name === scope.evidence?.kind) {
    return pick(scope.evidence.fields, ['ev', field], { name, field, at, mark, where: '' });
  }
  if (scope.stepNames.includes(name)) {
    if (/^(?:length|count|size)$/.test(field)) throw new CelError('TYPE_MISMATCH', mark, `write count(${name})`);
    throw new CelError(
      'TYPE_MISMATCH',
      mark,
      `${name} is a step with several actions: write ${name}.all(p, p.${field} …) or sum(${name}, p, p.${field})`,
    );
  }
  if (scope.tables.has(name)) {
    throw new CelError('TYPE_MISMATCH', mark, `${name} is a table with several rows: write ${name}[key].${field}`);
  }
  throw new CelError('UNKNOWN_NAME', at, unknownBase(name, lowering));
}

const unknownBase = (name: string, { scope, binders }: Lowering): string =>
  scope.given.has(name)
    ? `${name} is one value without fields`
    : `${name} is not known.${knownNames(name, ['args', 'response', 'state', ...binders.keys(), ...scope.tables.keys(), ...(scope.evidence ? [scope.evidence.kind] : [])])}`;

const ARGS_PLACES =
  'arguments are those of one action: write p.amount for an action p, as in pay.all(p, p.amount > 0.00)';
const RESPONSE_PLACES =
  'where is checked before the act: move the condition to post of the tool, to evidence, or to rules as pay.all(p, …)';

interface Picked {
  readonly name: string;
  readonly field: string;
  readonly at: number;
  readonly mark: number;
  readonly where: string;
}

function pick(
  types: TypesByName | undefined,
  json: readonly string[],
  { name, field, at, mark, where }: Picked,
): Lowered {
  if (types === undefined) throw notHere(name, where, at);
  const type = types.get(field);
  if (type !== undefined) return reference(json, type, mark);
  throw new CelError('UNKNOWN_NAME', mark, `${name} has no ${field}.${knownNames(field, types.keys())}`);
}

/** The type of a state. @throws {CelError} */
export function stateOf(scope: Scope, name: string, { at, mark }: { readonly at: number; readonly mark: number }) {
  if (scope.state === undefined) throw notHere('state', 'evidence is checked after the run, without states', at);
  const type = scope.state.types.get(name);
  if (type !== undefined) return type;
  const hint = knownNames(name, scope.state.types.keys());
  throw new CelError('UNKNOWN_NAME', mark, `there is no state ${quote(name)}.${hint}`);
}

function fieldOf(binder: Binder, field: string, mark: number): Lowered {
  if (binder.kind === 'row') {
    const type = binder.columns.get(field);
    if (type !== undefined) return reference(['col', binder.name, field], type, mark);
    throw new CelError(
      'UNKNOWN_NAME',
      mark,
      `the table has no column ${field}.${knownNames(field, binder.columns.keys())}`,
    );
  }
  if (field === 'started_at') return lowered(['started', binder.name], TIME, mark);
  if (field === 'ended_at') return lowered(['ended', binder.name], TIME, mark);
  const arg = binder.args.get(field);
  const response = binder.response.get(field);
  if (arg !== undefined && response !== undefined) {
    const message = `${field} is an argument and a field of the response: write .args.${field} or .response.${field}`;
    throw new CelError('AMBIGUOUS', mark, message);
  }
  if (arg !== undefined) return reference(['arg', binder.name, field], arg, mark);
  if (response !== undefined) return reference(['resp', binder.name, field], response, mark);
  const known = [...binder.args.keys(), ...binder.response.keys(), 'started_at', 'ended_at'];
  throw new CelError('UNKNOWN_NAME', mark, `the action has no ${field}.${knownNames(field, known)}`);
}

function nestedField(binder: Binder & { kind: 'action' }, part: string, field: string, mark: number): Lowered {
  const types = part === 'args' ? binder.args : part === 'response' ? binder.response : undefined;
  if (types === undefined) throw new CelError('UNKNOWN_NAME', mark, `an action has args and response, and no ${part}`);
  const type = types.get(field);
  if (type !== undefined) return reference([part === 'args' ? 'arg' : 'resp', binder.name, field], type, mark);
  throw new CelError('UNKNOWN_NAME', mark, `${part} has no ${field}.${knownNames(field, types.keys())}`);
}

function lowerLookUp(
  { operand, key }: IndexSyntax,
  column: string,
  { at, mark }: { readonly at: number; readonly mark: number },
  lowering: Lowering,
): Lowered {
  const table = operand.kind === 'name' ? lowering.scope.tables.get(operand.name) : undefined;
  if (operand.kind !== 'name' || table === undefined) {
    const hint = operand.kind === 'name' ? knownNames(operand.name, lowering.scope.tables.keys()) : '';
    throw new CelError('UNKNOWN_NAME', at, `only a table is looked up as table[key].column.${hint}`);
  }
  const type = table.columns.get(column);
  if (type === undefined) {
    const hint = knownNames(column, table.columns.keys());
    throw new CelError('UNKNOWN_NAME', mark, `${operand.name} has no column ${column}.${hint}`);
  }
  return reference(['look', operand.name, column, lowerKeys(operand.name, key, lowering)], type, mark);
}

/** The key of a table: one value, or a list of several. @throws {CelError} */
export function lowerKeys(name: string, key: Syntax, lowering: Lowering): Lowered['json'] {
  const table = lowering.scope.tables.get(name);
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
