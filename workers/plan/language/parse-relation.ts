import { MAX_BINDERS } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { ID_PATTERN } from '../../exact/document-parts.ts';
import { allOf, BOOL, convert, decimalsOf, type Operand, sortOf, type Typed } from './operands.ts';
import { type List, type OverList, overList, readItem, readList, readPresence } from './parse-list.ts';
import { parseLookup, parseMembership, readAt } from './parse-lookup.ts';
import { withNeeds, writtenType } from './parts.ts';
import { type BoundTypes, checkArity, isTooDeep, type Reader, type Site, textAt } from './site.ts';
import { type BoundPart, type Expression, literal, type Range } from './terms.ts';
import { DURATION, OUTCOME, type Sort, TIME, type ValueType } from './types.ts';
import { parseValue } from './values.ts';

const NAME = new RegExp(ID_PATTERN);

type Form = readonly [string, Reader];

/**
 * The forms of plans, with `R` for a range, `x` for the name that it binds, and `c` for a condition:
 *
 * - ranges: `"pay"` (a step), `["table","approved"]`, or a list: `["arg","to"]` of the action itself, `["arg","x","to"]` of a bound one;
 * - `["forall",R,"x",c]` `["exists",R,"x",c]` `["count",R]` `["count",R,"x",c]`; `["sum",R,"x",e]` `["least",R,"x",e]`
 *   `["greatest",R,"x",e]` `["unique",R,"x",[e…]]`, each also with `c` at the end;
 * - of a bound action: `["arg","x","amount"]` `["resp","x","id"]` `["started","x"]` `["ended","x"]` `["outcome","x"]`
 *   `["before","x","y"]`; of a bound row: `["col","x","amount"]`; of an element of a list: `["item","x"]`, `["item","x","price"]`;
 * - parts of objects: `["arg","address/street"]`; `["has",["arg","cc"]]`, whether an optional part is there;
 * - `["in","approved",[e…]]` `["look","approved","amount",[e…]]` `["at","state","sent",e]` `["at","final","sent",e]`;
 * - `["time","2026-12-05T00:00:00.000000Z"]` `["duration","3600000000"]` `["started"]` `["ended"]`
 *   `["run","approved_at"]` `["run","approvals"]` `["approved_by","finance"]`.
 * @param own the readers of names of the action itself
 */
export function relationReaders(own: ReadonlyMap<string, Reader>): readonly Form[] {
  return [
    ['forall', readTruths('all')],
    ['exists', readTruths('any')],
    ['count', readCount],
    ['sum', readAmounts('total')],
    ['least', readAmounts('least')],
    ['greatest', readAmounts('greatest')],
    ['unique', readUnique],
    ['arg', ownOrPart(own.get('arg'), 'arg')],
    ['resp', ownOrPart(own.get('resp'), 'resp')],
    ['started', ownOrPart(readOwnTime('started'), 'started')],
    ['ended', ownOrPart(readOwnTime('ended'), 'ended')],
    ['outcome', readPart('outcome')],
    ['before', readPrecedes],
    ['col', readPart('col')],
    ['item', readItem],
    ['has', readPresence],
    ['in', parseMembership],
    ['look', parseLookup],
    ['at', readAt],
    ['time', readInstant(TIME)],
    ['duration', readInstant(DURATION)],
    ['run', readRunFact],
    ['approved_by', readApprover],
  ];
}

interface Binding {
  readonly range: Range | List;
  readonly binder: string;
  /** The site inside the aggregate. */
  readonly inside: Site;
}

function bind(args: readonly unknown[], path: string, site: Site): Binding {
  const { range, types } = readRange(args[0], `${path}/1`, site);
  const binder = textAt(args, 1, path);
  if (!NAME.test(binder)) throw new DocumentError('MALFORMED_EXPRESSION', `${path}/2`, 'is not a name');
  if (site.bound.has(binder)) {
    throw new DocumentError('MALFORMED_EXPRESSION', `${path}/2`, 'is the name of another element here');
  }
  if (isTooDeep(site.bound, types)) {
    throw new DocumentError('TOO_DEEP', path, `nests more than ${MAX_BINDERS} aggregates`);
  }
  return { range, binder, inside: { ...site, bound: new Map([...site.bound, [binder, types]]) } };
}

