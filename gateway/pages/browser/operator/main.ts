import { find } from '../page/dom.ts';
import { startActs } from './acts.ts';
import { type Api, describe, OperatorError, openApi } from './api.ts';
import { startBodies } from './bodies.ts';
import type { Facts } from './facts.ts';
import { startJobs } from './jobs.ts';
import { fieldOf, run, say } from './sections.ts';
import { showCalls, showJobs, showMoney, showRetention, showState } from './show-facts.ts';

// The operator's page: it reads the facts every five seconds while it is visible. The key is in no storage.

const EVERY_MS = 5000;

const access = find('#access', HTMLFormElement);
const notice = find('#notice', HTMLElement);
const page = find('#operator', HTMLElement);
const freezeForm = find('#calls form', HTMLFormElement);
const freezeButton = find('#calls button', HTMLButtonElement);
const freezeOutcome = find('#calls .outcome', HTMLElement);
const sections = ['state', 'calls', 'money', 'jobs', 'bodies'] as const;
const contents = new Map(sections.map((name) => [name, find(`#${name} .content`, HTMLElement)]));

let api: Api | undefined;
let isFrozen = false;
let timer: number | undefined;

const opened = (): Api => {
  if (api === undefined) throw new OperatorError('OPERATOR_KEY_REQUIRED', 'open the page with a key first');
  return api;
};

function show(facts: Facts): void {
  isFrozen = facts.calls.isFrozen ?? facts.calls.state === 'frozen';
  const views = {
    state: showState(facts),
    calls: showCalls(facts),
    money: showMoney(facts, Date.parse(facts.at)),
    jobs: showJobs(facts),
    bodies: showRetention(facts),
  };
  for (const name of sections) contents.get(name)?.replaceChildren(...views[name]);
  freezeButton.textContent = isFrozen ? 'Take new calls again' : 'Freeze new calls';
  freezeButton.classList.toggle('danger', !isFrozen);
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  try {
    if (document.visibilityState === 'visible') {
      show(await opened().read<Facts>('/facts'));
      notice.replaceChildren();
    }
    timer = setTimeout(() => void refresh(), EVERY_MS);
  } catch (error) {
    say(notice, describe(error), 'bad');
    const isRefused = error instanceof OperatorError && error.code === 'OPERATOR_KEY_REQUIRED';
    if (isRefused) page.hidden = true;
    else timer = setTimeout(() => void refresh(), EVERY_MS);
  }
}

access.hidden = false;
access.addEventListener('submit', (event) => {
  event.preventDefault();
  const next = openApi(fieldOf(access, 'key'));
  say(notice, 'Reading …');
  next
    .read<Facts>('/facts')
    .then((facts) => {
      api = next;
      access.reset();
      notice.replaceChildren();
      show(facts);
      page.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), EVERY_MS);
      acts.refresh();
    })
    .catch((error: unknown) => {
      api = undefined;
      page.hidden = true;
      clearTimeout(timer);
      say(notice, describe(error), 'bad');
    });
});

freezeForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const frozen = !isFrozen;
  freezeButton.disabled = true;
  void run(freezeOutcome, async () => {
    await opened().write('/freeze', { frozen, reason: fieldOf(freezeForm, 'reason') });
    freezeForm.reset();
    await refresh();
    acts.refresh();
    return frozen ? 'New calls are refused from now on.' : 'New calls are taken again.';
  }).finally(() => {
    freezeButton.disabled = false;
  });
});

document.addEventListener('visibilitychange', () => {
  if (api !== undefined && document.visibilityState === 'visible') void refresh();
});

const acts = startActs();
acts(opened);
startJobs(opened);
startBodies(acts.refresh)(opened);
