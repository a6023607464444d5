import { defined } from '../../workers/exact/defined.ts';

const isContainer = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

function containerAt(parent: unknown, key: string | number): Record<string | number, unknown> {
  const child = isContainer(parent) ? parent[key] : undefined;
  if (!isContainer(child)) throw new TypeError(`no object or array at ${key}`);
  return child;
}

/**
 * Sets a value in a JSON document; undefined removes the property.
 * @param path keys of objects and indexes of arrays
 * @throws {TypeError} if the path leads through anything but objects and arrays
 */
export function setAt(document: object, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<unknown>(containerAt, document);
  const last = defined(path.at(-1));
  if (!isContainer(parent)) throw new TypeError('the document is not an object or array');
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

/**
 * A copy of a JSON document with changes.
 * @param changes new values by JSON pointer; undefined removes the property
 */
export function changed<Base extends object>(base: Base, changes: Readonly<Record<string, unknown>>): Base {
  const copy = structuredClone(base);
  for (const [pointer, value] of Object.entries(changes)) setAt(copy, pointer.slice(1).split('/'), value);
  return copy;
}
