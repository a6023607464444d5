import { element, find } from '../page/dom.ts';
import { type Api, describe } from './api.ts';

/** A section of the page with a form and a list. */
export interface Section {
  readonly form: HTMLFormElement;
  readonly outcome: HTMLElement;
  readonly found: HTMLElement;
}

export const sectionOf = (name: string): Section => ({
  form: find(`#${name} form`, HTMLFormElement),
  outcome: find(`#${name} .outcome`, HTMLElement),
  found: find(`#${name} .found`, HTMLElement),
});

/** The text of a field of a form. */
export const fieldOf = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '').trim();

/** Says what came of an act. A failure is announced at once. */
export function say(outcome: HTMLElement, text: string, kind: 'good' | 'bad' | 'soft' = 'soft'): void {
  outcome.replaceChildren(element('span', { class: kind }, text));
}

/** Runs an act that a person asked for, and says why it failed. */
export async function run(outcome: HTMLElement, act: () => Promise<string>): Promise<void> {
  say(outcome, 'Asking …');
  try {
    say(outcome, await act(), 'good');
  } catch (error) {
    say(outcome, describe(error), 'bad');
  }
}

/** Takes the reason of a section, or asks for it. */
export function reasonOf(form: HTMLFormElement): string | undefined {
  const field = form.elements.namedItem('reason');
  if (!(field instanceof HTMLInputElement)) return undefined;
  const reason = field.value.trim();
  field.setCustomValidity(reason === '' ? 'Say why: the audit trail keeps it.' : '');
  if (field.reportValidity()) return reason;
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true });
  return undefined;
}

export type StartSection = (api: () => Api) => void;
