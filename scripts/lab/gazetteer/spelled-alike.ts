/** Share of the letters that may differ. Danish Ålborg and English Aalborg are one name, Astana and Nur-Sultan are not. */
const DIFFERENT = 0.4;
const LEAST_PART = 4;

/** Whether two folded names are spellings of one name, or one has the other in it. */
export function spelledAlike(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length >= LEAST_PART && long.includes(short)) return true;
  return editsBetween(one, other) <= long.length * DIFFERENT;
}

/** The number of letters to add, remove or replace (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + Number(letter !== other[at]);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
