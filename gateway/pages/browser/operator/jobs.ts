import { element } from '../page/dom.ts';
import { fieldOf, reasonOf, run, type StartSection, sectionOf } from './sections.ts';
import { quantity, time, words } from './words.ts';

interface Job {
  readonly jobId: string;
  readonly tenantId: string;
  readonly state: string;
  readonly work: string;
  readonly attempts: number;
  readonly createdAt: string;
  readonly dueAt: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Lists jobs of a state, and tries one again. */
export const startJobs: StartSection = (api) => {
  const { form, outcome, found } = sectionOf('jobs');

  async function list(): Promise<string> {
    const state = fieldOf(form, 'state');
    const { jobs } = await api().read<{ readonly jobs: readonly Job[] }>(`/jobs?state=${encodeURIComponent(state)}`);
    found.replaceChildren(...jobs.map((job) => item(job, retry)));
    return jobs.length === 0 ? `No ${state} jobs.` : `${jobs.length} ${state}.`;
  }

  async function retry({ jobId }: Job): Promise<void> {
    const reason = reasonOf(form);
    if (reason === undefined) return;
    await run(outcome, async () => {
      await api().write('/jobs/retry', { jobId, reason });
      return `${jobId} is due now. ${await list()}`;
    });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(outcome, list);
  });
};

function item(job: Job, retry: (job: Job) => Promise<void>): HTMLElement {
  const { jobId, tenantId, state, work, attempts, createdAt, dueAt, error } = job;
  const again = element('button', { type: 'button', 'aria-label': `Try job ${jobId} again` }, 'Try again');
  again.addEventListener('click', () => void retry(job));
  const due = dueAt === null ? '' : `, due ${time(dueAt)}`;
  return element(
    'li',
    {},
    element('code', {}, jobId),
    ` ${state}, ${quantity(attempts, 'attempt')}, made ${time(createdAt)}${due}, tenant `,
    element('code', {}, tenantId),
    element('br'),
    words(work),
    ...(error === null
      ? []
      : [element('p', { class: 'fault' }, element('strong', {}, error.code), ` ${error.message}`)]),
    ...(state === 'failed' || state === 'queued' ? [element('div', {}, again)] : []),
  );
}
