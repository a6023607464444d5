import { decodePaymentRequiredHeader } from '@x402/core/http';
import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { AccessReply, AccessRequest } from '../../../../gateway/access/call/access-request.ts';
import { digestBody } from '../../../../gateway/access/call/body-digest.ts';
import type { Execute } from '../../../../gateway/access/call/execution.ts';
import { createOffer } from '../../../../gateway/access/offer/offer.ts';
import { createTrial } from '../../../../gateway/access/trial/trial.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import type { CallFreeze } from '../../../../gateway/freeze/call-freeze.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import type { LedgerClient } from '../../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import type { ErrorCode } from '../../../../services/platform/errors/error-codes.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { until } from '../../../kit/until.ts';
import { openClient, serveLedger } from '../../../services/ledger/service/service-fixture.ts';
import {
  createLedgerDatabase,
  newAnswer,
  newTrial,
  type OpenLedger,
  openTrialLedger,
} from '../../../services/ledger/store/store-fixture.ts';
import { encode, newAccount, openChallenger, sign } from '../challenge/fixture.ts';
import { createFastClock } from '../fast-clock.ts';
import { SECRETS, TERMS } from '../offer/offer-fixture.ts';

const BODY = { html: '<h1>Trial</h1>' };
const RESULT = Buffer.from('{"markdown":"# Trial"}');
const ORIGIN = new URL('http://127.0.0.1:8402');
const REQUEST: AccessRequest = {
  operation: htmlToMarkdown,
  offer: createOffer({
    operation: htmlToMarkdown,
    origin: ORIGIN,
    terms: TERMS,
    secrets: SECRETS,
  }),
  uri: new URL(htmlToMarkdown.path, ORIGIN).href,
  domain: ORIGIN.host,
  body: BODY,
  requestId: uuidv7(),
  client: '192.0.2.1',
  clientNetwork: undefined,
};

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** What happens to the reservation before the gateway resolves it, or to the answers of the ledger. */
type Meanwhile = 'nothing' | 'posted before' | 'swept' | 'answers lost' | 'ledger lost';
/** The outcome of the call, until the ledger resolves it. */
type Course = 'executed' | 'post refused' | 'operation failed';

interface Table {
  readonly ledger: LedgerClient;
  /** The ledger of another process. */
  readonly store: OpenLedger;
  /** What happens next, before the gateway resolves the reservation. */
  readonly course: { isPostRefused?: boolean; areAnswersLost?: boolean };
  readonly stop: () => Promise<void>;
  /** Ends the time limits of answers of the ledger soon. */
  readonly hurry: () => void;
}

async function open(t: ExecutionContext, terms: { readonly dailyBudgetMicroUsd?: bigint } = {}): Promise<Table> {
  const store = openTrialLedger(t, database, { connections: 2, terms });
  const course: Table['course'] = {};
  const resolve = async <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> => {
    const outcome = await work();
    if (course.areAnswersLost) throw new LedgerUnavailableError('uncertain', 'lost');
    return outcome;
  };
  const { target, stop } = await serveLedger(t, store, {
    store: {
      async post(answer) {
        if (course.isPostRefused) throw new LedgerUnavailableError('refused', 'the disk is full');
        return resolve(() => store.post(answer));
      },
      void: (id, reason) => resolve(() => store.void(id, reason)),
    },
  });
  const { monotonicMs, hurry } = createFastClock();
  return { ledger: await openClient(t, { target, monotonicMs }), store, course, stop, hurry };
}

/** The id of the only reservation. */
async function reservationOf({ store }: Table): Promise<string> {
  const [pending] = await store.overdue({ graceMs: -3_600_000, limit: 1, of: 'calls' });
  if (pending === undefined) throw new Error('there is no reservation');
  return pending.reservationId;
}

/** Two on each of the connections. */
const LOOKS = 4;

async function happen(table: Table, meanwhile: Meanwhile): Promise<void> {
  const { ledger, store, course, stop, hurry } = table;
  if (meanwhile === 'posted before') await store.post(newAnswer({ reservationId: await reservationOf(table) }));
  if (meanwhile === 'swept') await store.void(await reservationOf(table), 'swept');
  if (meanwhile === 'answers lost') course.areAnswersLost = true;
  if (meanwhile === 'ledger lost') {
    await stop();
    // Looks take turns over the connections of the client. On one that does not know yet that the service is gone, a request may
    // be sent of which nobody knows whether it arrived.
    for (let failed = 0; failed < LOOKS; ) failed = (await ledger.check()).ok ? 0 : failed + 1;
  }
  if (meanwhile === 'answers lost' || meanwhile === 'ledger lost') hurry();
}

