import { elementTypes } from '../../language/parse-list.ts';
import { groupsOf, memberOf, rootsOf } from '../../language/parts.ts';
import { knownNames } from '../faults/suggest.ts';
import { CelError } from './cel-error.ts';
import type { Json, Lowering } from './lowering.ts';
import type { TypesByName } from './scope.ts';
import type { NameSyntax, SelectSyntax, Syntax } from './syntax.ts';

/** A name with the fields that are taken from it: `args.address.street`. */
export interface Chain {
  readonly base: NameSyntax;
  readonly fields: readonly string[];
  readonly mark: number;
}

/** Undefined if the expression is not a name with fields. */
export function chainOf(syntax: Syntax): Chain | undefined {
  const fields: string[] = [];
  let at = syntax;
  while (at.kind === 'select') {
    fields.unshift(at.field);
    at = at.operand;
  }
  return at.kind === 'name' && fields.length > 0 ? { base: at, fields, mark: syntax.mark } : undefined;
}

/** Something that belongs to an action or to an element of a list: a value, an object or a list. */
export interface Part {
  readonly name: string;
  readonly types: TypesByName;
  /** In canonical form. */
  readonly json: readonly Json[];
  readonly kind: 'value' | 'object' | 'list';
}

const NONE: TypesByName = new Map();

/**
 * The part that a name with fields means: `args.x`, `response.x`, `p.x`, `p.args.x`, or `l.x` of an element. Undefined if the name
 * is not that of an action or an element.
 * @throws {CelError} UNKNOWN_NAME, AMBIGUOUS
 */
export function partOf({ base, fields, mark }: Chain, { scope, site }: Lowering): Part | undefined {
  const bound = site.bound.get(base.name);
  const [first = '', ...rest] = fields;
  if (bound === undefined) {
    const word = wordOf(base.name === 'args' || base.name === 'response' ? base.name : '');
    const types = word && scope.names[word];
    if (word === undefined || types === undefined) return undefined;
    return partNamed(fields, { types, json: [word], what: `${base.name} has no`, mark });
  }
  if (bound.kind === 'item') {
    return partNamed(fields, { types: bound.names, json: ['item', base.name], what: 'the element has no', mark });
  }
  if (bound.kind !== 'step') return undefined;
  const { arg = NONE, resp = NONE } = bound.names;
  const word = rest.length === 0 ? undefined : wordOf(first);
  if (word !== undefined) {
    const types = bound.names[word] ?? NONE;
    return partNamed(rest, { types, json: [word, base.name], what: `${first} has no`, mark });
  }
  const [ofArgs, ofResponse] = [rootsOf(arg), rootsOf(resp)];
  if (ofArgs.includes(first) && ofResponse.includes(first)) {
    const message = `${first} is an argument and a field of the response: write .args.${first} or .response.${first}`;
    throw new CelError('AMBIGUOUS', mark, message);
  }
  if (!ofArgs.includes(first) && !ofResponse.includes(first)) {
    if (TIMES.includes(first)) return undefined;
    throw unknown(first, [...ofArgs, ...ofResponse, ...TIMES], 'the action has no', mark);
  }
  const own = ofArgs.includes(first) ? 'arg' : 'resp';
  return partNamed(fields, {
    types: own === 'arg' ? arg : resp,
    json: [own, base.name],
    what: `${first} has no`,
    mark,
  });
}

/** What an action has besides its arguments and its response. */
const TIMES = ['started_at', 'ended_at', 'outcome'];

const wordOf = (name: string): 'arg' | 'resp' | undefined =>
  name === 'args' ? 'arg' : name === 'response' ? 'resp' : undefined;

interface Naming {
  readonly types: TypesByName;
  /** What is before the name in canonical form. */
  readonly json: readonly string[];
  readonly what: string;
  readonly mark: number;
}

function partNamed(fields: readonly string[], { types, json, what, mark }: Naming): Part {
  const groups = groupsOf(types);
  let name = '';
  for (const [index, field] of fields.entries()) {
    const inside =
      name === '' ? rootsOf(types) : (groups.get(name)?.parts ?? []).map((part) => part.slice(name.length + 1));
    if (groups.get(name)?.kind === 'list') {
      throw new CelError(
        'TYPE_MISMATCH',
        mark,
        `${fields.slice(0, index).join('.')} is a list: write .all(x, x.${field} …)`,
      );
    }
    if (name !== '' && !groups.has(name)) throw noFields(field, mark);
    if (!inside.includes(field)) throw unknown(field, inside, what, mark);
    name = memberOf(name, field);
  }
  return { name, types, json: [...json, name], kind: groups.get(name)?.kind ?? 'value' };
}

/** Said of a value. */
export const noFields = (field: string, mark: number): CelError =>
  new CelError(
    'TYPE_MISMATCH',
    mark,
    `.${field} cannot be taken from this: only actions, rows and objects have fields`,
  );

const unknown = (name: string, names: readonly string[], what: string, mark: number): CelError =>
  new CelError('UNKNOWN_NAME', mark, `${what} ${name}.${knownNames(name, names)}`);

/** A list as a range. Undefined if the expression is none. @throws {CelError} */
export function lowerList(syntax: SelectSyntax, lowering: Lowering) {
  const chain = chainOf(syntax);
  // `p.args` alone is no list.
  const isWhole = chain?.fields.length === 1 && wordOf(chain.fields.join()) !== undefined;
  const part = chain && !isWhole ? partOf(chain, lowering) : undefined;
  if (part?.kind !== 'list') return undefined;
  return { json: part.json, types: { kind: 'item', names: elementTypes(part.name, part.types) } } as const;
}
