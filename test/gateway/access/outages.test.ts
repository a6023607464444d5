import test from 'ava';
import { startLockRedis } from '../../kit/lock-redis.ts';
import { until } from '../../kit/until.ts';
import { newReservation } from '../../services/ledger/fixture.ts';
import { openClient, openLocks, serveLedger } from '../../services/ledger/service/service-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../services/ledger/store/store-fixture.ts';
import { openAccess } from './access-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

// In these tests, the client of the ledger does not look by itself whether a store is away.
const NEVER_MS = 1_000_000_000;

for (const [how, signal, waitMs] of [
  ['is killed', 'SIGKILL', 30_000],
  ['hangs', 'SIGSTOP', 100],
] as const) {
  test(`when Redis ${how}, the next unsigned call gets no challenge`, async (t) => {
    const redis = await startLockRedis();
    t.teardown(() => redis.remove());
    const store = openTrialLedger(t, database);
    const { target } = await serveLedger(t, store);
    const locks = openLocks(t, { url: redis.url, network: store.network, waitMs });
    const ledger = await openClient(t, { target, locks, checkEveryMs: NEVER_MS });
    const { askUnsigned } = openAccess({ ledger });
    const isChallenged = async () => (await askUnsigned()).trialStatus === 'challenge';
    await until(isChallenged);
    if (signal === 'SIGKILL') await redis.kill();
    else process.kill(redis.pid(), signal);
    const { status, trialStatus, required } = await askUnsigned();
    t.true(ledger.ready().ok);
    if (signal === 'SIGKILL') await redis.start();
    else process.kill(redis.pid(), 'SIGCONT');
    t.deepEqual([status, trialStatus], [402, 'unavailable']);
    t.is(required.extensions['sign-in-with-x'], undefined);
    await until(isChallenged);
  });
}

test('when the service of the ledger stops, unsigned calls after a refused reservation get no challenge', async (t) => {
  const store = openTrialLedger(t, database);
  const { target, stop } = await serveLedger(t, store);
  const ledger = await openClient(t, { target, checkEveryMs: NEVER_MS, timeoutMs: 1000 });
  const { askUnsigned, fail } = openAccess({ ledger });
  await until(async () => (await askUnsigned()).trialStatus === 'challenge');
  await stop();
  await t.throwsAsync(ledger.reserve(newReservation()));
  await t.throwsAsync(fail(), { code: 'TRIAL_UNAVAILABLE' });
  t.is((await askUnsigned()).trialStatus, 'unavailable');
});
