import { element, find } from '../page/dom.ts';
import { ApiError, openApi } from './api.ts';
import { showExecution } from './show-execution.ts';
import { showPlan } from './show-plan.ts';

// Pages of plans and executions: the record is read with the visitor's key, which is in no storage.

const form = find('#access', HTMLFormElement);
const record = find('#record', HTMLElement);
const { folder = '' } = form.dataset;
const show = folder === 'plans' ? showPlan : showExecution;

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const id = String(fields.get('id')).trim();
  record.replaceChildren(element('p', {}, 'Reading …'));
  show(openApi(String(fields.get('key')).trim()), id)
    .then((parts) => {
      history.replaceState(null, '', `/${folder}/${encodeURIComponent(id)}`);
      record.replaceChildren(...parts);
    })
    .catch((error: unknown) => {
      const says = error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
      record.replaceChildren(element('p', { class: 'bad', role: 'alert' }, says));
    });
});
