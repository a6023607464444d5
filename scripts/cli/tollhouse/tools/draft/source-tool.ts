import { valueAt } from '../../../../../workers/exact/json-pointer.ts';

/** A JSON value that should be an object, such as a schema. Nothing of it is believed. */
export type Loose = Readonly<Record<string, unknown>>;

export interface Member {
  readonly name: string;
  readonly schema: Loose;
  readonly isRequired: boolean;
  /** The document in which the schema's references lead on. */
  readonly root: unknown;
}

/** The arguments or the response of a tool. */
export interface Members {
  readonly members: readonly Member[];
  /** What the source has beside the members. */
  readonly lost?: string | undefined;
}

/** A tool as a stranger describes it. `claims` are about its effect. */
export interface SourceTool {
  readonly name: string;
  readonly about: unknown;
  readonly claims: unknown;
  readonly args: Members;
  readonly responds: Members;
}

export interface Source {
  readonly version: unknown;
  readonly tools: readonly SourceTool[];
}

/** Most references of a schema in a row: they may form a circle. */
const MAX_REFERENCES = 16;
const MAX_REFERENCE_LENGTH = 1_000;
/** Many tools can refer to one long list, so each list is read to a limit. */
const MAX_MEMBERS = 256;

const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const looseOf = (value: unknown): Loose => (isLoose(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : []);

/** Follows references (JSON Pointers) within the document `root`. One that leads nowhere, or elsewhere, is `{}`. */
export function resolve(schema: unknown, root: unknown): Loose {
  let at = looseOf(schema);
  for (let hops = 0; hops < MAX_REFERENCES; hops += 1) {
    const { $ref } = at;
    if ($ref === undefined) return at;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/') || $ref.length > MAX_REFERENCE_LENGTH) break;
    at = looseOf(valueAt(root, $ref.slice(1)));
  }
  return {};
}

export function membersOf(schema: unknown, root: unknown): Members {
  const { type, properties, required } = resolve(schema, root);
  const names = new Set(listOf(required));
  const all = Object.entries(looseOf(properties));
  const members = all
    .slice(0, MAX_MEMBERS)
    .map(([name, member]) => ({ name, schema: resolve(member, root), isRequired: names.has(name), root }));
  if (type !== 'object' && properties === undefined) return { members, lost: 'what is not described as an object' };
  return { members, lost: all.length > MAX_MEMBERS ? `${all.length - MAX_MEMBERS} more` : undefined };
}
