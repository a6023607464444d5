import { defined } from '../../../exact/defined.ts';
import type { Shape, Shapes } from '../../language/shapes.ts';
import type { Answer } from '../../plan.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readWritten } from '../types/read-value.ts';
import { quote, readEntries, unknownName } from '../yaml/fields.ts';
import { asMap, asScalar, type TextNode } from '../yaml/text-node.ts';

/** A value as plans write it. */
type Written = string | boolean | readonly Written[] | { readonly [name: string]: Written };

/** Values by the names of arguments. Faults are logged. `what` describes the map. */
export const readArguments = (node: TextNode, shapes: Shapes, what: string, log: FaultLog): Record<string, unknown> =>
  Object.fromEntries(readMembers(node, shapes, what, log));

function readMembers(node: TextNode, shapes: Shapes, what: string, log: FaultLog): ReadonlyMap<string, Written> {
  return readEntries(
    asMap(node, `${what} by name`).entries,
    ({ key, value }) => {
      const shape = shapes.get(key.text);
      if (shape !== undefined) return readPart(value, shape, key.text, log);
      throw unknownName(key, shapes.keys(), `${what} cannot have ${quote(key.text)}`);
    },
    log,
  );
}

function readPart(node: TextNode, shape: Shape, name: string, log: FaultLog): Written {
  switch (shape.kind) {
    case 'value':
      return readWritten(asScalar(node, 'a value'), shape.type);
    case 'object':
      return Object.fromEntries(readMembers(node, shape.members, `members of ${name}`, log));
    case 'list':
      if (node.kind !== 'list') throw new TextError('WRONG_FORM', node.at, `${name} is a list: write [ … ]`);
      return log.each(node.items, (item) => readPart(item, shape.of, name, log));
  }
}

/** A document with each field at its JSON pointer. */
export function readDocument(
  node: TextNode,
  fields: ReadonlyMap<string, Answer>,
  what: string,
  log: FaultLog,
): Record<string, unknown> {
  const document: Branch = new Map();
  const shapes = new Map(Array.from(fields, ([name, { shape }]) => [name, shape]));
  for (const [member, value] of readMembers(node, shapes, what, log)) {
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
type Branch = Map<string, Written | Branch>;

const toObject = (branch: Branch): Record<string, unknown> =>
  Object.fromEntries([...branch].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]));

const toName = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');