interface ReadRange {
  readonly range: Range | List;
  readonly types: BoundTypes;
}

function readRange(json: unknown, path: string, site: Site): ReadRange {
  if (typeof json === 'string') {
    if (site.steps === undefined)
      throw new DocumentError('OUT_OF_SCOPE', path, 'is a step, and no steps are known here');
    const names = site.steps.get(json);
    if (names === undefined) throw new DocumentError('UNKNOWN_STEP', path, 'is not a step');
    return { range: { kind: 'step', name: json }, types: { kind: 'step', names } };
  }
  const [kind, name, ...rest]: readonly unknown[] = Array.isArray(json) ? json : [];
  if (kind === 'arg' || kind === 'resp') return readList(json, path, site);
  if (typeof name !== 'string' || rest.length > 0 || kind !== 'table') {
    throw new DocumentError('MALFORMED_EXPRESSION', path, 'is not a step, ["table",name] or a list');
  }
  const table = site.relations?.tables.get(name);
  if (table === undefined) throw new DocumentError('UNKNOWN_NAME', `${path}/1`, 'is not a table');
  return { range: { kind, name }, types: { kind, columns: table.columns } };
}

function readTruths(op: 'all' | 'any'): Reader {
  return (args, path, site) => {
    checkArity(args, [3, 3], path);
    const { range, binder, inside } = bind(args, path, site);
    const [body] = allOf('bool', [site.read(args[2], `${path}/3`, inside)]);
    return { sort: BOOL, expression: overRange({ op, binder, body, condition: undefined }, range, path) };
  };
}

function readCount(args: readonly unknown[], path: string, site: Site): Typed {
  const sort: Sort = { sort: 'number', scale: 0 };
  if (args.length === 1) {
    const { range } = readRange(args[0], `${path}/1`, site);
    const all = { op: 'number', binder: '', body: undefined, condition: undefined } as const;
    return { sort, expression: overRange(all, range, path) };
  }
  checkArity(args, [3, 3], path);
  const { range, binder, inside } = bind(args, path, site);
  const condition = readCondition(args, 2, { path, inside });
  return { sort, expression: overRange({ op: 'number', binder, body: undefined, condition }, range, path) };
}

function readAmounts(op: 'total' | 'least' | 'greatest'): Reader {
  return (args, path, site) => {
    checkArity(args, [3, 4], path);
    const { range, binder, inside } = bind(args, path, site);
    const body = site.read(args[2], `${path}/3`, inside);
    const condition = readCondition(args, 3, { path, inside });
    const sort = amountSort(op, body);
    return { sort, expression: overRange({ op, binder, body: body.expression, condition }, range, path) };
  };
}

function amountSort(op: 'total' | 'least' | 'greatest', body: Operand): Sort {
  if (body.sort.sort === 'duration' || (op !== 'total' && body.sort.sort === 'time')) return body.sort;
  return { sort: 'number', scale: decimalsOf(body) };
}

function readUnique(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [3, 4], path);
  const { range, binder, inside } = bind(args, path, site);
  const [, , list] = args;
  if (!Array.isArray(list) || list.length === 0) {
    throw new DocumentError('MALFORMED_EXPRESSION', `${path}/3`, 'is not a list of expressions');
  }
  const keys = list.map((json: unknown, index) => site.read(json, `${path}/3/${index}`, inside).expression);
  const condition = readCondition(args, 3, { path, inside });
  return { sort: BOOL, expression: overRange({ op: 'unique', binder, keys, condition }, range, path) };
}

function readCondition(
  args: readonly unknown[],
  index: number,
  { path, inside }: { readonly path: string; readonly inside: Site },
): Expression | undefined {
  if (args.length <= index) return undefined;
  return convert(inside.read(args[index], `${path}/${index + 1}`, inside), { type: 'bool' });
}

/** A name of the action itself has one operand less than a part of a bound action. */
function ownOrPart(own: Reader | undefined, part: 'arg' | 'resp' | 'started' | 'ended'): Reader {
  const least = part === 'started' || part === 'ended' ? 1 : 2;
  const ofBound = readPart(part);
  return (args, path, site) => (args.length < least && own ? own(args, path, site) : ofBound(args, path, site));
}

