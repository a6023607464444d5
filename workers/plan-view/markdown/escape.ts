const MAX_SHOWN = 240;
/** Characters that a reader cannot see, or that move what is around them: control, format, unassigned, separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\p{M}{3,}/gu;
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/**
 * A text of a plan as a code span (CommonMark 0.31, section 6.1). Nothing in a code span is markup, so no title can forge a
 * heading or hide a part. What cannot be seen is shown as its code points.
 */
export function code(text: string): string {
  const visible = visibly(text);
  const characters = [...visible];
  const shown = characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : visible;
  const fence = '`'.repeat(longestRun(shown) + 1);
  // A space at each end is taken off again, and keeps backticks apart from the fence.
  const padding = /^[ `]|[ `]$/.test(shown) || shown === '' ? ' ' : '';
  const notes = [
    ...(characters.length > MAX_SHOWN ? [`cut, ${characters.length} characters`] : []),
    ...(SCRIPTS.filter((script) => script.test(text)).length > 1 ? ['mixes alphabets'] : []),
    ...(text === '' ? ['empty'] : []),
  ];
  return `${fence}${padding}${shown}${padding}${fence}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** The text with invisible characters as `⟨U+202E⟩`. */
export function visibly(text: string): string {
  return text.replaceAll(INVISIBLE, (hidden) => [...hidden].map(codePoint).join(''));
}

const codePoint = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A list in words: `a, b and c`. */
export function listed(items: readonly string[], word = 'and'): string {
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${last}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
