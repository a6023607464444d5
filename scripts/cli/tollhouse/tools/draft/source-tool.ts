import { valueAt } from '../../../../../workers/exact/json-pointer.ts';

/** A JSON value that should be an object, such as a schema. Nothing of it is believed. */
export type Loose = Readonly<Record<string, unknown>>;

/** An argument, or a member of a response. */
export interface Member {
  readonly name: string;
  readonly schema: Loose;
  readonly isRequired: boolean;
}

/** The arguments or the response of a tool. */
export interface Members {
  readonly members: readonly Member[];
  /** What else the schema says that no member has. */
  readonly lost: readonly string[];
}

/** A tool as a stranger describes it. */
export interface SourceTool {
  readonly name: string;
  readonly about: unknown;
  /** What the source claims about the effect. */
  readonly claims: unknown;
  readonly args: Members;
  /** Undefined if the source describes no response. */
  readonly responds: Members | undefined;
}

export interface Source {
  readonly title: unknown;
  readonly version: unknown;
  readonly tools: readonly SourceTool[];
}

/** Most references of a schema in a row: they may form a circle. */
const MAX_REFERENCES = 16;
/** Words of a schema that do not limit its values, or that a draft has in another form. */
export const ANNOTATIONS: ReadonlySet<string> = new Set(
  ['type', 'title', 'description', 'default', 'example', 'examples', 'deprecated', 'nullable'].concat([
    '$schema',
    '$defs',
    'definitions',
    '$id',
    '$comment',
    'readOnly',
    'writeOnly',
  ]),
);
const READ_HERE = new Set(['properties', 'required']);

export const looseOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** Follows references within the document `root` (JSON Schema 2020-12, section 8.2.3.1). One that leads nowhere is `{}`. */
export function resolve(schema: unknown, root: unknown): Loose {
  let at = looseOf(schema);
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    const { $ref, ...beside } = at;
    if ($ref === undefined) return at;
    at = { ...looseOf(targetOf($ref, root)), ...beside };
  }
  return {};
}

function targetOf(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The members of an object. */
export function membersOf(schema: unknown, root: unknown): Members {
  const object = resolve(schema, root);
  const required = new Set(Array.isArray(object['required']) ? object['required'] : []);
  const members = Object.entries(looseOf(object['properties'])).map(([name, member]) => ({
    name,
    schema: resolve(member, root),
    isRequired: required.has(name),
  }));
  const isObject = object['type'] === 'object' || object['properties'] !== undefined;
  const lost = Object.keys(object).filter(
    (word) => !ANNOTATIONS.has(word) && !READ_HERE.has(word) && object[word] !== false,
  );
  return { members, lost: isObject ? lost : ['what is no object', ...lost] };
}
