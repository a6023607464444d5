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
let shown: Facts | undefined;
let readings = 0;
let timer: number | undefined;

const opened = (): Api => {
  if (api === undefined) throw new OperatorError('OPERATOR_KEY_REQUIRED', 'open the page with a key first');
  return api;
};

const isFrozen = ({ calls }: Facts): boolean => calls.isFrozen ?? calls.state === 'frozen';

/** Shows facts, and reads them again after a while. Those that are being read are older, and not shown. */
function show(facts: Facts): void {
  shown = facts;
  readings += 1;
  const views = {
    state: showState(facts),
    calls: showCalls(facts),
    money: showMoney(facts, Date.parse(facts.at)),
    jobs: showJobs(facts),
    bodies: showRetention(facts),
  };
  for (const name of sections) contents.get(name)?.replaceChildren(...views[name]);
  freezeButton.textContent = isFrozen(facts) ? 'Take new calls again' : 'Freeze new calls';
  freezeButton.classList.toggle('danger', !isFrozen(facts));
  refreshLater();
}

function refreshLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), EVERY_MS);
}

async function refresh(): Promise<void> {
  refreshLater();
  if (document.visibilityState !== 'visible') return;
  readings += 1;
  const mine = readings;
  try {
    const facts = await opened().read<Facts>('/facts');
    if (mine !== readings) return;
    show(facts);
    if (notice.querySelector('.bad') !== null) notice.replaceChildren();
  } catch (error) {
    say(notice, describe(error), 'bad');
    if (error instanceof OperatorError && error.code === 'OPERATOR_KEY_REQUIRED') setOpened(undefined);
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
      acts.refresh();
      leave.focus();
    })
    .catch((error: unknown) => say(notice, describe(error), 'bad'));
});
leave.addEventListener('click', () => location.reload());

freezeForm.addEventListener('submit', (event) => {
  event.preventDefault();
  if (shown === undefined) return;
  const facts = shown;
  const frozen = !isFrozen(facts);
  freezeButton.disabled = true;
  void run(freezeOutcome, async () => {
    const reason = fieldOf(freezeForm, 'reason');
    // The facts that the server reads next may be a second old.
    const { calls } = await opened().write<Pick<Facts, 'calls'>>('/freeze', { frozen, reason });
    show({ ...facts, calls });
    freezeForm.reset();
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
