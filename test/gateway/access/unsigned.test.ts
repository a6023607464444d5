import test from 'ava';
import { MAX_REQUIRED_CHARACTERS } from '../../../gateway/access/offer/payment-required.ts';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import { operations } from '../../../gateway/operations/index.ts';
import type { Operation } from '../../../gateway/operations/operation/operation.ts';
import { openAccess, type Setting } from './access-fixture.ts';

const expensive = (priceMicroUsd: bigint): Operation => ({ ...geocode, priceMicroUsd });

test('a price above the grant is quoted without a challenge, a quickstart or the promise of the credit', async (t) => {
  const { status, trialStatus, body, required } = await openAccess({ operation: expensive(50_001n) }).askUnsigned();
  t.deepEqual([status, trialStatus], [402, 'insufficient_balance']);
  t.like(required.extensions['seller-trial'].info, {
    coveredByInitialGrant: false,
    nextStep: { action: 'choose_paid_request' },
  });
  t.is(required.extensions['sign-in-with-x'], undefined);
  t.is(body.quickstartUrl, undefined);
  t.notRegex(body.message, /credit/);
});

test('a price of the whole grant can be tried', async (t) => {
  const { trialStatus, body, required } = await openAccess({ operation: expensive(50_000n) }).askUnsigned();
  t.is(trialStatus, 'challenge');
  t.truthy(required.extensions['sign-in-with-x']);
  t.truthy(body.quickstartUrl);
});

test('whoever asks for a price above the grant is not told of a quickstart', async (t) => {
  const { trialStatus, body } = await openAccess({ operation: expensive(50_001n) }).askUnsigned({});
  t.is(trialStatus, 'discovery_probe');
  t.is(body.quickstartUrl, undefined);
});

const AWAY: Setting['ledger'] = { ready: () => ({ ok: false, reason: 'away' }) };
const fails = () => Promise.reject(new Error('no answer'));

for (const [what, setting, isPaidPossible] of [
  ['calls are frozen', { isFrozen: true }, false],
  ['the ledger is away', { ledger: AWAY }, true],
  ['Redis does not answer, and this is not known yet', { ledger: { checkLocks: fails } }, true],
  ['the ledger does not answer, and this is not known yet', { ledger: { budget: fails } }, true],
  ['the ledger and payments are away', { ledger: AWAY, arePaymentsTaken: false }, false],
] as const) {
  test(`trials are unavailable while ${what}`, async (t) => {
    const { status, trialStatus, required } = await openAccess(setting).askUnsigned();
    t.deepEqual([status, trialStatus], [402, 'unavailable']);
    const { nextStep } = required.extensions['seller-trial'].info;
    t.is(nextStep.action, 'stop');
    t.is(/paid request remains possible/.test(nextStep.description), isPaidPossible);
    t.is(required.extensions['sign-in-with-x'], undefined);
  });
}

for (const operation of operations) {
  test(`${operation.name} is offered whatever the query of its URL, and can be tried as long as it can be signed`, async (t) => {
    const access = openAccess({ operation });
    const body = operation.requestExample;
    const statuses: unknown[] = [];
    for (let length = 0; length <= 1500; length += 50) {
      const search = length === 0 ? '' : `?utm_source=${'x'.repeat(length)}`;
      const { status, trialStatus, header, required } = await access.askUnsigned(body, search);
      t.is(status, 402);
      t.true(header.length <= MAX_REQUIRED_CHARACTERS);
      t.is(required.accepts[0].scheme, 'exact');
      const challenge = required.extensions['sign-in-with-x'];
      if (trialStatus === 'challenge') t.true(challenge.info.uri.endsWith(operation.path + search));
      else t.is(challenge, undefined);
      statuses.push(trialStatus);
    }
    t.is(statuses[1], 'challenge');
    t.is(statuses.at(-1), 'unavailable');
    t.deepEqual([...statuses].sort(), statuses, 'a longer query is not easier to sign');
  });
}

test('who cannot sign a long query is told to leave it out, or to pay if that is possible', async (t) => {
  for (const arePaymentsTaken of [true, false]) {
    const { required } = await openAccess({ arePaymentsTaken }).askUnsigned(undefined, `?${'x'.repeat(1500)}`);
    const description = `The query is too long to sign in; leave it out${arePaymentsTaken ? ', or pay' : ''}.`;
    t.deepEqual(required.extensions['seller-trial'].info.nextStep, { action: 'stop', description });
  }
});

test('one late answer of a store does not deny a challenge', async (t) => {
  let asked = 0;
  const isLate = async () => {
    asked += 1;
    if (asked === 1) throw new Error('late');
  };
  const { trialStatus } = await openAccess({ ledger: { checkLocks: isLate } }).askUnsigned();
  t.deepEqual([trialStatus, asked], ['challenge', 2]);
});

test('the ledger is asked once a second, and again after a trial that could not be accounted for', async (t) => {
  let isAway = false;
  let asked = 0;
  const budget = async () => {
    asked += 1;
    return isAway ? fails() : { dayUtc: '', remainingMicroUsd: 50_000n };
  };
  const { askUnsigned, fail } = openAccess({ ledger: { budget } });
  for (let n = 0; n < 2; n += 1) t.is((await askUnsigned()).trialStatus, 'challenge');
  t.is(asked, 1);
  isAway = true;
  await t.throwsAsync(fail(), { code: 'TRIAL_UNAVAILABLE' });
  t.is((await askUnsigned()).trialStatus, 'unavailable');
  isAway = false;
  t.is((await askUnsigned()).trialStatus, 'challenge');
});

for (const [what, isAnswered] of [
  ['Redis does not answer', false],
  ['the ledger answers too late', true],
] as const) {
  test(`while ${what}, many unsigned calls ask the ledger a few times together`, async (t) => {
    let asked = 0;
    const later = () => new Promise((_, reject) => setImmediate(() => reject(new Error('away'))));
    const budget = async () => {
      asked += 1;
      if (isAnswered) await later();
      return { dayUtc: '', remainingMicroUsd: 50_000n };
    };
    const checkLocks = async () => {
      if (!isAnswered) await later();
    };
    const { askUnsigned } = openAccess({ ledger: { budget, checkLocks } });
    const answers = await Promise.all(Array.from({ length: 200 }, () => askUnsigned()));
    t.true(answers.every(({ trialStatus }) => trialStatus === 'unavailable'));
    t.true(asked <= 4, `${asked}`);
  });
}

test('a budget that is used up is seen within a second, whatever the clock of the ledger does', async (t) => {
  let [nowMs, passedMs, left] = [Date.now(), 0, 50_000n];
  const { askUnsigned } = openAccess({
    ledger: { budget: async () => ({ dayUtc: '', remainingMicroUsd: left }) },
    now: () => nowMs,
    monotonicMs: () => passedMs,
  });
  t.is((await askUnsigned()).trialStatus, 'challenge');
  left = 0n;
  nowMs -= 30_000;
  passedMs += 1000;
  t.is((await askUnsigned()).trialStatus, 'daily_budget_exhausted');
});
