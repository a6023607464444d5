import { readFileSync } from 'node:fs';

const spec = readFileSync(new URL(import.meta.resolve('commonmark-spec/spec.txt')), 'utf8').replaceAll('→', '\t');
/** The HTML of the examples of CommonMark 0.31.2, in their order. Example 1 is the first. */
export const COMMONMARK_EXAMPLES = [...spec.matchAll(/^`{32} example\n[\s\S]*?^\.\n([\s\S]*?)^`{32}$/gm)].map(
  ([, html = '']) => html,
);
