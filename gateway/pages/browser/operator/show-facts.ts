import { element } from '../page/dom.ts';
import { term } from '../page/terms.ts';
import type { Facts, Part } from './facts.ts';
import { age, bytes, coins, count, quantity, time, usd } from './words.ts';

const UNREADABLE = 'not readable now';
const KINDS = { ok: 'good', warning: 'warn', down: 'bad' } as const;
const WORDS = { ok: 'works', warning: 'look at it', down: 'does not answer' } as const;

const list = (...terms: readonly (readonly HTMLElement[])[]): HTMLElement =>
  element('dl', { class: 'facts' }, ...terms.flat());

/** Every part with its state, and what could not be read. */
export function showState({ parts, admission, faults, at }: Facts): readonly HTMLElement[] {
  const isWell = parts.every(({ state }) => state === 'ok') && faults.length === 0;
  const { running, waiting, limit } = admission;
  return [
    element(
      'p',
      {},
      element(
        'span',
        { class: `state ${isWell ? 'good' : 'warn'}` },
        isWell ? 'All parts work' : 'Look at what is marked',
      ),
      ` at ${time(at)}. Calls in this gateway process: ${running} run of at most ${Math.round(limit)}, ${waiting} wait.`,
    ),
    element('ul', { class: 'cards parts' }, ...parts.map((part) => card(part, Date.parse(at)))),
    ...(faults.length === 0 ? [] : [element('ul', { class: 'note warnings' }, ...faults.map(fault))]),
  ];
}

const fault = ({ part, message }: Facts['faults'][number]): HTMLElement =>
  element('li', {}, element('strong', {}, part), ` ${message}`);

function card(part: Part, nowMs: number): HTMLElement {
  const { name, state, version, milliseconds, startedAt, detail, lastFault } = part;
  const facts = [
    version === null ? '' : `version ${version}`,
    milliseconds === null ? '' : `answers in ${milliseconds} ms`,
    startedAt === null ? '' : `up ${age((nowMs - Date.parse(startedAt)) / 1000)}`,
    detail ?? '',
  ].filter((text) => text !== '');
  return element(
    'li',
    { class: 'card' },
    element('h3', {}, name, ' ', element('span', { class: `state ${KINDS[state]}` }, WORDS[state])),
    element('p', {}, facts.join(', ')),
    ...(lastFault === null
      ? []
      : [
          element(
            'p',
            { class: state === 'ok' ? 'soft' : 'fault' },
            `Last fault, ${time(lastFault.at)}: ${lastFault.message}`,
          ),
        ]),
  );
}

export function showCalls({ calls: { state, isFrozen, changedBy, reason, changedAt } }: Facts): readonly HTMLElement[] {
  if (state === 'other_key') {
    const words = 'This gateway refuses paid and trial calls: its FINGERPRINT_KEY is not that of the records';
    return [element('p', {}, element('span', { class: 'state bad' }, words), '.')];
  }
  const is = isFrozen ?? state === 'frozen';
  const words = is ? 'New paid and trial calls are refused' : 'New paid and trial calls are taken';
  const who = changedBy === null ? '' : ` Changed by ${changedBy} at ${time(changedAt ?? '')}: ${reason}`;
  const lag = is === (state === 'frozen') ? '' : ' This process has not followed yet.';
  return [
    element('p', {}, element('span', { class: `state ${is ? 'warn' : 'good'}` }, words), `.${lag}${who}`),
    element(
      'p',
      { class: 'hint' },
      'A freeze reaches every gateway within a second. Clients get 503 CALLS_FROZEN. Calls that run are finished; settlements, claims and refunds go on.',
    ),
  ];
}

export function showMoney(facts: Facts, nowMs: number): readonly HTMLElement[] {
  return [
    element(
      'div',
      { class: 'columns' },
      group('Free credit', credit(facts, nowMs)),
      group('Earnings', earnings(facts)),
      group('Payments', settlements(facts)),
      group('Channels', channels(facts)),
      group('Gas', gas(facts)),
    ),
  ];
}

const group = (title: string, content: HTMLElement): HTMLElement =>
  element('div', {}, element('h3', {}, title), content);

function credit({ budget, credit: given, reservations }: Facts, nowMs: number): HTMLElement {
  const { day, configuredMicroUsd, usedMicroUsd, leftMicroUsd } = budget;
  return list(
    term('Budget of the day', `${usd(configuredMicroUsd)}${day === null ? '' : `, ${day}`}`),
    term('Used', usedMicroUsd === null ? UNREADABLE : usd(usedMicroUsd)),
    term('Left', leftMicroUsd === null ? UNREADABLE : usd(leftMicroUsd)),
    term(
      'New wallets today',
      given === null ? UNREADABLE : `${count(given.walletsToday)}, given ${usd(given.givenTodayMicroUsd)}`,
    ),
    term(
      'In 30 days',
      given === null ? UNREADABLE : `${count(given.wallets30Days)}, given ${usd(given.given30DaysMicroUsd)}`,
    ),
    term('Open reservations', reservations === null ? UNREADABLE : describeReservations(reservations, nowMs)),
  );
}

