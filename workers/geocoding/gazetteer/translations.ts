import { defined } from '../../exact/defined.ts';
import { type Columns, columnOf, readLines } from '../columns/columns.ts';

/** Names of entities by language. */
export interface TranslationTable {
  /** The name in the first of the languages that has one. */
  find(languages: readonly string[], entity: number): string | undefined;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export function openTranslations(columns: Columns): TranslationTable {
  const languages = readLines(columnOf(columns, 'languages', Uint8Array));
  const entities = columnOf(columns, 'entities', Uint32Array);
  const names = readLines(columnOf(columns, 'names', Uint8Array));
  const ranges = new Map<string, Range>();
  let start = 0;
  for (const [index, count] of columnOf(columns, 'counts', Uint32Array).entries()) {
    ranges.set(languages.at(index), { start, end: start + count });
    start += count;
  }

  function rowOf(entity: number, range: Range): number | undefined {
    let low = range.start;
    let high = range.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (defined(entities[middle]) < entity) low = middle + 1;
      else high = middle;
    }
    return low < range.end && entities[low] === entity ? low : undefined;
  }

  return {
    find(wanted, entity) {
      for (const language of wanted) {
        const range = ranges.get(language);
        const row = range && rowOf(entity, range);
        if (row !== undefined) return names.at(row);
      }
      return undefined;
    },
  };
}