function readOwnTime(time: 'started' | 'ended'): Reader {
  return (args, path, { relations }) => {
    checkArity(args, [0, 0], path);
    if (relations?.hasOwnTimes) return { sort: { sort: 'time' }, expression: { op: 'own', time } };
    throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here: there is no action');
  };
}

/** An aggregate over a list is the operation on its elements. */
const overRange = (node: OverList, range: Range | List, path: string): Expression =>
  'elements' in range ? overList(node, range, path) : { ...node, range };

const NAMED = new Set<BoundPart['part']>(['arg', 'resp', 'col']);

function readPart(part: Exclude<BoundPart['part'], 'item'>): Reader {
  return (args, path, site) => {
    checkArity(args, NAMED.has(part) ? [2, 2] : [1, 1], path);
    const binder = textAt(args, 0, path);
    const name = NAMED.has(part) ? textAt(args, 1, path) : '';
    const bound = boundAt(binder, site, `${path}/1`);
    const type = partType(bound, part, name);
    if (type === undefined) {
      const at = NAMED.has(part) ? `${path}/2` : `${path}/0`;
      throw new DocumentError('UNKNOWN_NAME', at, `is not a part of ${binder}`);
    }
    const types = bound.kind === 'step' && (part === 'arg' || part === 'resp') ? bound.names[part] : undefined;
    return { sort: sortOf(type), expression: withNeeds({ op: 'part', binder, part, name, type }, types ?? NONE) };
  };
}

const NONE: ReadonlyMap<string, ValueType> = new Map();

function partType(bound: BoundTypes, part: BoundPart['part'], name: string): ValueType | undefined {
  switch (bound.kind) {
    case 'step':
      if (part === 'started' || part === 'ended') return TIME;
      if (part === 'outcome') return OUTCOME;
      return part === 'arg' || part === 'resp' ? writtenType(bound.names[part] ?? NONE, name) : undefined;
    case 'table':
      return part === 'col' ? bound.columns.get(name) : undefined;
    case 'item':
      return undefined;
  }
}

function boundAt(binder: string, { bound }: Site, path: string): BoundTypes {
  const types = bound.get(binder);
  if (types === undefined) throw new DocumentError('UNKNOWN_NAME', path, 'is not bound here');
  return types;
}

function readPrecedes(args: readonly unknown[], path: string, site: Site): Typed {
  checkArity(args, [2, 2], path);
  const [first, second] = [textAt(args, 0, path), textAt(args, 1, path)];
  for (const [index, binder] of [first, second].entries()) {
    const at = `${path}/${index + 1}`;
    if (boundAt(binder, site, at).kind !== 'step') throw new DocumentError('TYPE_MISMATCH', at, 'is not an action');
  }
  return { sort: BOOL, expression: { op: 'precedes', first, second } };
}

function readInstant(type: typeof TIME | typeof DURATION): Reader {
  return (args, path) => {
    checkArity(args, [1, 1], path);
    const value = parseValue(textAt(args, 0, path), type, `${path}/1`);
    return { sort: { sort: type.type }, expression: literal(value) };
  };
}

function readRunFact(args: readonly unknown[], path: string, { relations }: Site): Typed {
  checkArity(args, [1, 1], path);
  if (!relations?.hasRunFacts) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here');
  const fact = textAt(args, 0, path);
  if (fact === 'approved_at') return { sort: { sort: 'time' }, expression: { op: 'run', fact } };
  if (fact === 'approvals') return { sort: { sort: 'number', scale: 0 }, expression: { op: 'run', fact } };
  throw new DocumentError('UNKNOWN_NAME', `${path}/1`, 'is neither approved_at nor approvals');
}

function readApprover(args: readonly unknown[], path: string, { relations }: Site): Typed {
  checkArity(args, [1, 1], path);
  if (!relations?.hasRunFacts) throw new DocumentError('OUT_OF_SCOPE', `${path}/0`, 'cannot be referred to here');
  const group = textAt(args, 0, path);
  if (!NAME.test(group)) throw new DocumentError('MALFORMED_EXPRESSION', `${path}/1`, 'is not the name of a group');
  return { sort: BOOL, expression: { op: 'approved_by', group } };
}
