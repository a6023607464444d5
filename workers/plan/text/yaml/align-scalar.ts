/** Length of an escape in a double-quoted scalar (YAML 1.2.2, section 5.7). */
const ESCAPES: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

export interface WrittenScalar {
  readonly source: string;
  /** Offsets of the scalar in `source`, with its quotes or its block header. */
  readonly start: number;
  readonly end: number;
  readonly style: 'plain' | 'single' | 'double' | 'block';
}

/**
 * The offset in the source of each character of a scalar's value. Quotes, escapes, indentation and folded line breaks are
 * skipped. A white-space character may be mapped to another one of the same run; every other character is exact.
 */
export function alignScalar(value: string, { source, start, end, style }: WrittenScalar): readonly number[] {
  let at = start;
  if (style === 'single' || style === 'double') at += 1;
  if (style === 'block') at = source.indexOf('\n', start) + 1;
  const offsets: number[] = [];
  let index = 0;
  while (index < value.length) {
    while (at < end && source[at] !== value[index] && !(style === 'double' && source[at] === '\\')) at += 1;
    const here = Math.min(at, end);
    if (style === 'double' && source[at] === '\\') {
      const next = source[at + 1] ?? '';
      at += ESCAPES[next] ?? 2;
      // An escaped line break stands for no character.
      if (next === '\n') continue;
      const units = next === 'U' && (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
      for (let unit = 0; unit < units; unit += 1) offsets.push(here);
      index += units;
      continue;
    }
    offsets.push(here);
    at += 1;
    index += 1;
  }
  return offsets;
}
