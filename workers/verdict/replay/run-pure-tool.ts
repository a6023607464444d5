import { hash } from 'node:crypto';
import { canonicalText } from '../../exact/canonical-json.ts';
import { defined } from '../../exact/defined.ts';
import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../../exact/strict-json.ts';
import { htmlToMarkdown } from '../../html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../html-to-markdown/parse/conversion-error.ts';
import type { PureTool } from '../../plan/pure-tools.ts';
import { exactSelect } from '../../select/exact-select.ts';
import { SelectionError } from '../../select/request/selection-error.ts';

type Arguments = ReadonlyMap<string, string>;

/**
 * Runs a tool again. @returns whether it gives exactly the recorded response
 *
 * Hashes of the canonical texts (RFC 8785) are compared, so every member counts. Otherwise an agent could leave members
 * out, and `{}` would equal any output.
 */
export function respondsAs(tool: PureTool, args: Arguments, recorded: unknown): boolean {
  const output = runPureTool(tool, args);
  // A tool that refuses its arguments has no output, so no response equals it.
  return isObject(output) && isObject(recorded) && hashOf(output) === hashOf(recorded);
}

/** What the operation of the tool's name answers. Undefined if it refuses the arguments. */
export function runPureTool({ name }: PureTool, args: Arguments): unknown {
  try {
    return RUNNERS[name](args);
  } catch (error) {
    if (error instanceof ConversionError || error instanceof SelectionError || error instanceof StrictJsonError)
      return undefined;
    throw error;
  }
}

const RUNNERS: Readonly<Record<PureTool['name'], (args: Arguments) => unknown>> = {
  'html-to-markdown': (args) => htmlToMarkdown({ html: defined(args.get('html')), sourceUrl: args.get('sourceUrl') }),
  'exact-select': (args) => exactSelect(parseStrictJson(defined(args.get('selection')), ARGUMENTS_JSON)),
};

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const hashOf = (json: Readonly<Record<string, unknown>>): string => hash('sha256', canonicalText(json));
