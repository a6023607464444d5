import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { BOOL, sortOf, type Typed } from './operands.ts';
import { groupsOf, isWritten, memberOf, type NamedPart, presenceIn, withNeeds, writtenType } from './parts.ts';
import { type BoundTypes, checkArity, countName, type ListTypes, type Site, spendRoom, textAt } from './site.ts';
import { type Expression, literal, type Quantified, type Unique } from './terms.ts';
import type { ValueType } from './types.ts';
import { rewrite, walkExpressions } from './walk.ts';

/** Most nodes of a rule about a list, written out for each element. */
const MAX_WRITTEN_OUT = 20_000;

/** A list of arguments or of a response. */
export interface List {
  /** The full name of each element. */
  readonly elements: readonly string[];
  /** A part of the action that has the list. */
  readonly part: (name: string) => NamedPart;
  readonly types: ReadonlyMap<string, ValueType>;
  readonly site: Site;
}

/** An aggregate without its range. */
export type OverList = Omit<Quantified, 'range'> | Omit<Unique, 'range'>;

/** A name of the action itself, `["arg","to"]`, or of a bound one, `["arg","x","to"]`: also of an object or a list. */
function readName(json: unknown, path: string, site: Site) {
  const [word, ...args]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (word !== 'arg' && word !== 'resp') {
    throw new DocumentError('MALFORMED_EXPRESSION', path, 'is not an argument or a field of a response');
  }
  checkArity(args, [1, 2], path);
  const name = textAt(args, args.length - 1, path);
  const binder = args.length === 2 ? textAt(args, 0, path) : undefined;
  const types = binder === undefined ? site.names[word] : namesOf(site.bound.get(binder), word);
  if (types === undefined) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here');
  const part = (of: string): NamedPart =>
    binder === undefined
      ? { op: 'reference', scope: word, name: of }
      : { op: 'part', binder, part: word, name: of, type: types.get(of) ?? { type: 'bool' } };
  return { word, name, types, part };
}

const namesOf = (bound: BoundTypes | undefined, word: 'arg' | 'resp') =>
  bound?.kind === 'step' ? bound.names[word] : undefined;

/** A list that an aggregate ranges over. */
export function readList(json: unknown, path: string, site: Site): { readonly range: List; readonly types: ListTypes } {
  const { word, name, types, part } = readName(json, path, site);
  const group = groupsOf(types).get(name);
  if (group?.kind !== 'list') throw new DocumentError('UNKNOWN_NAME', path, `is not a list of ${word}`);
  countName(`${word} ${name}`, site, path);
  return {
    range: { elements: group.parts, part, types, site },
    types: { kind: 'item', names: elementTypes(name, types) },
  };
}

/** The names of an element of a list, as those of its first one: '' for a value alone. */
export function elementTypes(list: string, types: ReadonlyMap<string, ValueType>): ReadonlyMap<string, ValueType> {
  const first = `${list}#0`;
  return new Map(
    [...types].flatMap(([name, type]): readonly (readonly [string, ValueType])[] => {
      if (name === first) return [['', type]];
      return name.startsWith(`${first}/`) ? [[name.slice(first.length + 1), type]] : [];
    }),
  );
}

/** `["item","x"]`, or `["item","x","price"]` of an element with members. */
export function readItem(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [1, 2], path);
  const { binder, names } = itemAt(args, path, site);
  const name = args.length === 2 ? textAt(args, 1, path) : '';
  const type = writtenType(names, name);
  if (type === undefined) throw new DocumentError('UNKNOWN_NAME', path, 'is not a value of the element');
  return { sort: sortOf(type), expression: withNeeds({ op: 'part', binder, part: 'item', name, type }, names) };
}

function itemAt(args: readonly unknown[], path: string, { bound }: Site) {
  const binder = textAt(args, 0, path);
  const types = bound.get(binder);
  if (types?.kind !== 'item') throw new DocumentError('UNKNOWN_NAME', `${path}/1`, 'is not an element of a list here');
  return { binder, names: types.names };
}

