import { type Api, ApiError } from '../page/api.ts';
import { element, find } from '../page/dom.ts';
import { renderMarkdown } from '../page/render-markdown.ts';
import { term } from '../page/terms.ts';
import { type Rejected, sayRejected, showPlans } from './show-plans.ts';

interface Plan {
  readonly plan_id: string;
  readonly state: string;
  readonly plan_hash: string;
  readonly approvals: { readonly needed: number; readonly given: readonly Given[] };
  readonly executions: number;
  readonly rejected?: Rejected;
  readonly plan: {
    readonly max_executions: number;
    /** The id of the plan that it replaces. */
    readonly supersedes: string | null;
  };
}

interface Runs {
  readonly executions: readonly {
    readonly execution_id: string;
    readonly state: string;
    readonly received_at: string;
  }[];
}

interface Given {
  readonly group: string;
  readonly at: string;
}

/** A plan in words, and the button to approve it. Without an id, the plans that wait. */
export async function showPlan(api: Api, id: string, open: (id: string) => void): Promise<readonly HTMLElement[]> {
  if (id === '') return showPlans(api, open);
  const path = `/plans/${encodeURIComponent(id)}`;
  const plan = (await api.readJson(path)) as Plan;
  const words = renderMarkdown(await api.readMarkdown(path));
  takeTitle(words, plan);
  frameWarnings(words);
  foldDetails(words);
  const { executions } = (await api.readJson(`/executions?plan_id=${plan.plan_id}`)) as Runs;
  const back = element('button', { type: 'button', class: 'quiet' }, 'All plans that wait');
  back.addEventListener('click', () => open(''));
  let shown = facts(plan);
  const change = (changed: Plan): void => {
    const next = facts(changed);
    shown.replaceWith(next);
    shown = next;
  };
  return [shown, words, approval(api, plan, { path, change }), ...newestOf(executions), element('p', {}, back)];
}

/** The title of the plan is that of the page, and its hash is among the facts. @throws {TypeError} if the words are of another plan */
function takeTitle(words: HTMLElement, { plan_hash }: Plan): void {
  const [title, hash] = words.children;
  if (title?.tagName !== 'H1' || hash?.querySelector('code')?.textContent !== plan_hash)
    throw new TypeError('the words are not of the plan with this hash');
  find('h1', HTMLHeadingElement).replaceChildren(...title.childNodes);
  title.remove();
  hash.remove();
}

/** Puts a frame around the warnings, if there are any: they come first. */
function frameWarnings(words: HTMLElement): void {
  const heading = words.querySelector(':scope > h2');
  const list = heading?.nextElementSibling;
  if (heading?.textContent !== 'Warnings' || list?.tagName !== 'UL') return;
  const frame = element('section', { class: 'note warnings', 'aria-label': 'Warnings' });
  heading.replaceWith(frame);
  frame.append(heading, list);
}

/** Folds what is under the heading *Details*, the last one. */
function foldDetails(words: HTMLElement): void {
  const heading = [...words.querySelectorAll(':scope > h2')].find(({ textContent }) => textContent === 'Details');
  if (heading === undefined) return;
  const folded = element('details', {}, element('summary', {}, 'Details: steps, evidence, values and tables'));
  while (heading.nextSibling !== null) folded.append(heading.nextSibling);
  heading.replaceWith(folded);
}

/** Links to the newest executions of the plan. */
function newestOf(executions: Runs['executions']): readonly HTMLElement[] {
  const links = executions.map(({ execution_id, state, received_at }) =>
    element(
      'li',
      {},
      element('a', { href: `/executions/${execution_id}` }, `${received_at.slice(0, 19)} UTC`),
      ` ${state}`,
    ),
  );
  return links.length === 0 ? [] : [element('h2', {}, 'Executions'), element('ul', { class: 'runs' }, ...links)];
}

function facts({ state, plan_hash, approvals, executions, rejected, plan }: Plan): HTMLElement {
  const { supersedes, max_executions } = plan;
  const given = approvals.given.map(({ group, at }) => `${group} (${at.slice(0, 19)} UTC)`).join(', ');
  return element(
    'dl',
    { class: 'facts' },
    ...term('State', element('span', { class: `state ${state === 'approved' ? 'good' : 'warn'}` }, state)),
    ...term('Approvals', `${approvals.given.length} of ${approvals.needed}${given === '' ? '' : `: ${given}`}`),
    ...(rejected === undefined ? [] : term('Rejected', sayRejected(rejected))),
    ...term('Executions', `${executions} of ${max_executions}`),
    ...(supersedes === null ? [] : term('Replaces', element('a', { href: `/plans/${supersedes}` }, supersedes))),
    ...term('Hash', element('code', {}, plan_hash)),
  );
}

interface Approval {
  /** Of the plan, at the API. */
  readonly path: string;
  /** Shows the plan's facts after an approval, its withdrawal or a rejection. */
  readonly change: (plan: Plan) => void;
}

function approval(api: Api, plan: Plan, { path, change }: Approval): HTMLElement {
  const { state, plan_hash, approvals } = plan;
  const canApprove = state === 'draft' || state === 'approved';
  if (!canApprove) return element('p', { class: 'note' }, `The plan is ${state}: it takes no approval.`);
  const consent = element('input', { type: 'checkbox', id: 'consent' });
  const outcome = element('p', { role: 'status' });
  /** A button that sends the plan's hash and shows what became of it. */
  const send = (label: string, to: string, done: string, more = () => ({})) => {
    const button = element('button', { type: 'button' }, label);
    button.addEventListener('click', () => {
      button.disabled = true;
      outcome.textContent = 'Sending …';
      api
        .write(`${path}/${to}`, { plan_hash, ...more() })
        .then((answer) => {
          const { state: after, approvals: now, rejected } = answer as Plan;
          change({ ...plan, state: after, approvals: now, ...(rejected && { rejected }) });
          outcome.className = 'good';
          outcome.textContent = `${done}: ${now.given.length} of ${now.needed} approvals. The plan is ${after}.`;
        })
        .catch((error: unknown) => {
          button.disabled = false;
          outcome.className = 'bad';
          outcome.textContent = error instanceof ApiError ? `${error.code}: ${error.message}` : String(error);
        });
    });
    return button;
  };
  const approve = send('Approve this plan', 'approve', 'Approved');
  approve.disabled = true;
  consent.addEventListener('change', () => {
    approve.disabled = !consent.checked;
  });
  const reason = element('input', { type: 'text', maxlength: '500', size: '60' });
  const rejection = element(
    'details',
    {},
    element('summary', {}, 'Reject the plan'),
    element('p', {}, 'This ends the plan. Everyone who reads it sees the reason.'),
    element('p', {}, element('label', {}, 'Reason ', reason)),
    element(
      'p',
      {},
      send('Reject this plan', 'reject', 'Rejected', () => ({ reason: reason.value })),
    ),
  );
  const withdrawal = element(
    'details',
    {},
    element('summary', {}, 'Withdraw an approval'),
    element('p', {}, 'This ends the plan. What was recorded before stays, and can be verified.'),
    element('p', {}, send('Withdraw my approval', 'withdraw', 'Withdrawn')),
  );
  return element(
    'section',
    { class: 'approve', 'aria-label': 'Approval' },
    element('h2', {}, 'Approve'),
    element('p', {}, 'Approval names the hash above. A plan with any other text has another hash.'),
    element('p', {}, element('label', {}, consent, ' I have read what this plan allows')),
    element('p', {}, approve),
    ...(state === 'draft' ? [rejection] : []),
    ...(approvals.given.length === 0 ? [] : [withdrawal]),
    outcome,
  );
}
