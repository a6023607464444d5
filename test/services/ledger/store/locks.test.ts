import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { probeDurability } from '../../../../services/ledger/store/status.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { connected } from '../../../kit/owned-database.ts';
import { newCharge, newSignature } from '../channel-fixture.ts';
import { beside, settingDuring } from './held-lock.ts';
import { callOfPost, createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
const { url } = database;
test.after.always(() => database.stop());

const RESERVATION = 'SELECT FROM ledger.reservation WHERE id = $1 FOR UPDATE';
const WALLET = 'SELECT FROM ledger.wallet WHERE address = $1 FOR UPDATE';
const CHANNEL = 'SELECT FROM ledger.channel WHERE id = $1 FOR UPDATE';
const DAY = `SELECT ${LEDGER_FUNCTIONS}.lock_day($1, (ledger.clock() AT TIME ZONE 'UTC')::date)`;
const KEYS = `SELECT ${LEDGER_FUNCTIONS}.lock_keys($1, $2)`;
const ADVISORY = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

test('a post waits for its reservation, and a void and a sweep do not', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial({ deadlineMs: Date.now() + 1000 });
  const { reservationId } = trial;
  await ledger.reserve(trial);
  const hold = [RESERVATION, [reservationId]] as const;
  t.like(await beside(url, ledger, hold, () => ledger.void(reservationId, 'swept')), {
    waits: false,
    answer: { state: 'busy', balanceMicroUsd: 36_000n },
  });
  t.deepEqual(await beside(url, ledger, hold, () => ledger.sweep({ graceMs: -3_600_000, limit: 10 })), {
    waits: false,
    answer: { voided: 0, busy: 1 },
  });
  t.like(await beside(url, ledger, hold, () => ledger.post(newAnswer(trial))), {
    waits: true,
    answer: { state: 'posted' },
  });
});

test('a reserve waits for its wallet before it decides, and then for its day', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { wallet } = newTrial();
  await ledger.reserve(newTrial({ wallet }));
  const poor = newTrial({ wallet, amountMicroUsd: 40_000n });
  t.like(await beside(url, ledger, [WALLET, [wallet]], () => ledger.reserve(poor)), {
    waits: true,
    answer: { state: 'insufficient_balance' },
  });
  for (const given of [{ wallet }, { wallet, amountMicroUsd: 40_000n }, {}]) {
    const next = newTrial(given);
    t.like(await beside(url, ledger, [DAY, [ledger.network]], () => ledger.reserve(next)), { waits: true });
  }
});

test('a void waits for the day of its trial, and a call of a channel has none', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [trial, charge] = [newTrial(), newCharge()];
  await ledger.reserve(trial);
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  await ledger.charge(charge);
  const hold = [DAY, [ledger.network]] as const;
  t.like(await beside(url, ledger, hold, () => ledger.void(charge.reservationId, 'cancelled')), { waits: false });
  t.like(await beside(url, ledger, hold, () => ledger.void(trial.reservationId, 'cancelled')), { waits: true });
});

test('days of other networks, and other days, do not wait for each other', async (t) => {
  const [ledger, other] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  t.like(await beside(url, ledger, [DAY, [other.network]], () => ledger.reserve(newTrial())), { waits: false });
  const tomorrow = [DAY.replace('::date', '::date + 1'), [ledger.network]] as const;
  t.like(await beside(url, ledger, tomorrow, () => ledger.reserve(newTrial())), { waits: false });
});

test('a reset of grants waits for the day', async (t) => {
  const ledger = openTrialLedger(t, database);
  const reset = () => inspectLedger(ledger).resetGrants('203.0.113.0/24');
  t.deepEqual(await beside(url, ledger, [DAY, [ledger.network]], reset), { waits: true, answer: undefined });
});

test('a channel that another transaction has is busy, and not waited for', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  await ledger.charge(charge);
  await ledger.void(charge.reservationId, 'cancelled');
  const next = newCharge({ channelId: charge.channelId });
  t.like(await beside(url, ledger, [CHANNEL, [charge.channelId]], () => ledger.charge(next)), {
    waits: false,
    answer: { state: 'channel_busy' },
  });
  t.is((await ledger.charge(next)).state, 'reserved');
});

test('a call waits for each of its keys, and for no other', async (t) => {
  const ledger = openTrialLedger(t, database);
  const identifier = { signer: `0x${newSignature().slice(2, 42)}`, hash: newSignature().slice(2, 66) };
  const key = `${identifier.signer}${identifier.hash}`;
  const charge = newCharge({ identifier });
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  const call = (id: string) => ledger.charge({ ...charge, reservationId: id });
  t.like(await beside(url, ledger, [KEYS, [ledger.network, [`${key}0`]]], () => call(newCharge().reservationId)), {
    waits: false,
  });
  t.like(await beside(url, ledger, [KEYS, [ledger.network, [key]]], () => call(newCharge().reservationId)), {
    waits: true,
    answer: { state: 'channel_busy' },
  });
  const both = () => ledger.query(KEYS, [ledger.network, ['another', key]]);
  t.like(await beside(url, ledger, [KEYS, [ledger.network, [key]]], both), { waits: true });
});

