import { codeBlock, element } from '../page/dom.ts';
import { fieldOf, reasonOf, run, type StartSection, sectionOf } from './sections.ts';
import { bytes, time } from './words.ts';

interface Found {
  readonly recordId: string;
  readonly requestId: string | null;
  readonly access: string;
  readonly operation: string;
  readonly retainedAt: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly reviews: number;
}

interface Bodies {
  readonly recordId: string;
  readonly request: string;
  readonly response: string;
}

/** A browser would not show more text at once in good time. */
const MOST_SHOWN = 200_000;

/** Finds retained calls, and reads their bodies. */
export const startBodies =
  (onRead: () => void): StartSection =>
  (api) => {
    const { form, outcome, found } = sectionOf('bodies');

    async function search(): Promise<string> {
      const id = fieldOf(form, 'id');
      const { bodies } = await api().read<{ readonly bodies: readonly Found[] }>(
        `/bodies?id=${encodeURIComponent(id)}`,
      );
      found.replaceChildren(...bodies.map((body) => item(body, read)));
      return bodies.length === 0 ? 'No body of this id is retained.' : `${bodies.length} found.`;
    }

    async function read({ recordId }: Found, into: HTMLElement): Promise<void> {
      const reason = reasonOf(form);
      if (reason === undefined) return;
      await run(outcome, async () => {
        const { request, response } = await api().write<Bodies>('/bodies/read', { recordId, reason });
        into.replaceChildren(...show('Request', request), ...show('Response', response));
        onRead();
        return `${recordId} was read, and the reading recorded.`;
      });
    }

    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void run(outcome, search);
    });
  };

function item(body: Found, read: (body: Found, into: HTMLElement) => Promise<void>): HTMLElement {
  const { recordId, requestId, access, operation, retainedAt, requestBytes, responseBytes, reviews } = body;
  const into = element('div', {});
  const open = element('button', { type: 'button', 'aria-label': `Read the bodies of ${recordId}` }, 'Read');
  open.addEventListener('click', () => void read(body, into));
  const size = `${bytes(requestBytes)} and ${bytes(responseBytes)} sealed`;
  return element(
    'li',
    {},
    element('code', {}, recordId),
    ` ${operation}, ${access}, ${time(retainedAt)}, ${size}, readings: ${reviews}`,
    ...(requestId === null ? [] : [element('br'), 'request ', element('code', {}, requestId)]),
    element('div', {}, open),
    into,
  );
}

function show(title: string, text: string): readonly HTMLElement[] {
  const cut = text.length > MOST_SHOWN;
  const shown = cut ? text.slice(0, MOST_SHOWN) : pretty(text);
  return [
    element('h3', {}, title),
    codeBlock(shown),
    ...(cut ? [element('p', { class: 'hint' }, `The first ${MOST_SHOWN} of ${text.length} characters.`)] : []),
  ];
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