/** `["has",["arg","cc"]]`: whether an optional part is there. Also of a bound action, and of an element of a list. */
export function readPresence([json, ...more]: readonly unknown[], path: string, site: Site): Typed {
  checkArity([json, ...more], [1, 1], path);
  const { name, types, part } = readPart(json, `${path}/1`, site);
  if (!isWritten(name) || !(types.has(name) || groupsOf(types).has(name))) {
    throw new DocumentError('UNKNOWN_NAME', `${path}/1`, 'is not a part of the arguments or the response');
  }
  return { sort: BOOL, expression: presenceIn(part(name), types) };
}

function readPart(json: unknown, path: string, site: Site) {
  const [word, ...args]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (word !== 'item') return readName(json, path, site);
  checkArity(args, [2, 2], path);
  const { binder, names: types } = itemAt(args, path, site);
  const part = (name: string): NamedPart => ({ op: 'part', binder, part: 'item', name, type: { type: 'bool' } });
  return { name: textAt(args, 1, path), types, part };
}

/**
 * An aggregate over a list, written out for each element. One that is not there does not count, as an action that is not done.
 * @throws {DocumentError} TOO_MANY_NODES, TOO_LARGE
 */
export function overList(node: OverList, list: List, path: string): Expression {
  const { op } = node;
  if (op === 'least' || op === 'greatest') {
    throw new DocumentError('MALFORMED_EXPRESSION', path, `${op} is not for lists: use forall or exists`);
  }
  let left = MAX_WRITTEN_OUT;
  const spend = (nodes: number): void => {
    left -= nodes;
    if (left < 0) {
      const message = `has more than ${MAX_WRITTEN_OUT} nodes when it is written out for each element of the list`;
      throw new DocumentError('TOO_MANY_NODES', path, message);
    }
    spendRoom(nodes, list.site, path);
  };
  const written = (expression: Expression, element: string): Expression => {
    walkExpressions([expression], () => spend(1));
    return rewrite(expression, (one) => {
      if (one.op !== 'part' || one.part !== 'item' || one.binder !== node.binder) return undefined;
      return withNeeds(list.part(memberOf(element, one.name)), list.types);
    });
  };
  const counts = (element: string): Expression => {
    const isThere = presenceIn(list.part(element), list.types);
    return conjunction(node.condition === undefined ? [isThere] : [isThere, written(node.condition, element)]);
  };
  const { elements } = list;
  if (op === 'unique') {
    spend(2 * elements.length * elements.length * node.keys.length);
    const keyed = elements.map((element) => ({
      counts: counts(element),
      keys: node.keys.map((key) => written(key, element)),
    }));
    const pairs = keyed.flatMap((one, index) => keyed.slice(index + 1).map((other) => differ(one, other)));
    return { op: 'and', args: pairs };
  }
  const args = elements.map((element): Expression => {
    const value = node.body === undefined ? literal(1n) : written(node.body, element);
    const condition = counts(element);
    if (op === 'any') return conjunction([condition, value]);
    if (isTrue(condition)) return value;
    if (op === 'all') return { op: 'or', args: [{ op: 'not', arg: condition }, value] };
    return { op: 'ite', condition, whenTrue: value, whenFalse: literal(0n) };
  });
  return { op: op === 'all' ? 'and' : op === 'any' ? 'or' : '+', args };
}

interface Keyed {
  readonly counts: Expression;
  readonly keys: readonly Expression[];
}

/** That two elements do not both count and have all keys equal. */
function differ(one: Keyed, other: Keyed): Expression {
  const same = one.keys.map((key, index): Expression => ({ op: '=', left: key, right: defined(other.keys[index]) }));
  return { op: 'not', arg: conjunction([one.counts, other.counts, ...same]) };
}

const isTrue = (expression: Expression): boolean => expression.op === 'literal' && expression.value === true;

function conjunction(parts: readonly Expression[]): Expression {
  const args = parts.flatMap((part) => (part.op === 'and' ? part.args : [part])).filter((part) => !isTrue(part));
  const [only, ...others] = args;
  if (only === undefined) return literal(true);
  return others.length === 0 ? only : { op: 'and', args };
}
