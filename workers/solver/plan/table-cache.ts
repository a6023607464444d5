import type { Table } from './plan.ts';

/** Characters of the texts of all tables that are kept. In memory, a table takes a few times its text. */
const MAX_CHARACTERS = 33_554_432;

/** Keeps tables that were read. The ones that were used least recently make room. */
export function createTableCache(maxCharacters = MAX_CHARACTERS) {
  const kept = new Map<string, { readonly table: Table; readonly characters: number }>();
  let characters = 0;
  return {
    /** The table with this id. `read` makes it if it is not kept. Tables with faults are not kept. */
    get(id: string, size: number, read: () => Table): Table {
      const known = kept.get(id);
      if (known !== undefined) {
        // A map keeps the order of insertion.
        kept.delete(id);
        kept.set(id, known);
        return known.table;
      }
      const table = read();
      kept.set(id, { table, characters: size });
      characters += size;
      for (const [oldest, { characters: freed }] of kept) {
        if (characters <= maxCharacters || oldest === id) break;
        kept.delete(oldest);
        characters -= freed;
      }
      return table;
    },
  };
}
