import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createLedgerClient } from '../../../../services/ledger/contract/client.ts';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import type { LedgerStore } from '../../../../services/ledger/service/ledger-service.ts';
import { startRedisProxy } from '../../../kit/redis-proxy.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';
import { createLedgerDatabase, type OpenLedger, openTrialLedger } from '../store/store-fixture.ts';
import {
  answerFor,
  answerOfClaim,
  FREE_LOCKS,
  openClaim,
  openClaims,
  openClient,
  serveLedger,
} from './service-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const UNCERTAIN = new LedgerUnavailableError('uncertain', 'perhaps');

/** A client behind a proxy that can break its connections. */
async function open(t: ExecutionContext, storeOf: (ledger: OpenLedger, cut: () => void) => Partial<LedgerStore>) {
  const ledger = openTrialLedger(t, database);
  let cut = () => {};
  const served = await serveLedger(t, ledger, { store: storeOf(ledger, () => cut()) });
  const proxy = await startRedisProxy(served.target.slice('unix:'.length));
  t.teardown(() => proxy.close());
  cut = proxy.cut;
  const target = proxy.url.replace('unix://', 'unix:');
  return { ledger, served, proxy, client: await openClient(t, { target }) };
}

/** Loses the answers to the first calls. */
function losing<Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>, cut: () => void, times = 1) {
  let calls = 0;
  const lossy = async (...args: Args): Promise<Answer> => {
    calls += 1;
    const answer = await work(...args);
    if (calls <= times) cut();
    return answer;
  };
  return { lossy, calls: () => calls };
}

test('a post or void whose answer is lost is asked again by its id', async (t) => {
  const { ledger, client } = await open(t, ({ post, void: voidOne }, cut) => ({
    post: losing(post, cut, 2).lossy,
    void: losing(voidOne, cut, 2).lossy,
  }));
  const [posted, voided] = [newReservation(), newReservation()];
  await Promise.all([posted, voided].map(client.reserve));
  t.is((await client.post(answerFor(posted))).state, 'posted');
  // The first void was done, so the second one finds nothing.
  t.is((await client.void(voided.reservationId, 'cancelled')).state, 'unknown');
  t.like(await ledger.audit(), { pending: 0, violations: [] });
});

test('a keep whose answer is lost is asked again, and the answer is kept once', async (t) => {
  let calls = () => 0;
  const { ledger, client } = await open(t, ({ keep }, cut) => {
    const lossy = losing(keep, cut, 2);
    ({ calls } = lossy);
    return { keep: lossy.lossy };
  });
  const claim = await openClaim(openClaims(ledger));
  t.is(await client.keep(answerOfClaim(claim)), 'kept');
  t.true(calls() > 1);
  const bodies = 'SELECT count(*) AS bodies FROM retained_body WHERE record_id = $1';
  t.deepEqual(await ledger.query(bodies, [claim.claimId]), [{ bodies: 1n }]);
});

test('a reserve, charge or hold whose answer is lost is uncertain, and is not sent again', async (t) => {
  const calls: (() => number)[] = [];
  const lose = (work: (...args: never[]) => Promise<never>, cut: () => void) => {
    const { lossy, calls: count } = losing(work, cut);
    calls.push(count);
    return lossy;
  };
  const { ledger, client } = await open(t, ({ reserve }, cut) => {
    const cutAndFail = async (): Promise<never> => {
      cut();
      throw UNCERTAIN;
    };
    const { lossy, calls: count } = losing(reserve, cut);
    calls.push(count);
    return { reserve: lossy, charge: lose(cutAndFail, cut), holdRefund: lose(cutAndFail, cut) };
  });
  const trial = newReservation();
  await throwsUnavailable(t, client.reserve(trial), 'uncertain');
  await throwsUnavailable(t, client.charge(newCharge()), 'uncertain');
  await throwsUnavailable(t, client.holdRefund(newHold()), 'uncertain');
  t.is((await client.void(trial.reservationId, 'cancelled')).state, 'voided');
  // One that was sent on a connection that was breaking did not arrive.
  t.true(calls.every((count) => count() <= 1));
  t.like(await ledger.audit(), { pending: 0, violations: [] });
});

test('a service that is gone refuses, and a post waits for its successor', async (t) => {
  const { ledger, served, client } = await open(t, () => ({}));
  const trial = newReservation();
  await client.reserve(trial);
  await served.stop();
  await until(() => !client.ready().ok);
  t.deepEqual(client.ready(), { ok: false, reason: 'the ledger does not answer' });
  await throwsUnavailable(t, client.reserve(newReservation()), 'not_ready');
  const post = client.post(answerFor(trial));
  await served.start();
  t.is((await post).state, 'posted');
  await until(() => client.ready().ok);
  t.is((await client.reserve(newReservation())).state, 'reserved');
  t.like(await ledger.audit(), { pending: 1, violations: [] });
});

test('what was never sent is refused', async (t) => {
  const folder = createTestFolder();
  t.teardown(() => folder.remove());
  const client = createLedgerClient({
    target: `unix:${join(folder.runDir, 'nobody.sock')}`,
    locks: FREE_LOCKS,
    clockToleranceMs: 1000,
    timeoutMs: 30_000,
  });
  t.teardown(() => client.close());
  await throwsUnavailable(t, client.charge(newCharge()), 'refused');
  await throwsUnavailable(t, client.holdRefund(newHold()), 'refused');
  await throwsUnavailable(t, client.channels([]), 'refused');
  await throwsUnavailable(t, client.budget(), 'refused');
});
