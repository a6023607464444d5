type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** A document in which each reference is replaced by the component that it names (RFC 6901). */
export function resolveReferences(document: unknown): unknown {
  const find = (reference: string) =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document);
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isObject(value)) return value;
    const { $ref: reference } = value;
    if (typeof reference === 'string') return resolve(find(reference));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
  };
  return resolve(document);
}
