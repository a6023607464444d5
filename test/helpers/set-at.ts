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
