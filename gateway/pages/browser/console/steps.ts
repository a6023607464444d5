import { codeBlock, element } from '../page/dom.ts';

/** What happened in one step of a trial, for people. */
export interface Step {
  readonly title: string;
  readonly says: string;
  /** Shown when the step is opened. */
  readonly details: string;
}

/** Adds a step to the list. */
export function showStep(list: HTMLElement, { title, says, details }: Step): void {
  const fold = element('details', {}, element('summary', {}, 'Show'), codeBlock(details));
  list.append(element('li', {}, element('strong', {}, title), ` ${says}`, fold));
}

/** Headers of an answer that say something about access. */
const SHOWN = /^(?:payment-|x-(?:access|trial|request))/;

/** An answer as text, with base64 headers decoded. */
export async function describeAnswer(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => SHOWN.test(name));
  const lines = headers.map(([name, value]) =>
    name === 'payment-required' ? `${name}: ${decoded(value)}` : `${name}: ${value}`,
  );
  return [`HTTP ${answer.status}`, ...lines, '', pretty(await answer.text())].join('\n');
}

function decoded(value: string): string {
  try {
    return pretty(new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.charCodeAt(0))));
  } catch {
    return value;
  }
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
