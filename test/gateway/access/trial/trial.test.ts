import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import type { AccessReply, AccessRequest } from '../../../../gateway/access/call/access-request.ts';
import { digestBody } from '../../../../gateway/access/call/body-digest.ts';
import type { Execution } from '../../../../gateway/access/call/execution.ts';
import { createOffer } from '../../../../gateway/access/offer/offer.ts';
import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';
import { createTrial } from '../../../../gateway/access/trial/trial.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import type { CallFreeze } from '../../../../gateway/freeze/call-freeze.ts';
import { htmlToMarkdown } from '../../../../gateway/operations/html-to-markdown/operation.ts';
import type { Ledger } from '../../../../services/ledger/contract/ledger.ts';
import type { ErrorCode } from '../../../../services/platform/errors/error-codes.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { newNetwork, openLedger } from '../../../services/ledger/fixture.ts';
import { encode, newAccount, openChallenger, sign } from '../challenge/fixture.ts';

const BODY = { html: '<h1>Trial</h1>' };
const RESULT = Buffer.from('{"markdown":"# Trial"}');
const TERMS = {
  network: 'eip155:31337',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USDC',
  assetVersion: '2',
  payTo: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  maxTimeoutSeconds: 60,
  chains: ['eip155:31337'],
};
const ORIGIN = new URL('http://127.0.0.1:8402');
const REQUEST: AccessRequest = {
  operation: htmlToMarkdown,
  offer: createOffer({
    operation: htmlToMarkdown,
    origin: ORIGIN,
    terms: TERMS,
    secrets: createOfferSecrets({ keys: [Buffer.alloc(32, 1)], deploymentId: 'test' }),
  }),
  domain: ORIGIN.host,
  body: BODY,
  requestId: 'request',
  client: '192.0.2.1',
  grantScope: undefined,
};

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

/** What happens to the reservation before the gateway resolves it. */
type Meanwhile = 'nothing' | 'posted by a sweep' | 'voided by a sweep' | 'forgotten by Redis' | 'ledger lost';
/** The outcome of the call. If retention fails, the answer may have been stored. */
type Course = 'retained' | 'retention failed' | 'operation failed';

interface Table {
  readonly ledger: Ledger;
  /** The ledger of another process. */
  readonly sweeper: Ledger;
  readonly forget: () => Promise<void>;
}

async function open(t: ExecutionContext): Promise<Table> {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network, answerWithinMs: 500 });
  const sweeper = await openLedger(t, { ...redis, network });
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  const forget = async () => {
    for (const key of await client.keys(`tollhouse:{${network}}:reservation:*`)) await client.del(key);
  };
  return { ledger, sweeper, forget };
}

/** The id of the only reservation. */
async function reservationOf({ sweeper }: Table): Promise<string> {
  const [pending] = await sweeper.overdue({ graceMs: -3_600_000, limit: 1, of: 'calls' });
  if (pending === undefined) throw new Error('there is no reservation');
  return pending.reservationId;
}

async function happen(table: Table, meanwhile: Meanwhile): Promise<void> {
  if (meanwhile === 'posted by a sweep') await table.sweeper.post(await reservationOf(table));
  if (meanwhile === 'voided by a sweep') await table.sweeper.void(await reservationOf(table), 'swept');
  if (meanwhile === 'forgotten by Redis') await table.forget();
  if (meanwhile === 'ledger lost') await table.ledger.close();
}

function run(table: Table, execution: Execution, account = newAccount()): Promise<AccessReply | AppError> {
  const { challenger } = openChallenger({ now: Date.now });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const admission = { run: <Value>(_client: string, work: () => Promise<Value>) => work() };
  const freeze: CallFreeze = { state: () => 'open' };
  const trial = createTrial({
    ...table,
    challenger,
    execution,
    admission,
    freeze,
    network: 'test',
    now: Date.now,
    logger,
  });
  const { uri } = REQUEST.offer;
  const info = challenger.issue({ uri, domain: REQUEST.domain, method: 'POST', bodyDigest: digestBody(BODY) });
  return sign(info, account)
    .then((proof) => trial.run(REQUEST, encode(proof)))
    .catch((error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    });
}

const failWith = (code: ErrorCode): Execution => ({
  execute: () => Promise.reject(new AppError(code, 'no')),
  retain: () => Promise.reject(new Error('there is nothing to retain')),
});

const takeCourse = (table: Table, course: Course, meanwhile: Meanwhile): Execution => ({
  async execute() {
    if (course !== 'operation failed') return RESULT;
    await happen(table, meanwhile);
    throw new AppError('SERVICE_UNAVAILABLE', 'no');
  },
  async retain() {
    await happen(table, meanwhile);
    if (course === 'retention failed') throw new Error('no answer');
  },
});

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
  ['retained', 'nothing', CHARGED],
  ['retained', 'posted by a sweep', CHARGED],
  ['retained', 'voided by a sweep', released('TRIAL_UNAVAILABLE')],
  ['retained', 'forgotten by Redis', uncertain('TRIAL_UNAVAILABLE')],
  ['retained', 'ledger lost', [200, 'accounting_uncertain', 'uncertain', undefined, true]],
  ['retention failed', 'nothing', released('TRIAL_UNAVAILABLE')],
  ['retention failed', 'posted by a sweep', CHARGED],
  ['retention failed', 'voided by a sweep', released('TRIAL_UNAVAILABLE')],
  ['retention failed', 'forgotten by Redis', uncertain('TRIAL_UNAVAILABLE')],
  ['retention failed', 'ledger lost', uncertain('TRIAL_UNAVAILABLE')],
  ['operation failed', 'nothing', released('SERVICE_UNAVAILABLE')],
  ['operation failed', 'posted by a sweep', ['SERVICE_UNAVAILABLE', 'charged', 'confirmed', '47000', false]],
  ['operation failed', 'voided by a sweep', released('SERVICE_UNAVAILABLE')],
  ['operation failed', 'forgotten by Redis', uncertain('SERVICE_UNAVAILABLE')],
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

for (const code of ['SERVICE_UNAVAILABLE', 'OVERLOADED', 'UPSTREAM_FAILURE', 'UPSTREAM_TIMEOUT', 'INTERNAL'] as const) {
  test(`failures of the service do not lock out a wallet: ${code}`, async (t) => {
    const table = await open(t);
    const account = newAccount();
    for (let count = 0; count < 5; count += 1) await run(table, failWith(code), account);
    t.deepEqual(describe(await run(table, takeCourse(table, 'retained', 'nothing'), account)), CHARGED);
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
