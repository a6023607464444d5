import test from 'ava';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { newChannel, newCharge, newHold } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const NOON_MS = Date.UTC(2030, 8, 1, 12);
const DAY_MS = 86_400_000;
const SCOPES = ['203.0.113.0/24', '198.51.100.0/24'] as const;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('reads see the wallets, days and grants of their own network', async (t) => {
  const [here, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  for (const each of [here, there]) await each.setClock(NOON_MS);
  const { wallet } = newTrial();
  const trial = () => newTrial({ wallet, nowMs: NOON_MS, amountMicroUsd: 1000n, grantScope: SCOPES[0] });
  const posted = trial();
  for (const ask of [posted, trial(), trial()]) await there.reserve(ask);
  await there.post(newAnswer(posted));
  t.is(await here.balance(wallet), 50_000n);
  t.like(await here.figures(), { usedMicroUsd: 0n, open: 0, reservedMicroUsd: 0n });
  t.is((await here.budget()).remainingMicroUsd, 5_000_000n);
  t.is(await inspectLedger(here).wallet(wallet), undefined);
  t.deepEqual(await here.overdue({ graceMs: -3_600_000, limit: 10, of: 'calls' }), []);
  t.deepEqual(await inspectLedger(here).grants(), []);
  t.is(await inspectLedger(here).resetGrants(SCOPES[0]), undefined);
  await here.reserve(trial());
  t.like(await inspectLedger(here).wallet(wallet), { reservedMicroUsd: 1000n, spentMicroUsd: 0n });
  t.like(await inspectLedger(there).wallet(wallet), { reservedMicroUsd: 2000n, spentMicroUsd: 1000n });
});

test('grants are those of today, and a reset changes one scope of one day', async (t) => {
  const ledger = openTrialLedger(t, database);
  const inspection = inspectLedger(ledger);
  for (const nowMs of [NOON_MS, NOON_MS + DAY_MS]) {
    await ledger.setClock(nowMs);
    for (const grantScope of SCOPES) await ledger.reserve(newTrial({ nowMs, grantScope }));
    t.deepEqual(
      (await inspection.grants()).map(({ grants }) => grants),
      [1, 1],
    );
  }
  t.is(await inspection.resetGrants(SCOPES[0]), 1);
  t.deepEqual(await inspection.grants(), [{ scope: SCOPES[1], grants: 1 }]);
  await ledger.setClock(NOON_MS);
  t.is((await inspection.grants()).length, 2);
});

test('what the parts of a day use adds up', async (t) => {
  const ledger = openTrialLedger(t, database);
  await ledger.reserve(newTrial());
  await ledger.query('UPDATE ledger.trial_day SET changes = 4000 WHERE network = $1', [ledger.network]);
  await ledger.reserve(newTrial());
  t.is((await ledger.figures()).usedMicroUsd, 28_000n);
  t.is((await ledger.query('SELECT FROM ledger.trial_day WHERE network = $1', [ledger.network])).length, 2);
});

test('channels are answered in order, with what is charged and what is reserved', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  await ledger.charge(charge);
  const accounts = await ledger.channels([newChannel(), charge.channelId, newChannel()]);
  t.deepEqual(
    accounts.map(({ chargedMicroUsd, reservedMicroUsd }) => [chargedMicroUsd, reservedMicroUsd]),
    [
      [0n, 0n],
      [0n, 14_000n],
      [0n, 0n],
    ],
  );
});

test('a sweep leaves refunds, and blames no caller', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [trial, hold] = [newTrial(), newHold({ channelId: newChannel() })];
  await ledger.show(hold.channelId, { balanceMicroUsd: 100_000n });
  await ledger.reserve(trial);
  await ledger.holdRefund(hold);
  t.deepEqual(await ledger.sweep({ graceMs: 0, limit: 10 }), { voided: 0, busy: 0 });
  t.deepEqual(await ledger.sweep({ graceMs: -3_600_000, limit: 10 }), { voided: 1, busy: 0 });
  t.is((await ledger.channels([hold.channelId]))[0]?.reservedMicroUsd, 100_000n);
  const [row] = await ledger.query('SELECT failures FROM ledger.wallet WHERE address = $1', [trial.wallet]);
  t.deepEqual(row, { failures: [] });
});