test('probes, upkeep and what begins an epoch are alone', async (t) => {
  const ledger = openTrialLedger(t, database);
  t.like(await beside(url, ledger, [ADVISORY, ['ledger.probe']], () => probeDurability(ledger.pool)), { waits: true });
  const upkeep = () => ledger.query(`SELECT ${LEDGER_FUNCTIONS}.open_upkeep()`);
  t.like(await beside(url, ledger, [ADVISORY, ['ledger.upkeep']], upkeep), { waits: true });
  const begin = () => ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch(false)`);
  t.like(await beside(url, ledger, [ADVISORY, ['ledger.epoch']], begin), { waits: true });
});

test('a post whose row is locked fails alone, and the others of its batch are charged', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trials = Array.from({ length: 8 }, () => newTrial());
  await Promise.all(trials.map(ledger.reserve));
  const [first, stuck, ...others] = trials.map(({ reservationId }) => reservationId);
  await connected(url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM ledger.reservation WHERE id = $1 FOR UPDATE', [stuck]);
    const outcomes = await Promise.allSettled(trials.map((trial) => ledger.post(newAnswer(trial))));
    t.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.state : outcome.reason.code)),
      trials.map(({ reservationId }) => (reservationId === stuck ? 'refused' : 'posted')),
    );
    await holder.query('ROLLBACK');
  });
  t.true(first !== undefined && others.length === 6);
  t.is((await ledger.post(newAnswer({ reservationId: String(stuck) }))).state, 'posted');
});

test('what waits for a lock gives up before its callers do', async (t) => {
  const during = (call: string) => settingDuring(url, `${LEDGER_FUNCTIONS}.${call}`, 'lock_timeout');
  const call = '{"id":"00000000-0000-7000-8000-000000000000","request_size":0,"response_size":0}';
  for (const [calls, ids, timeout] of [
    [[call], '{00000000-0000-7000-8000-000000000000}', '3s'],
    [[call, call], '{00000000-0000-7000-8000-000000000000,00000000-0000-7000-8000-000000000001}', '2s'],
  ] as const) {
    t.is(await during(`post('eip155:1', '[${calls.join()}]', '')`), timeout);
    t.is(await during(`lock_claims('eip155:1', '${ids}')`), timeout);
  }
  t.is(await during('open_upkeep()'), '500ms');
});

test('what must be durable waits for the disk, and nothing else does', async (t) => {
  const during = (call: string) => settingDuring(url, `${LEDGER_FUNCTIONS}.${call}`, 'synchronous_commit');
  t.is(await during('probe()'), 'on');
  t.is(await during(`keep('eip155:1', '[]', '')`), 'on');
  t.is(await during(`note_transactions('eip155:1', '[]')`), 'on');
  for (const [isDurable, setting] of [
    ['true', 'on'],
    ['false', 'off'],
  ] as const) {
    t.is(await during(`start_settling('eip155:1', '[]', ${isDurable})`), setting);
    t.is(await during(`finish_claims('eip155:1', '[]', ${isDurable})`), setting);
  }
  const terms = JSON.stringify({ grant_amount: 1, budget: 1, grants_per_scope: 0, failures_per_hour: 0 });
  for (const call of [`charge('eip155:1', '[]')`, `reserve('eip155:1', '${terms}', '[]')`, `void('eip155:1', '[]')`])
    t.is(await during(call), 'off', call);
});

test('what must be durable waits for the disk on any server, and for the standbys of one that applies commits there', async (t) => {
  const during = (call: string, commit: string) =>
    settingDuring(url, `${LEDGER_FUNCTIONS}.${call}`, 'synchronous_commit', commit);
  const [keep, post] = [`keep('eip155:1', '[]', '')`, `post('eip155:1', '[]', '')`];
  for (const call of [keep, post, 'begin_epoch(false)']) t.is(await during(call, 'off'), 'on');
  for (const commit of ['local', 'remote_write', 'on']) t.is(await during(post, commit), 'on');
  for (const call of [keep, post]) t.is(await during(call, 'remote_apply'), 'remote_apply');
  t.is(await during(`charge('eip155:1', '[]')`, 'remote_apply'), 'off');
});

test('a server that recovers is said to be one before anything else', async (t) => {
  // A session looks a name up in its own schemas first, if it says so.
  const pretend = `CREATE SCHEMA recovering;
    CREATE FUNCTION recovering.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true'`;
  await connected(url, async (client) => {
    await client.query(pretend);
    await client.query('SET search_path = recovering, pg_catalog');
    for (const call of ['open_batch(true)', 'begin_epoch(true)', 'open_upkeep()', `used_today('eip155:1')`])
      await t.throwsAsync(client.query(`SELECT ${LEDGER_FUNCTIONS}.${call}`), { code: '25006' }, call);
  });
});

test('what only reads what others wrote has a commit, too, that waits for the disk', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  await ledger.reserve(trial);
  await ledger.post(newAnswer(trial));
  const hasCommit = (text: string, values: readonly unknown[] = []) =>
    connected(url, async (client) => {
      await client.query('BEGIN');
      await client.query(text, [...values]);
      const { rows } = await client.query('SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS found');
      await client.query('ROLLBACK');
      return rows[0]?.found;
    });
  t.true(await hasCommit(...callOfPost(ledger.network, trial.reservationId)));
  const [post, values] = callOfPost(ledger.network, uuidv7());
  t.true(await hasCommit(post.replace('.post(', '.keep('), values));
  t.true(await hasCommit(`SELECT ${LEDGER_FUNCTIONS}.probe()`));
  t.true(await hasCommit(`SELECT ${LEDGER_FUNCTIONS}.probe_disk()`));
});
