import { element } from './dom.ts';

/** An entry of a list of facts. */
export const term = (name: string, value: HTMLElement | string): readonly HTMLElement[] => [
  element('dt', {}, name),
  element('dd', {}, value),
];
