import { WrittenNumber } from '../../plan/language/values.ts';

/** Parses a JSON text that was read strictly before. Numbers are kept as written, because a double may not hold them. */
export function parseEvidence(text: string): unknown {
  // A reviver's third argument has the text of a primitive value (ECMA-262, "JSON.parse source text access").
  return JSON.parse(text, (...[, value, context]: readonly unknown[]) =>
    typeof value === 'number' ? new WrittenNumber(sourceIn(context)) : value,
  );
}

function sourceIn(context: unknown): string {
  if (typeof context === 'object' && context !== null && 'source' in context && typeof context.source === 'string') {
    return context.source;
  }
  throw new TypeError('a number has no source text');
}
