import test from 'ava';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { createLedgerDatabase, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Voids in one batch. */
const voidAll = (ledger: OpenLedger, voids: readonly { readonly id: string; readonly reason: string }[]) =>
  callFunction(ledger.pool, 'void', [ledger.network, JSON.stringify(voids)]);

const failuresOf = async (ledger: OpenLedger) =>
  (
    await ledger.query('SELECT cardinality(failures) AS failures FROM ledger.wallet WHERE network = $1', [
      ledger.network,
    ])
  ).map(({ failures }) => failures);

test('a batch returns the sum of its amounts to a wallet, and counts each failure of a caller by its first reason', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { wallet } = newTrial();
  const trials = [1000n, 2000n, 3000n].map((amountMicroUsd) => newTrial({ wallet, amountMicroUsd }));
  for (const trial of trials) await ledger.reserve(trial);
  const [a, b, c] = trials.map(({ reservationId }) => reservationId);
  if (a === undefined || b === undefined || c === undefined) return t.fail();
  const rows = await voidAll(ledger, [
    { id: a, reason: 'caller_failed' },
    { id: b, reason: 'caller_failed' },
    { id: c, reason: 'swept' },
    { id: c, reason: 'caller_failed' },
  ]);
  t.deepEqual(
    rows.map(({ outcome, credit }) => [outcome, credit]),
    Array(4).fill(['voided', 50_000n]),
  );
  t.deepEqual(await failuresOf(ledger), [2]);
});

test('a failure is added to those of the last hour', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { wallet } = newTrial();
  const nowMs = Date.UTC(2030, 5, 2, 12);
  const fail = async (atMs: number) => {
    await ledger.setClock(atMs);
    const trial = newTrial({ wallet, nowMs: atMs });
    await ledger.reserve(trial);
    await ledger.void(trial.reservationId, 'caller_failed');
  };
  await fail(nowMs);
  await fail(nowMs + 1_800_000);
  t.deepEqual(await failuresOf(ledger), [2]);
  await fail(nowMs + 3_600_000);
  t.deepEqual(await failuresOf(ledger), [2]);
});
