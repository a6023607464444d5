/**
 * A tree of JSON arrays, written without commas, as in `[= [var most] 3]`. A word is a text, unless it is a whole number,
 * true, false or null; one in quotes is a text in any case.
 */
export function tree(text: string): unknown {
  const words = text.match(/[[\]]|"[^"]*"|[^\s[\]]+/g) ?? [];
  const json = words.map((word) =>
    /^([[\]]|-?\d{1,16}|true|false|null|".*")$/.test(word) ? word : JSON.stringify(word),
  );
  return JSON.parse(json.join(',').replaceAll('[,', '[').replaceAll(',]', ']'));
}

/** The lines of a table, each split at ⇒ into what is given and what is expected. */
export function rowsOf(table: string): readonly (readonly [given: string, expected: string])[] {
  return table.split('\n').flatMap((line) => {
    const [given, expected] = line.split(/ ⇒ ?/);
    return given === undefined || expected === undefined ? [] : [[given, expected] as const];
  });
}

/** What is given, in parts such as `where: true; times: 0..1`. */
export const partsOf = (given: string): Readonly<Record<string, string>> =>
  Object.fromEntries(given.split('; ').map((part) => part.split(/: (.*)/)));
