import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PureTool } from './pure-tools.ts';

/**
 * Whether a tool, run again, responds as it was recorded: all that was recorded, by the hash of its canonical text
 * (RFC 8785). Of the output it may have been a part, as a plan need not keep all of it.
 */
export function respondsAs(tool: PureTool, args: ReadonlyMap<string, string>, recorded: unknown): boolean {
  const output = tool.run(args);
  if (!isObject(output) || !isObject(recorded)) return false;
  const kept = Object.fromEntries(Object.entries(output).filter(([name]) => Object.hasOwn(recorded, name)));
  return hashOf(kept) === hashOf(recorded);
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const hashOf = (json: unknown): string => hash('sha256', canonicalize(json) ?? '');
