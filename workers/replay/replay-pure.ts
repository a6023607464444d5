import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { defined } from '../exact/defined.ts';
import type { PureTool } from './pure-tools.ts';

/**
 * Runs a tool again. @returns whether it gives exactly the recorded response
 *
 * Hashes of the canonical texts (RFC 8785) are compared, so every member counts. Otherwise an agent could leave members
 * out, and `{}` would equal any output.
 */
export function respondsAs(tool: PureTool, args: ReadonlyMap<string, string>, recorded: unknown): boolean {
  const output = tool.run(args);
  // A tool that refuses its arguments has no output, so no response equals it.
  return isObject(output) && isObject(recorded) && hashOf(output) === hashOf(recorded);
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const hashOf = (json: Readonly<Record<string, unknown>>): string => hash('sha256', defined(canonicalize(json)));
