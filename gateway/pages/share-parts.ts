import { STATUS_CODES } from 'node:http';

type Kind = 'document' | 'path' | 'operation' | 'body' | 'media' | Shared;
type Shared = 'responses' | 'parameters' | 'headers' | 'schemas';
type Part = Readonly<Record<string, unknown>>;

interface Inside {
  readonly kind: Kind;
  readonly as: 'one' | 'list' | 'map';
}
const one = (kind: Kind): Inside => ({ kind, as: 'one' });
const list = (kind: Kind): Inside => ({ kind, as: 'list' });
const map = (kind: Kind): Inside => ({ kind, as: 'map' });

/** The members of each kind of part that are parts themselves (OpenAPI 3.1.0, section 4.8; JSON Schema 2020-12). */
const INSIDE: Readonly<Record<Kind, Readonly<Record<string, Inside>>>> = {
  document: { paths: map('path') },
  path: Object.fromEntries(['get', 'put', 'post', 'delete', 'patch'].map((method) => [method, one('operation')])),
  operation: { parameters: list('parameters'), requestBody: one('body'), responses: map('responses') },
  body: { content: map('media') },
  media: { schema: one('schemas') },
  responses: { headers: map('headers'), content: map('media') },
  parameters: { schema: one('schemas') },
  headers: { schema: one('schemas') },
  schemas: {
    properties: map('schemas'),
    items: one('schemas'),
    additionalProperties: one('schemas'),
    ...Object.fromEntries(['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((name) => [name, list('schemas')])),
  },
};
const SHARED: ReadonlySet<string> = new Set<Shared>(['responses', 'parameters', 'headers', 'schemas']);
/** A smaller part is shorter than its reference, and the sentence that names it. */
const MIN_CHARACTERS = 120;

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says each part of an OpenAPI document once: equal ones become components, which are named after where they were found. */
export function shareParts(document: Part): Part {
  const own = isPart(document['components']) ? document['components'] : {};
  const seen = new Map<string, number>();
  const components = new Map<Shared, Map<string, unknown>>();
  const references = new Map<string, string>();

  /** Counts the parts in which an equal part occurs; what is inside equal parts counts once. */
  function count(part: unknown, kind: Kind): unknown {
    if (!isPart(part)) return part;
    const id = kind + JSON.stringify(part);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    if (!isShared(kind) || seen.get(id) === 1) each(part, kind, '', count);
    return part;
  }

  function share(part: unknown, kind: Kind, name: string): unknown {
    if (!isPart(part) || '$ref' in part) return part;
    const text = JSON.stringify(part);
    if (!isShared(kind) || text.length < MIN_CHARACTERS || seen.get(kind + text) === 1)
      return each(part, kind, name, share);
    const known = references.get(kind + text);
    if (known !== undefined) return { $ref: known };
    const named = components.get(kind) ?? new Map(Object.entries(own[kind] ?? {}));
    components.set(kind, named);
    let unique = name;
    for (let n = 2; named.has(unique); n += 1) unique = name + n;
    const $ref = `#/components/${kind}/${unique}`;
    references.set(kind + text, $ref);
    // Keeps its place before what is inside it.
    named.set(unique, undefined);
    named.set(unique, each(part, kind, unique, share));
    return { $ref };
  }

  count(document, 'document');
  const shared = share(document, 'document', '');
  const found = Array.from(components, ([kind, named]) => [kind, Object.fromEntries(named)]);
  return { ...(isPart(shared) && shared), components: { ...own, ...Object.fromEntries(found) } };
}

const isShared = (kind: Kind): kind is Shared => SHARED.has(kind);

/** A part with `change` applied to each part inside it. */
function each(
  part: Part,
  kind: Kind,
  name: string,
  change: (part: unknown, kind: Kind, name: string) => unknown,
): Part {
  return Object.fromEntries(
    Object.entries(part).map(([member, value]) => {
      const inside = INSIDE[kind][member];
      if (inside === undefined) return [member, value];
      const { kind: of, as } = inside;
      if (as === 'list' && Array.isArray(value))
        return [member, value.map((item) => change(item, of, nameOf(item, name)))];
      if (as === 'map' && isPart(value))
        return [
          member,
          Object.fromEntries(
            Object.entries(value).map(([key, item]) => [key, change(item, of, nameAt(of, key, name))]),
          ),
        ];
      return [member, change(value, of, name)];
    }),
  );
}

/** A parameter has a name of its own. */
const nameOf = (item: unknown, name: string): string =>
  isPart(item) && typeof item['name'] === 'string' ? toName(item['name']) : name;

/** What is in a map is named by its key: a status, a header, a property. The key of a media type or path says less. */
function nameAt(kind: Kind, key: string, name: string): string {
  if (kind === 'media') return name;
  return toName(kind === 'responses' ? (STATUS_CODES[key] ?? key) : key);
}

/** `retry-after` and `RETRY-AFTER` are RetryAfter. */
const toName = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
