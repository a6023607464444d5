import { element } from '../page/dom.ts';
import { fieldOf, run, type StartSection, sectionOf } from './sections.ts';
import { time, words } from './words.ts';

/** What is shown until more is asked for. */
const FIRST = 5;

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
  let show = (_limit: string): void => {};
  const start: StartSection = (api) => {
    show = (limit) =>
      void run(outcome, async () => {
        const subject = encodeURIComponent(fieldOf(form, 'subject'));
        const { acts } = await api().read<{ readonly acts: readonly Act[] }>(`/acts?subject=${subject}${limit}`);
        found.replaceChildren(...acts.map(item));
        return acts.length === 0 ? 'No acts.' : `The latest ${acts.length}.`;
      });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      show('');
    });
  };
  return Object.assign(start, { refresh: () => show(`&limit=${FIRST}`) });
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
    ...(detail === '{}' ? [] : [element('span', { class: 'soft' }, ` (${words(detail)})`)]),
  );
