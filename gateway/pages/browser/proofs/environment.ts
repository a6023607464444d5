import { element } from '../page/dom.ts';

/** Why this browser cannot verify here. Undefined: it can. */
export function whyNotHere(): HTMLElement | undefined {
  // Browsers give pages no cryptography unless they came over HTTPS or from this machine.
  if (globalThis.isSecureContext && crypto.subtle !== undefined) return undefined;
  return notice('This page came over plain HTTP, and browsers verify nothing on such a page. Open it over HTTPS');
}

/** Ed25519 came to browsers between 2024 and 2025. */
export const lacksEd25519 = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotSupportedError' || error.name === 'DataError');

export const ed25519Notice = (): HTMLElement =>
  notice('This browser cannot verify Ed25519 signatures. Use a newer one');

const notice = (says: string): HTMLElement =>
  element(
    'p',
    { class: 'note', role: 'alert' },
    element('strong', {}, 'Not verified. '),
    `${says}, or `,
    element('a', { href: '#offline' }, 'verify the proof with the command line'),
    '.',
  );
