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
const leave = find('#leave', HTMLButtonElement);
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
      const facts = await opened().read<Facts>('/facts');
      show(facts);
      if (notice.querySelector('.bad') !== null) notice.replaceChildren();
    }
    timer = setTimeout(() => void refresh(), EVERY_MS);
  } catch (error) {
    say(notice, describe(error), 'bad');
    const isRefused = error instanceof OperatorError && error.code === 'OPERATOR_KEY_REQUIRED';
    if (isRefused) setOpened(undefined);
    else timer = setTimeout(() => void refresh(), EVERY_MS);
  }
}

/** Shows what the holder of a key sees, or the form for the key. */
function setOpened(next: Api | undefined): void {
  api = next;
  access.reset();
  access.hidden = next !== undefined;
  page.hidden = next === undefined;
  leave.hidden = next === undefined;
  clearTimeout(timer);
}

setOpened(undefined);
access.addEventListener('submit', (event) => {
  event.preventDefault();
  const next = openApi(fieldOf(access, 'key'));
  say(notice, 'Reading …');
  next
    .read<Facts>('/facts')
    .then((facts) => {
      setOpened(next);
      say(notice, `Opened with the key of ${facts.operator}.`);
      show(facts);
      timer = setTimeout(() => void refresh(), EVERY_MS);
      acts.refresh();
      leave.focus();
    })
    .catch((error: unknown) => say(notice, describe(error), 'bad'));
});
leave.addEventListener('click', () => location.reload());

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
