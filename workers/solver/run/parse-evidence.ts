import { WrittenNumber } from '../language/values.ts';

/** What `JSON.parse` hands to its reviver besides: the text of a primitive value (ECMA-262, "JSON.parse source text access"). */
interface Source {
  readonly source?: string;
}

/** Parses a JSON text that was read strictly before. Its numbers stay as they are written: others wrote them. */
export function parseEvidence(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: Source) => {
    if (typeof value !== 'number') return value;
    if (source === undefined) throw new TypeError('a number has no source text');
    return new WrittenNumber(source);
  };
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
}