function describeReservations(found: NonNullable<Facts['reservations']>, nowMs: number): string {
  const { open, amountMicroUsd, oldestAt } = found;
  if (open === 0 || oldestAt === null) return 'none';
  return `${count(open)} of ${usd(amountMicroUsd)}, the oldest ${age((nowMs - Date.parse(oldestAt)) / 1000)} old`;
}

function earnings({ earnings: found }: Facts): HTMLElement {
  if (found === null) return element('p', {}, UNREADABLE);
  const [calls, unknownGas] = [found.calls, found.unknownGas].map((all) => all.toLocaleString('en'));
  return list(
    term('Calls', `${calls}`),
    term('Sold', usd(found.soldMicroUsd)),
    term('Settled', usd(found.settledMicroUsd)),
    term('Held by the contract', usd(found.claimableMicroUsd)),
    term('Refunded', usd(found.refundedMicroUsd)),
    term('Net', usd(found.netMicroUsd)),
    term('Gas', `${coins(found.gasWei)}${found.unknownGas === 0 ? '' : `, not known of transactions: ${unknownGas}`}`),
  );
}

function settlements({ settlements: found, obligations }: Facts): HTMLElement {
  if (found === null) return element('p', {}, UNREADABLE);
  return list(
    term('Being settled', quantity(found.pending, 'payment')),
    term('Settled, not final', quantity(found.notFinal, 'payment')),
    term('Failed', quantity(found.failed, 'payment')),
    term('Lost', marked(found.lost, 'payment')),
    term('Open obligations', obligations === null ? UNREADABLE : describeObligations(obligations)),
  );
}

function describeObligations({ open, oldestDueSeconds, mostAttempts }: NonNullable<Facts['obligations']>): string {
  if (open === 0) return 'none';
  return `${count(open)}, due for up to ${age(oldestDueSeconds)}, tried up to ${mostAttempts} times`;
}

/** A number that should be 0. */
const marked = (number: number, noun: string): HTMLElement | string =>
  number === 0 ? `no ${noun}s` : element('span', { class: 'state bad' }, quantity(number, noun));

function channels({ channels: found }: Facts): HTMLElement {
  if (found === null) return element('p', {}, UNREADABLE);
  const { open, withdrawing, empty, short, claimedMicroUsd, claimableMicroUsd, oldestClaimableSeconds } = found;
  return list(
    term('Open', quantity(open, 'channel')),
    term('Withdrawing', quantity(withdrawing, 'channel')),
    term('Empty', quantity(empty, 'channel')),
    term('Short of charges', marked(short, 'channel')),
    term('Claimed', usd(claimedMicroUsd)),
    term(
      'Can be claimed',
      `${usd(claimableMicroUsd)}${claimableMicroUsd === 0 ? '' : `, since ${age(oldestClaimableSeconds)}`}`,
    ),
    term('Transactions', `${count(found.openTransactions)} open, ${count(found.refusedTransactions)} refused`),
  );
}

function gas({ gas: found }: Facts): HTMLElement {
  if (found === null) return element('p', {}, 'No account of this server pays for settlements.');
  const { address, balanceWei, neededWei, settlements: planned, unclaimedChannels, shared, isEnough } = found;
  return list(
    term('Account', element('code', {}, address)),
    term('Balance', element('span', { class: `state ${isEnough ? 'good' : 'bad'}` }, coins(balanceWei))),
    term(
      'Reserve',
      `${coins(neededWei)} for ${quantity(planned, 'settlement')} and claims of ${quantity(unclaimedChannels, 'channel')}`,
    ),
    ...shared.map(({ of, spent, most, isAlarm }) =>
      term(
        'Today',
        `${gasUnits(spent)} of ${gasUnits(most)} gas for ${of}${isAlarm ? ' (not refused beyond it)' : ''}`,
      ),
    ),
  );
}

/** Units of gas are no money: digits in groups. */
const gasUnits = (digits: string): string => BigInt(digits).toLocaleString('en');

export function showJobs({ jobs }: Facts): readonly HTMLElement[] {
  if (jobs === null) return [element('p', {}, UNREADABLE)];
  const { waiting, oldestWaitingSeconds, active, delayed, failed } = jobs;
  const since = waiting === 0 ? '' : `, since ${age(oldestWaitingSeconds)}`;
  return [
    list(
      term('Waiting', `${quantity(waiting, 'job')}${since}`),
      term('Running', quantity(active, 'job')),
      term('Delayed', quantity(delayed, 'job')),
      term('Failed in 7 days', quantity(failed, 'job')),
    ),
  ];
}

export function showRetention({ retention }: Facts): readonly HTMLElement[] {
  if (retention === null) return [element('p', {}, UNREADABLE)];
  const { days, oldestDay, aboutCalls, bytes: size, held } = retention;
  return [
    list(
      term('Kept', `about ${quantity(aboutCalls, 'call')}, ${bytes(size)} on the disk`),
      term('Since', oldestDay === null ? 'no day yet' : `${oldestDay}, ${quantity(days, 'day')}`),
      term('Held past their day', quantity(held, 'call')),
    ),
  ];
}