async function run(table: Table, execute: Execute, account = newAccount()): Promise<AccessReply | AppError> {
  const send = await signIn(table, account);
  return send(execute);
}

/** Signs a challenge. @returns a call with this proof */
async function signIn(
  table: Table,
  account = newAccount(),
): Promise<(execute: Execute) => Promise<AccessReply | AppError>> {
  const { challenger } = openChallenger({ now: Date.now });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const admission = { run: <Value>(_client: string, work: () => Promise<Value>) => work() };
  const freeze: CallFreeze = { state: () => 'open' };
  const { uri } = REQUEST.offer;
  const info = challenger.issue({ uri, domain: REQUEST.domain, method: 'POST', bodyDigest: digestBody(BODY) });
  const proof = encode(await sign(info, account));
  return (execute) =>
    createTrial({ ...table, challenger, execute, admission, freeze, now: Date.now, logger })
      .run(REQUEST, proof)
      .catch((error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      });
}

const failWith =
  (code: ErrorCode): Execute =>
  () =>
    Promise.reject(new AppError(code, 'no'));

const takeCourse =
  (table: Table, course: Course, meanwhile: Meanwhile): Execute =>
  async () => {
    await happen(table, meanwhile);
    if (course === 'operation failed') throw new AppError('SERVICE_UNAVAILABLE', 'no');
    table.course.isPostRefused = course === 'post refused';
    return RESULT;
  };

/** Status or error code, trial status, accounting status, balance, and whether the result was delivered. */
function describe(reply: AccessReply | AppError): readonly unknown[] {
  const { headers } = reply;
  return [
    reply instanceof AppError ? reply.code : reply.status,
    headers['x-trial-status'],
    headers['x-trial-accounting-status'],
    headers['x-trial-balance-atomic'],
    !(reply instanceof AppError) && reply.body === RESULT,
  ];
}

const CHARGED = [200, 'charged', 'confirmed', '47000', true] as const;
const released = (code: ErrorCode) => [code, 'released', undefined, '50000', false] as const;
const uncertain = (code: ErrorCode) => [code, 'accounting_uncertain', 'uncertain', undefined, false] as const;

const CASES: readonly (readonly [Course, Meanwhile, readonly unknown[]])[] = [
  ['executed', 'nothing', CHARGED],
  ['executed', 'posted before', CHARGED],
  ['executed', 'swept', uncertain('TRIAL_UNAVAILABLE')],
  ['executed', 'answers lost', [200, 'accounting_uncertain', 'uncertain', undefined, true]],
  ['executed', 'ledger lost', uncertain('TRIAL_UNAVAILABLE')],
  ['post refused', 'nothing', released('TRIAL_UNAVAILABLE')],
  ['post refused', 'posted before', CHARGED],
  ['post refused', 'swept', uncertain('TRIAL_UNAVAILABLE')],
  ['post refused', 'answers lost', uncertain('TRIAL_UNAVAILABLE')],
  ['post refused', 'ledger lost', uncertain('TRIAL_UNAVAILABLE')],
  ['operation failed', 'nothing', released('SERVICE_UNAVAILABLE')],
  ['operation failed', 'posted before', ['SERVICE_UNAVAILABLE', 'charged', 'confirmed', '47000', false]],
  ['operation failed', 'swept', uncertain('SERVICE_UNAVAILABLE')],
  ['operation failed', 'answers lost', uncertain('SERVICE_UNAVAILABLE')],
  ['operation failed', 'ledger lost', uncertain('SERVICE_UNAVAILABLE')],
];

for (const [course, meanwhile, expected] of CASES) {
  test(`${course}, ${meanwhile}: ${expected.slice(0, 2).join(' ')}`, async (t) => {
    const table = await open(t);
    const reply = await run(table, takeCourse(table, course, meanwhile));
    t.deepEqual(describe(reply), expected);
    t.is(reply.headers['x-access-mode'], 'trial');
  });
}

test('whoever sends a proof again is told what became of its call', async (t) => {
  const table = await open(t);
  const isReplayed = (reply: AccessReply | AppError, said: RegExp) => {
    t.deepEqual(describe(reply), ['REPLAYED_PROOF', 'rejected', undefined, undefined, false]);
    t.regex(reply instanceof AppError ? reply.message : '', said);
  };
  const send = await signIn(table);
  const first = await send(async () => {
    isReplayed(await send(failWith('INTERNAL')), /has not ended, and is charged only if it succeeds/);
    return RESULT;
  });
  t.deepEqual(describe(first), CHARGED);
  isReplayed(await send(failWith('INTERNAL')), /was executed and charged, and the result is not sent again/);
  const sendFailing = await signIn(table);
  t.deepEqual(describe(await sendFailing(failWith('INTERNAL'))), released('INTERNAL'));
  isReplayed(await sendFailing(failWith('INTERNAL')), /was not charged/);
});

