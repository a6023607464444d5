import test from 'ava';
import { createAccess } from '../../../gateway/access/access.ts';
import { createOffersByOrigin } from '../../../gateway/access/offer/offers-by-origin.ts';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import type { Operation } from '../../../gateway/operations/operation/operation.ts';
import { MAX_MICRO_USD } from '../../../services/ledger/contract/channels.ts';
import { openChallenger } from './challenge/fixture.ts';
import { SECRETS, TERMS } from './offer/offer-fixture.ts';

const ORIGIN = new URL('https://api.example.com');

interface Setting {
  readonly operation?: Operation;
  readonly isFrozen?: boolean;
  readonly isLedgerReady?: boolean;
  readonly arePaymentsTaken?: boolean;
  readonly body?: unknown;
}

/** What an unsigned request is answered. */
async function ask(setting: Setting) {
  const { operation = geocode, isFrozen = false, isLedgerReady = true, arePaymentsTaken = true } = setting;
  const never = () => Promise.reject(new Error('nothing is executed'));
  const access = createAccess({
    findOffer: createOffersByOrigin({ operations: [operation], publicUrls: [ORIGIN], terms: TERMS, secrets: SECRETS }),
    ledger: {
      ready: () => (isLedgerReady ? { ok: true } : { ok: false, reason: 'away' }),
      budget: async () => ({ dayUtc: '', remainingMicroUsd: MAX_MICRO_USD }),
    },
    challenger: openChallenger().challenger,
    trial: { run: never },
    payment: { run: never },
    freeze: { state: () => (isFrozen ? 'frozen' : 'open') },
    arePaymentsTaken: async () => arePaymentsTaken,
    now: Date.now,
  });
  const { status, headers, body } = await access.handle({
    operation,
    search: '',
    body: 'body' in setting ? setting.body : { query: 'Berlin' },
    host: ORIGIN.host,
    requestId: 'test',
    client: '192.0.2.1',
    grantScope: undefined,
    paymentSignature: [],
    paymentV1: [],
    signInWithX: [],
  });
  const required = JSON.parse(Buffer.from(headers['payment-required'] ?? '', 'base64').toString());
  return { status, trialStatus: headers['x-trial-status'], body: JSON.parse(body.toString()), required };
}

const expensive = (priceMicroUsd: bigint): Operation => ({ ...geocode, priceMicroUsd });

test('a price above the grant is quoted without a challenge, a quickstart or the promise of the credit', async (t) => {
  const { status, trialStatus, body, required } = await ask({ operation: expensive(50_001n) });
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
  const { trialStatus, body, required } = await ask({ operation: expensive(50_000n) });
  t.is(trialStatus, 'challenge');
  t.truthy(required.extensions['sign-in-with-x']);
  t.truthy(body.quickstartUrl);
});

test('whoever asks for a price above the grant is not told of a quickstart', async (t) => {
  const { trialStatus, body } = await ask({ operation: expensive(50_001n), body: {} });
  t.is(trialStatus, 'discovery_probe');
  t.is(body.quickstartUrl, undefined);
});

for (const [what, setting, isPaidPossible] of [
  ['calls are frozen', { isFrozen: true }, false],
  ['the ledger is away', { isLedgerReady: false }, true],
  ['the ledger and payments are away', { isLedgerReady: false, arePaymentsTaken: false }, false],
] as const) {
  test(`trials are unavailable while ${what}`, async (t) => {
    const { status, trialStatus, required } = await ask(setting);
    t.deepEqual([status, trialStatus], [402, 'unavailable']);
    const { nextStep } = required.extensions['seller-trial'].info;
    t.is(nextStep.action, 'stop');
    t.is(/paid request remains possible/.test(nextStep.description), isPaidPossible);
    t.is(required.extensions['sign-in-with-x'], undefined);
  });
}
