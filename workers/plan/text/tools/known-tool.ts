import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ToolDocument } from '../../../exact/tool-schema.ts';
import type { TypesByName } from '../cel/scope.ts';
import { type StateType, toStateType, toType } from '../types/value-type.ts';

/** What a plan needs to know about a tool. */
export interface KnownTool {
  readonly name: string;
  readonly version: string;
  readonly args: TypesByName;
  readonly responds: TypesByName;
  /** States that the tool needs, by name. Empty for a tool that the plan describes itself. */
  readonly state: ReadonlyMap<string, StateType>;
  readonly changes: ReadonlySet<string>;
  readonly observes: ReadonlySet<string>;
  /** The hash of its description. Undefined for a tool that the plan describes itself. */
  readonly sha256: string | undefined;
}

/** The hash that identifies a description: SHA-256("tollhouse:tool:v2\0" ‖ canonical text), in lower-case hex. */
export function hashTool(tool: ToolDocument): string {
  return createHash('sha256')
    .update(`tollhouse:tool:v2\0${canonicalText(tool)}`)
    .digest('hex');
}

/** RFC 8785. @throws {TypeError} if the value is not JSON */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/** Reads a description of the catalogue. Undefined if a type in it cannot be read. */
export function toKnownTool(tool: ToolDocument): KnownTool | undefined {
  const args = readAll(tool.args, (json) => toType(json));
  const responds = readAll(tool.responds, (json) => toType(json, 'at'));
  const state = readAll(tool.state, (json) => toStateType(json));
  if (args === undefined || responds === undefined || state === undefined) return undefined;
  return {
    name: tool.name,
    version: tool.version,
    args,
    responds,
    state,
    changes: new Set(Object.keys(tool.effects)),
    observes: new Set(Object.keys(tool.observe)),
    sha256: hashTool(tool),
  };
}

function readAll<T>(
  json: Readonly<Record<string, unknown>>,
  read: (part: unknown) => T | undefined,
): ReadonlyMap<string, T> | undefined {
  const entries = Object.entries(json).map(([name, part]) => [name, read(part)] as const);
  const known = entries.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const]));
  return known.length === entries.length ? new Map(known) : undefined;
}