for (const [status, amountMicroUsd, balance, action] of [
  ['insufficient_balance', 48_000n, '2000', 'choose_paid_request'],
  ['daily_budget_exhausted', 40_000n, '10000', 'wait_or_choose_paid_request'],
] as const) {
  test(`a trial is denied with ${status}, and not offered again`, async (t) => {
    const table = await open(t, { dailyBudgetMicroUsd: amountMicroUsd + 2999n });
    const account = newAccount();
    await table.store.reserve(newTrial({ wallet: account.address.toLowerCase(), amountMicroUsd }));
    const reply = await run(table, failWith('INTERNAL'), account);
    t.deepEqual(describe(reply), [402, status, undefined, balance, false]);
    const { extensions } = decodePaymentRequiredHeader(reply.headers['payment-required'] ?? '');
    t.like(extensions?.['seller-trial'], { info: { status, balanceAtomic: balance, nextStep: { action } } });
    t.is(extensions?.['sign-in-with-x'], undefined);
    t.false(String(!(reply instanceof AppError) && reply.body).includes('quickstartUrl'));
  });
}

for (const code of ['SERVICE_UNAVAILABLE', 'OVERLOADED', 'UPSTREAM_FAILURE', 'UPSTREAM_TIMEOUT', 'INTERNAL'] as const) {
  test(`failures of the service do not lock out a wallet: ${code}`, async (t) => {
    const table = await open(t);
    const account = newAccount();
    for (let count = 0; count < 5; count += 1) await run(table, failWith(code), account);
    t.deepEqual(describe(await run(table, takeCourse(table, 'executed', 'nothing'), account)), CHARGED);
  });
}

for (const code of ['DOCUMENT_TOO_COMPLEX', 'DOCUMENT_TOO_LARGE', 'DOCUMENT_TOO_SLOW', 'INVALID_REQUEST'] as const) {
  test(`refuses a wallet whose own requests fail too often: ${code}`, async (t) => {
    const table = await open(t);
    const account = newAccount();
    for (let count = 0; count < 5; count += 1) {
      t.deepEqual(describe(await run(table, failWith(code), account)), released(code));
    }
    t.deepEqual(describe(await run(table, failWith(code), account)).slice(0, 2), ['RATE_LIMITED', 'rejected']);
  });
}

test('a result whose charge is uncertain is not voided, and a charge stores its answer', async (t) => {
  const table = await open(t);
  await run(table, takeCourse(table, 'executed', 'answers lost'));
  t.like(await table.store.audit(), { pending: 0, violations: [] });
  t.deepEqual(
    await table.store.query(
      'SELECT count(*)::integer AS stored FROM ledger.entry JOIN retained_body ON record_id = id WHERE network = $1',
      [table.store.network],
    ),
    [{ stored: 1 }],
  );
});

for (const fate of ['posted', 'conflict', 'uncertain', 'lock_lost'] as const) {
  test(`a trial whose reserve ends as ${fate} is unavailable and executes nothing`, async (t) => {
    const store = openTrialLedger(t, database, { connections: 2 });
    const voided: string[] = [];
    const { target } = await serveLedger(t, store, {
      store: {
        async reserve(reservation) {
          const { balanceMicroUsd } = { balanceMicroUsd: 0n, ...(await store.reserve(reservation)) };
          if (fate === 'uncertain') throw new LedgerUnavailableError('uncertain', 'lost');
          return fate === 'lock_lost' ? { state: fate } : { state: fate, balanceMicroUsd };
        },
        async void(id, reason) {
          voided.push(id);
          return store.void(id, reason);
        },
      },
    });
    const table = { ledger: await openClient(t, { target }), store, course: {}, stop: async () => {}, hurry() {} };
    const reply = await run(table, failWith('INTERNAL'));
    t.deepEqual(describe(reply), ['TRIAL_UNAVAILABLE', 'unavailable', undefined, undefined, false]);
    t.is(reply.headers['x-access-mode'], undefined);
    // Only what may be ours is returned, while nobody waits for it.
    if (fate === 'uncertain') await until(async () => (await store.audit()).pending === 0);
    t.is(voided.length, fate === 'uncertain' ? 1 : 0);
  });
}
