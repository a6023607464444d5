import { type Api, ApiError, openApi } from './api.ts';
import { element, find } from './dom.ts';

/** What a page shows of a record. */
export type ShowRecord = (api: Api, id: string) => Promise<readonly HTMLElement[]>;

/** Shows the form for a key and an id. It opens records with the key, which is in no storage. */
export function openRecordForm(show: (folder: string) => ShowRecord): void {
  const form = find('#access', HTMLFormElement);
  const record = find('#record', HTMLElement);
  const { folder = '' } = form.dataset;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const id = String(fields.get('id')).trim();
    record.replaceChildren(element('p', {}, 'Reading …'));
    show(folder)(openApi(String(fields.get('key')).trim()), id)
      .then((parts) => {
        history.replaceState(null, '', `/${folder}/${encodeURIComponent(id)}`);
        record.replaceChildren(...parts);
      })
      .catch((error: unknown) => {
        record.replaceChildren(element('p', { class: 'bad', role: 'alert' }, describeError(error)));
      });
  });
}

/** An error for people. */
export const describeError = (error: unknown): string =>
  error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
