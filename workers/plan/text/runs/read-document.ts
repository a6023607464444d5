import { defined } from '../../../exact/defined.ts';
import { FOLDED_TYPES, fieldsOf, parseType } from '../../language/types.ts';
import type { Field } from '../../plan.ts';
import { typesOf } from '../../read/tool-parts.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readMembers } from '../types/read-members.ts';
import type { TextNode } from '../yaml/text-node.ts';

/** Fields by name. `at` is a JSON pointer; arguments have none. */
export type FieldTypes = ReadonlyMap<string, Field>;

/** The fields of a plan's part. @throws {DocumentError} */
export function fieldTypes(json: Readonly<Record<string, unknown>>): FieldTypes {
  return new Map(
    Object.entries(json).map(([name, field]) => {
      const at = fieldsOf(field, name).get('at') ?? `/${name}`;
      return [name, { type: parseType(field, name, ['at'], FOLDED_TYPES), at: String(at) }];
    }),
  );
}

/** Values by the names of arguments. */
export function readArguments(
  node: TextNode,
  fields: FieldTypes,
  what: string,
  log: FaultLog,
): Record<string, unknown> {
  return Object.fromEntries(readMembers(node, typesOf(fields), what, log));
}

/** A document with each field at its JSON pointer. */
export function readDocument(node: TextNode, fields: FieldTypes, what: string, log: FaultLog): Record<string, unknown> {
  const document: Branch = new Map();
  for (const [member, value] of readMembers(node, typesOf(fields), what, log)) {
    const path = defined(fields.get(member)).at.split('/').slice(1);
    const last = path.pop();
    if (last === undefined)
      throw new TextError('WRONG_FORM', node.at, `${what} is one value as a whole: it cannot be written here`);
    let branch = document;
    for (const token of path) {
      const name = toName(token);
      const next = branch.get(name);
      const inner: Branch = next instanceof Map ? next : new Map();
      branch.set(name, inner);
      branch = inner;
    }
    branch.set(toName(last), value);
  }
  return toObject(document);
}

/** No object: the names come from a plan, and one may be "__proto__". */
type Branch = Map<string, string | boolean | Branch>;

const toObject = (branch: Branch): Record<string, unknown> =>
  Object.fromEntries([...branch].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]));

const toName = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
