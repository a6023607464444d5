import { type Api, ApiError, openApi } from './api.ts';
import { element, find } from './dom.ts';

/** What a page shows of a record. @param open opens another record of the page's folder with the same key */
export type ShowRecord = (api: Api, id: string, open: (id: string) => void) => Promise<readonly HTMLElement[]>;

/** Shows the form for a key and an id. It opens records with the key, which is in no storage. */
export function openRecordForm(show: (folder: string) => ShowRecord): void {
  const form = find('#access', HTMLFormElement);
  const record = find('#record', HTMLElement);
  const field = find('#access input[name=id]', HTMLInputElement);
  const { folder = '' } = form.dataset;
  form.hidden = false;
  const open = (api: Api, id: string): void => {
    field.value = id;
    record.replaceChildren(element('p', {}, 'Reading …'));
    show(folder)(api, id, (other) => open(api, other))
      .then((parts) => {
        history.replaceState(null, '', id === '' ? `/${folder}` : `/${folder}/${encodeURIComponent(id)}`);
        record.replaceChildren(...parts);
      })
      .catch((error: unknown) => {
        record.replaceChildren(element('p', { class: 'bad', role: 'alert' }, describeError(error)));
      });
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    open(openApi(String(new FormData(form).get('key')).trim()), field.value.trim());
  });
}

/** An error for people. */
export const describeError = (error: unknown): string =>
  error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
