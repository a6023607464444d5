import type { TreeNode } from '../../parse/tree.ts';

const OLD_OPEN = '\x11';
const OLD_CLOSE = '\x12';
const NEW_OPEN = '\x13';
const NEW_CLOSE = '\x14';
const MARKS = new RegExp(`([${OLD_OPEN}-${NEW_CLOSE}])`, 'g');
const OLD: readonly [string, string] = [OLD_OPEN, OLD_CLOSE];
const NEW: readonly [string, string] = [NEW_OPEN, NEW_CLOSE];
/** What tells the class of a changed line from that of a token. */
const OF_LINE = /(?:^|[\s_-])(?:diff|line|blob)(?:$|[\s_-])/i;
const REMOVED = /(?:^|[\s_-])(?:removed?|removal|del|deleted?|deletion)(?:$|[\s_-])/i;
const ADDED = /(?:^|[\s_-])(?:add|added|addition|ins|insert|inserted)(?:$|[\s_-])/i;

/** The marks around the text of an element of code that was removed or added. Null for others. */
export function changeOf(node: TreeNode): readonly [string, string] | null {
  if (node.nodeName === 'DEL') return OLD;
  if (node.nodeName === 'INS') return NEW;
  const { classes } = node;
  if (classes === '' || !OF_LINE.test(classes)) return null;
  return REMOVED.test(classes) ? OLD : ADDED.test(classes) ? NEW : null;
}

/** Code whose changed lines begin with `- ` or `+ `, as in a diff, instead of having marks. A line that changed in part is written twice. */
export function writeChanges(marked: string): string {
  if (!marked.includes(OLD_OPEN) && !marked.includes(NEW_OPEN)) return marked;
  let state = '';
  const lines = marked.split('\n').map((line) => {
    const parts = { kept: '', before: '', after: '', removed: '', added: '' };
    for (const piece of line.split(MARKS)) {
      if (piece === OLD_OPEN || piece === NEW_OPEN) state = piece;
      else if (piece === OLD_CLOSE || piece === NEW_CLOSE) state = '';
      else {
        if (state === OLD_OPEN) parts.removed += piece;
        else if (state === NEW_OPEN) parts.added += piece;
        else parts.kept += piece;
        if (state !== NEW_OPEN) parts.before += piece;
        if (state !== OLD_OPEN) parts.after += piece;
      }
    }
    return parts;
  });
  const has = (text: string) => text.trim() !== '';
  // A diff that is shown with its signs has them already.
  const isSigned = lines.every(
    ({ removed, added }) => (!has(removed) || removed.startsWith('-')) && (!has(added) || added.startsWith('+')),
  );
  if (isSigned) return marked.replace(MARKS, '');
  return lines
    .flatMap(({ kept, before, after, removed, added }) => {
      if (!has(removed) && !has(added)) return [before];
      const isWhole = !has(kept);
      return [...(isWhole && !has(removed) ? [] : [`- ${before}`]), ...(isWhole && !has(added) ? [] : [`+ ${after}`])];
    })
    .join('\n');
}
