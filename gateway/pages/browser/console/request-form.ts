import { find } from '../page/dom.ts';

/** The body of a call. */
export type Request = Readonly<Record<string, string | number>>;

/** What the server takes. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** The body: numbers of number fields, and no member for an optional field that is empty. */
export function readRequest(form: HTMLFormElement): Request {
  const fields = [...form.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  );
  const members = fields.filter(({ name, required, value }) => name !== '' && (required || value !== ''));
  return Object.fromEntries(members.map(({ name, type, value }) => [name, type === 'number' ? Number(value) : value]));
}

/** Lets files fill in the texts that they belong to. */
export function readFiles(form: HTMLFormElement): void {
  for (const picker of form.querySelectorAll<HTMLInputElement>('input[type=file]')) {
    picker.addEventListener('change', async () => {
      const [file] = picker.files ?? [];
      const isTooLarge = file !== undefined && file.size > MAX_FILE_BYTES;
      picker.setCustomValidity(isTooLarge ? 'The file is larger than 8 MiB.' : '');
      if (file === undefined || !picker.reportValidity()) return;
      find(`#${picker.dataset['into']}`, HTMLTextAreaElement).value = await file.text();
    });
  }
}
