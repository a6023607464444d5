import { element } from '../page/dom.ts';

/** Something about a record: a warning, or the reason of a verdict. */
export interface Remark {
  readonly code: string;
  /** JSON pointer. */
  readonly path: string;
  readonly message: string;
}

/** A list of remarks. Each begins with its code. Empty if there are none. */
export function remarks(title: string, list: readonly Remark[]): HTMLElement {
  if (list.length === 0) return element('div');
  const items = list.map(({ code, path, message }) =>
    element('li', {}, element('strong', {}, code), ' ', element('code', {}, path), ` ${message}`),
  );
  return element(
    'section',
    { class: 'note warnings', 'aria-label': title },
    element('h2', {}, title),
    element('ul', {}, ...items),
  );
}
