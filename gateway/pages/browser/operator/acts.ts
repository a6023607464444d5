import { element } from '../page/dom.ts';
import { fieldOf, run, type StartSection, sectionOf } from './sections.ts';
import { time } from './words.ts';

interface Act {
  readonly sequence: number;
  readonly actedAt: string;
  readonly operator: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly detail: string;
}

/** Shows the latest acts of operators. */
export function startActs(): StartSection & { readonly refresh: () => void } {
  const { form, outcome, found } = sectionOf('acts');
  const start: StartSection = (api) => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void run(outcome, async () => {
        const subject = encodeURIComponent(fieldOf(form, 'subject'));
        const { acts } = await api().read<{ readonly acts: readonly Act[] }>(`/acts?subject=${subject}`);
        found.replaceChildren(...acts.map(item));
        return acts.length === 0 ? 'No acts.' : `The latest ${acts.length}.`;
      });
    });
  };
  return Object.assign(start, { refresh: () => form.requestSubmit() });
}

const item = ({ sequence, actedAt, operator, action, subject, reason, detail }: Act): HTMLElement =>
  element(
    'li',
    { value: String(sequence) },
    `${time(actedAt)} `,
    element('strong', {}, operator),
    ` ${action} `,
    element('code', {}, subject),
    element('br'),
    reason,
    ...(detail === '{}' ? [] : [' ', element('code', {}, detail)]),
  );
