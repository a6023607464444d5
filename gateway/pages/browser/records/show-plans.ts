import type { Api } from '../page/api.ts';
import { element, find } from '../page/dom.ts';

/** Which key rejected a plan, when and why. */
export interface Rejected {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
}

export const sayRejected = ({ by, at, reason }: Rejected): string => `${reason} (${by}, ${at.slice(0, 19)} UTC)`;

interface Plans {
  readonly plans: readonly {
    readonly plan_id: string;
    readonly title: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly approvals: { readonly needed: number; readonly given: number };
    readonly rejected?: Rejected;
  }[];
  readonly next_cursor: string | null;
}

/** The plans that wait for an approval, then those that were rejected, newest first. @param open opens one of them */
export async function showPlans(api: Api, open: (id: string) => void): Promise<readonly HTMLElement[]> {
  const [waiting, rejected] = [await listPlans(api, open, 'draft'), await listPlans(api, open, 'rejected')];
  find('h1', HTMLHeadingElement).textContent = 'Plans';
  return [element('h2', {}, 'Waiting for approval'), ...waiting, element('h2', {}, 'Rejected'), ...rejected];
}

async function listPlans(api: Api, open: (id: string) => void, state: 'draft' | 'rejected') {
  const what = state === 'draft' ? 'waits' : 'was rejected';
  const list = element('ul', { class: 'waiting' });
  const more = element('button', { type: 'button', class: 'quiet' }, 'More');
  const outcome = element('p', { role: 'status' });
  let cursor: string | null = null;
  /** A page may be empty although more plans follow. */
  const read = async () => {
    const from = cursor === null ? '' : `&cursor=${cursor}`;
    const { plans, next_cursor } = (await api.readJson(`/plans?state=${state}${from}`)) as Plans;
    list.append(...plans.map((plan) => item(plan, open)));
    cursor = next_cursor;
    more.hidden = cursor === null;
    const isEmpty = list.childElementCount === 0;
    outcome.textContent = isEmpty ? (cursor === null ? `No plan ${what}.` : `None of the newest plans ${what}.`) : '';
  };
  more.addEventListener('click', () => {
    more.disabled = true;
    read()
      .catch((error: unknown) => {
        outcome.textContent = String(error);
      })
      .finally(() => {
        more.disabled = false;
      });
  });
  await read();
  return [list, outcome, more];
}

function item(
  { plan_id, title, created_at, expires_at, approvals, rejected }: Plans['plans'][number],
  open: (id: string) => void,
) {
  const button = element('button', { type: 'button', class: 'quiet' }, title);
  button.addEventListener('click', () => open(plan_id));
  const given = `${approvals.given} of ${approvals.needed} ${approvals.needed === 1 ? 'approval' : 'approvals'}`;
  const times = `proposed ${created_at.slice(0, 16)}, expires ${expires_at.slice(0, 16)} UTC`;
  const why = rejected === undefined ? [] : [element('p', {}, sayRejected(rejected))];
  return element('li', {}, button, ...why, element('p', { class: 'soft' }, `${given}, ${times}`));
}
