import { defined } from '../../exact/defined.ts';
import type { Survey } from './survey.ts';

const MAX_LABEL_CHARACTERS = 6;

/** Counts something in the element at an index. */
export type Counter = (index: number) => number;

/** Counts the notes in an element: short links back to an earlier link, which is the call of the note. */
export function counterOfNotes({ elements, ends, text, dropped }: Survey): Counter {
  const calls = new Set<string>();
  const before: number[] = [0];
  let count = 0;
  for (let index = 0; index < elements.length; index += 1) {
    const node = defined(elements[index]);
    const href = node.nodeName === 'A' && dropped[index] !== 1 ? node.getAttribute('href') : null;
    if (href?.startsWith('#') && defined(text[index]) <= MAX_LABEL_CHARACTERS) {
      const target = href.slice(1);
      if (calls.has(target)) count += 1;
      const names = [node.getAttribute('id'), node.getAttribute('name'), node.parentNode?.getAttribute('id')];
      // A heading's link to itself is no call.
      if (!names.includes(target)) for (const name of names) if (typeof name === 'string') calls.add(name);
    }
    before.push(count);
  }
  return (index) => defined(before[defined(ends[index])]) - defined(before[index]);
}
