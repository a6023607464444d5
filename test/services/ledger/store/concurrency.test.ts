import test, { type ExecutionContext } from 'ava';
import type { TrialOutcome } from '../../../../services/ledger/contract/outcomes.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connected } from '../../../kit/owned-database.ts';
import { newNetwork, newWallet } from '../fixture.ts';
import {
  callOfPost,
  createLedgerDatabase,
  newAnswer,
  newTrial,
  type OpenLedger,
  openTrialLedger,
} from './store-fixture.ts';

/** Of the test with everything at once. */
const CALLS = 2048;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

function countStates(outcomes: readonly TrialOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of outcomes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** The batcher would repeat a batch after a deadlock. The order of locks excludes them. */
async function hadNoDeadlock(t: ExecutionContext, ledger: OpenLedger): Promise<void> {
  const query = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  t.deepEqual(await ledger.query(query), [{ deadlocks: 0n }]);
}

/** Two ledgers of one network, each with its own connections. */
function openTwo(t: Parameters<typeof openTrialLedger>[0], options: Parameters<typeof openTrialLedger>[2] = {}) {
  const shared = { network: newNetwork(), ...options };
  return [openTrialLedger(t, database, shared), openTrialLedger(t, database, shared)] as const;
}

test.serial('200 concurrent reserves of one wallet through two gateways spend its grant and no more', async (t) => {
  const ledgers = openTwo(t);
  const wallet = newWallet();
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, at) => defined(ledgers[at % 2]).reserve(newTrial({ wallet }))),
  );
  t.deepEqual(countStates(outcomes), { reserved: 3, insufficient_balance: 197 });
  t.is(await ledgers[0].balance(wallet), 8000n);
  t.deepEqual((await ledgers[1].audit()).violations, []);
});

test.serial('a concurrent post and void resolve a reservation once, and both callers learn how', async (t) => {
  const [one, other] = openTwo(t);
  for (let round = 0; round < 20; round += 1) {
    const trial = newTrial();
    await one.reserve(trial);
    const [posted, voided] = await Promise.all([one.post(newAnswer(trial)), other.void(trial.reservationId, 'swept')]);
    // A void that met the post asks again.
    const end = voided.state === 'busy' ? await other.void(trial.reservationId, 'swept') : voided;
    t.deepEqual([posted.state, end.state], posted.state === 'posted' ? ['posted', 'posted'] : ['unknown', 'voided']);
  }
  t.deepEqual((await one.audit()).violations, []);
});

test.serial(
  'posts, voids, duplicates and sweeps of 256 calls in flight over 20 wallets leave exact books',
  async (t) => {
    const ledgers = openTwo(t, {
      terms: { grantMicroUsd: 10_000_000n, dailyBudgetMicroUsd: 1_000_000_000n, failuresPerHour: 0 },
    });
    const wallets = Array.from({ length: 20 }, newWallet);
    let [posted, isDone] = [0, false];
    const sweeps = (async () => {
      // Every open reservation is overdue.
      while (!isDone) await ledgers[0].sweep({ graceMs: -3_600_000, limit: 3 });
    })();
    const call = async (at: number) => {
      const [one, other] = at % 2 ? ledgers : [ledgers[1], ledgers[0]];
      const trial = newTrial({ wallet: defined(wallets[(at * 7) % 20]), amountMicroUsd: 1000n });
      const reserves = await Promise.all(at % 5 ? [one.reserve(trial)] : [one.reserve(trial), other.reserve(trial)]);
      for (const { state } of reserves) t.true(state === 'reserved' || state === 'voided');
      const resolutions = await Promise.all([
        ...(at % 3 ? [one.post(newAnswer(trial))] : [one.void(trial.reservationId, 'cancelled')]),
        ...(at % 4 ? [] : [other.void(trial.reservationId, 'cancelled'), other.post(newAnswer(trial))]),
      ]);
      if (resolutions.some(({ state }) => state === 'posted')) posted += 1;
    };
    let next = 0;
    await Promise.all(
      Array.from({ length: 256 }, async () => {
        while (next < CALLS) {
          next += 1;
          await call(next);
        }
      }),
    );
    isDone = true;
    await sweeps;
    await ledgers[0].sweep({ graceMs: -3_600_000, limit: CALLS });
    const report = await ledgers[1].audit();
    t.deepEqual({ ...report }, { wallets: 20, channels: 0, pending: 0, violations: [] });
    const balances = await Promise.all(wallets.map(ledgers[1].balance));
    t.is(
      balances.reduce((sum, balance) => sum + 10_000_000n - balance, 0n),
      1000n * BigInt(posted),
    );
    t.true(posted > 0);
    await hadNoDeadlock(t, ledgers[0]);
  },
);

test.serial('strangers who are denied at the same time through two gateways leave nothing behind', async (t) => {
  const ledgers = openTwo(t, { terms: { dailyBudgetMicroUsd: 13_999n } });
  const wallets = Array.from({ length: 20 }, newWallet);
  const outcomes = await Promise.all(
    Array.from({ length: CALLS }, (_, at) =>
      defined(ledgers[at % 2]).reserve(newTrial({ wallet: defined(wallets[(at * 7) % 20]) })),
    ),
  );
  t.deepEqual(countStates(outcomes), { daily_budget_exhausted: CALLS });
  t.deepEqual(await ledgers[0].audit(), { wallets: 0, channels: 0, pending: 0, violations: [] });
  await hadNoDeadlock(t, ledgers[0]);
});

test.serial('a post that waits in an open transaction stops no other call', async (t) => {
  const [one, other] = openTwo(t);
  const [stuck, neighbor] = [newTrial(), newTrial()];
  await Promise.all([one.reserve(stuck), one.reserve(neighbor)]);
  await connected(database.url, async (client) => {
    await client.query('BEGIN');
    await client.query(...callOfPost(one.network, stuck.reservationId));
    t.is((await other.reserve(newTrial())).state, 'reserved');
    t.is((await other.reserve(newTrial({ wallet: stuck.wallet }))).state, 'reserved');
    t.is((await other.post(newAnswer(neighbor))).state, 'posted');
    t.is((await other.void(stuck.reservationId, 'cancelled')).state, 'busy');
    t.deepEqual(await other.sweep({ graceMs: -3_600_000, limit: 10 }), { voided: 2, busy: 1 });
    await client.query('COMMIT');
  });
  t.is((await other.void(stuck.reservationId, 'cancelled')).state, 'posted');
  t.deepEqual((await one.audit()).violations, []);
});
