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
/** Schemas can share a long text or list by reference, so each is read to a limit. */
const MAX_REFERENCE_LENGTH = 1_000;
export const MAX_MEMBERS = 256;
/** Words of a schema that limit its values. Those that no type keeps are named in the draft. */
const LIMITS = [
  ...['pattern', 'format', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'enum', 'const'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['minProperties', 'maxProperties', 'propertyNames', 'patternProperties', 'additionalProperties'],
];

export const limitsOf = (schema: Loose, kept: readonly string[] = []): readonly string[] =>
  LIMITS.filter((word) => schema[word] !== undefined && schema[word] !== false && !kept.includes(word));

export const looseOf = (value: unknown): Loose => (isLoose(value) ? value : {});

const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : []);

/** Follows references within the document `root` (JSON Pointers). One that leads nowhere, or elsewhere, is `{}`. */
export function resolve(schema: unknown, root: unknown): Loose {
  let at = looseOf(schema);
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    if (at['$ref'] === undefined) return at;
    at = looseOf(targetOf(at['$ref'], root));
  }
  return {};
}

function targetOf(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  if (reference.length > MAX_REFERENCE_LENGTH) return undefined;
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
  const required = new Set(listOf(object['required']));
  const properties = Object.entries(looseOf(object['properties']));
  const members = properties.slice(0, MAX_MEMBERS).map(([name, member]) => ({
    name,
    schema: resolve(member, root),
    isRequired: required.has(name),
  }));
  const isObject = object['type'] === 'object' || object['properties'] !== undefined;
  const lost = [
    ...(isObject ? [] : ['a schema that is not one of an object']),
    ...(properties.length > MAX_MEMBERS ? [`${properties.length - MAX_MEMBERS} more members`] : []),
    ...limitsOf(object),
  ];
  return { members, lost };
}
