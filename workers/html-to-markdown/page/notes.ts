import { defined } from '../../exact/defined.ts';
import type { Survey } from './survey.ts';

const MAX_LABEL_CHARACTERS = 6;

/** Counts something in, or before, the element at an index. */
export type Counter = (index: number) => number;

/** Counts the notes in an element: short links back to an earlier link, which is the call of the note. */
export function counterOfNotes({ elements, ends, links, text, dropped }: Survey): Counter {
  const calls = new Set<string>();
  const notes: number[] = [];
  for (const index of links) {
    if (dropped[index] === 1 || defined(text[index]) > MAX_LABEL_CHARACTERS) continue;
    const node = defined(elements[index]);
    const href = node.getAttribute('href');
    if (href === null || !href.startsWith('#')) continue;
    const target = href.slice(1);
    if (calls.has(target)) notes.push(index);
    const names = [node.getAttribute('id'), node.getAttribute('name'), node.parentNode?.getAttribute('id')];
    // A heading's link to itself is no call.
    if (!names.includes(target)) for (const name of names) if (typeof name === 'string') calls.add(name);
  }
  return (index) => notes.filter((note) => note >= index && note < defined(ends[index])).length;
}
