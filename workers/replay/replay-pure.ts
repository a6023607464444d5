import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PureTool } from './pure-tools.ts';

/**
 * Whether a tool, run again, gives exactly the recorded response. The whole response is compared, by the hash of its
 * canonical text (RFC 8785). Otherwise an agent could leave out members, and `{}` would equal any output.
 */
export function respondsAs(tool: PureTool, args: ReadonlyMap<string, string>, recorded: unknown): boolean {
  const output = tool.run(args);
  // A tool that refuses its arguments has no output, and nothing equals that.
  return isObject(output) && isObject(recorded) && hashOf(output) === hashOf(recorded);
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const hashOf = (json: unknown): string => hash('sha256', canonicalize(json) ?? '');
