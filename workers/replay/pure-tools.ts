import { defined } from '../exact/defined.ts';
import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../exact/strict-json.ts';
import { htmlToMarkdown } from '../html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../html-to-markdown/parse/conversion-error.ts';
import { exactSelect, exactSelectFirst } from '../select/exact-select.ts';
import { SelectionError } from '../select/request/selection-error.ts';

/** Of which the same arguments have the same output, for good: a change of what comes out is another version. */
export interface PureTool {
  /** All strings. */
  readonly args: Readonly<Record<string, 'required' | 'optional'>>;
  /** What the operation of that name answers; undefined where it refuses. */
  run(args: ReadonlyMap<string, string>): unknown;
}

/** By name@version. */
export const PURE_TOOLS: ReadonlyMap<string, PureTool> = new Map([
  ['html-to-markdown@1.0.0', { args: { html: 'required', sourceUrl: 'optional' }, run: convert }],
  // A selection as a JSON text.
  ['exact-select@1.0.0', { args: { selection: 'required' }, run: selectBy(exactSelectFirst) }],
  // Says whether the value is proven, and answers more questions.
  ['exact-select@1.1.0', { args: { selection: 'required' }, run: selectBy(exactSelect) }],
]);

function selectBy(answer: (selection: unknown) => object): PureTool['run'] {
  return (args) => {
    try {
      return answer(parseStrictJson(defined(args.get('selection')), ARGUMENTS_JSON));
    } catch (error) {
      if (error instanceof SelectionError || error instanceof StrictJsonError) return undefined;
      throw error;
    }
  };
}

function convert(args: ReadonlyMap<string, string>): unknown {
  try {
    return htmlToMarkdown({ html: defined(args.get('html')), sourceUrl: args.get('sourceUrl') });
  } catch (error) {
    if (error instanceof ConversionError) return undefined;
    throw error;
  }
}
