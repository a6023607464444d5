const SEPARATORS = /[._:-]/g;

/**
 * Folds the name of a tool for comparison. Confusable names have the same form: they differ in case, in separators (`.`
 * `_` `:` `-`), in `0` and `O`, or in `1`, `l` and `I`. Names are ASCII.
 *
 * The identities of actions that move money are unique per folded name. Migration 0008 has the same rule in SQL.
 */
export function foldToolName(name: string): string {
  return name.toLowerCase().replaceAll('0', 'o').replaceAll(/[1i]/g, 'l').replaceAll(SEPARATORS, '');
}
