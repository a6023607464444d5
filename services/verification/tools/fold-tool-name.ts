const SEPARATORS = /[._:-]/g;

/**
 * The form in which names of tools are compared. Two names that people can take for each other have the same form: they
 * differ in case, in separators (`.` `_` `:` `-`), or in `0` and `O`, or `1`, `l` and `I`. Names are ASCII.
 *
 * The identities of acts that move money are unique per folded name. The migration 0008 has the same rule in SQL.
 */
export function foldToolName(name: string): string {
  return name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1i]/g, 'l').replaceAll(SEPARATORS, '');
}
