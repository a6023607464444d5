/** The word, and each word that is left if one of its letters is taken out. Two words within one error share one of them. */
export function deletionsOf(word: string): ReadonlySet<string> {
  const deletions = new Set([word]);
  for (let at = 0; at < word.length; at++) deletions.add(word.slice(0, at) + word.slice(at + 1));
  return deletions;
}

/** Whether one error makes one word the other: a letter too many, too few or wrong, or two exchanged (Damerau). */
export function isOneErrorAway(a: string, b: string): boolean {
  if (a.length > b.length) return isOneErrorAway(b, a);
  if (b.length - a.length > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
