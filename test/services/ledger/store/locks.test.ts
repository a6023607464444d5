import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { inspectLedger } from '../../../../services/ledger/store/inspection.ts';
import { probeDurability } from '../../../../services/ledger/store/status.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connected } from '../../../kit/owned-database.ts';
import { newCharge, newSignature } from '../channel-fixture.ts';
import { beside, settingDuring } from './held-lock.ts';
import { fundedCall, spend } from './ledger-steps.ts';
import {
  callOfPost,
  createLedgerDatabase,
  newAnswer,
  newTrial,
  type OpenLedger,
  openTrialLedger,
} from './store-fixture.ts';

const database = await createLedgerDatabase();
const { url } = database;
test.after.always(() => database.stop());

const RESERVATION = 'SELECT FROM ledger.reservation WHERE id = $1 FOR UPDATE';
const WALLET = 'SELECT FROM ledger.wallet WHERE address = $1 FOR UPDATE';
const CHANNEL = 'SELECT FROM ledger.channel WHERE id = $1 FOR UPDATE';
const DAY = `SELECT ${LEDGER_FUNCTIONS}.lock_day($1, (ledger.clock() AT TIME ZONE 'UTC')::date)`;
const KEYS = `SELECT ${LEDGER_FUNCTIONS}.lock_keys($1, $2)`;
const ADVISORY = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

type Hold = readonly [text: string, ...values: unknown[]];

/** Finds whether a call of a ledger waits for a lock of another transaction, and its answer. */
const during = <Answer>(ledger: OpenLedger, [text, ...values]: Hold, act: () => Promise<Answer>) =>
  beside(url, ledger, [text, values], act);

test('a post waits for its reservation, and a void and a sweep do not', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial({ deadlineMs: Date.now() + 1000 });
  const { reservationId } = trial;
  await ledger.reserve(trial);
  const hold = [RESERVATION, reservationId] as const;
  const busy = { state: 'busy', balanceMicroUsd: 36_000n } as const;
  t.deepEqual(await during(ledger, hold, () => ledger.void(reservationId, 'swept')), { waits: false, answer: busy });
  const sweep = () => ledger.sweep({ graceMs: -3_600_000, limit: 10 });
  t.deepEqual(await during(ledger, hold, sweep), { waits: false, answer: { voided: 0, busy: 1 } });
  const post = () => ledger.post(newAnswer(trial));
  t.like(await during(ledger, hold, post), { waits: true, answer: { state: 'posted' } });
});

test('a reserve waits for its wallet before it decides, and then for its day', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { wallet } = newTrial();
  await ledger.reserve(newTrial({ wallet }));
  const poor = { wallet, amountMicroUsd: 40_000n };
  const reserve = (given: Parameters<typeof newTrial>[0]) => () => ledger.reserve(newTrial(given));
  const answer = { state: 'insufficient_balance' };
  t.like(await during(ledger, [WALLET, wallet], reserve(poor)), { waits: true, answer });
  for (const given of [{ wallet }, poor, {}]) {
    t.like(await during(ledger, [DAY, ledger.network], reserve(given)), { waits: true });
  }
});

test('a void of a trial and a reset of grants wait for the day, and a call of a channel has none', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [trial, charge] = [newTrial(), await fundedCall(ledger)];
  await ledger.reserve(trial);
  await ledger.charge(charge);
  const voiding = (id: string) => () => ledger.void(id, 'cancelled');
  const hold = [DAY, ledger.network] as const;
  t.like(await during(ledger, hold, voiding(charge.reservationId)), { waits: false });
  t.like(await during(ledger, hold, voiding(trial.reservationId)), { waits: true });
  const reset = () => inspectLedger(ledger).resetGrants('203.0.113.0/24');
  t.deepEqual(await during(ledger, hold, reset), { waits: true, answer: undefined });
});

test('days of other networks, and other days, do not wait for each other', async (t) => {
  const [ledger, other] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const reserve = () => ledger.reserve(newTrial());
  t.like(await during(ledger, [DAY, other.network], reserve), { waits: false });
  const tomorrow = DAY.replace('::date', '::date + 1');
  t.like(await during(ledger, [tomorrow, ledger.network], reserve), { waits: false });
});

test('a channel that another transaction has is busy, and not waited for', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger);
  const { channelId } = charge;
  await ledger.charge(charge);
  await ledger.void(charge.reservationId, 'cancelled');
  const next = newCharge({ channelId });
  const answer = { state: 'channel_busy' };
  t.like(await during(ledger, [CHANNEL, channelId], () => ledger.charge(next)), { waits: false, answer });
  t.is((await ledger.charge(next)).state, 'reserved');
});

test('a call waits for each of its keys, and for no other', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { network } = ledger;
  const identifier = { signer: `0x${newSignature().slice(2, 42)}`, hash: newSignature().slice(2, 66) };
  const key = `${identifier.signer}${identifier.hash}`;
  const charge = await fundedCall(ledger, { identifier });
  const call = () => ledger.charge({ ...charge, reservationId: uuidv7() });
  t.like(await during(ledger, [KEYS, network, [`${key}0`]], call), { waits: false });
  t.like(await during(ledger, [KEYS, network, [key]], call), { waits: true, answer: { state: 'channel_busy' } });
  const both = () => ledger.query(KEYS, [network, ['another', key]]);
  t.like(await during(ledger, [KEYS, network, [key]], both), { waits: true });
});

test('probes, upkeep and what begins an epoch are alone', async (t) => {
  const ledger = openTrialLedger(t, database);
  const query = (call: string) => () => ledger.query(`SELECT ${LEDGER_FUNCTIONS}.${call}`);
  for (const [lock, act] of [
    ['ledger.probe', () => probeDurability(ledger.pool)],
    ['ledger.upkeep', query('open_upkeep()')],
    ['ledger.epoch', query('begin_epoch(false)')],
  ] as const)
    t.like(await during<unknown>(ledger, [ADVISORY, lock], act), { waits: true }, lock);
});

test('a post whose row is locked fails alone, and the others of its batch are charged', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trials = Array.from({ length: 8 }, () => newTrial());
  await Promise.all(trials.map(ledger.reserve));
  const stuck = defined(trials[1]).reservationId;
  await connected(url, async (holder) => {
    await holder.query('BEGIN');
    await holder.query(RESERVATION, [stuck]);
    const outcomes = await Promise.allSettled(trials.map((trial) => ledger.post(newAnswer(trial))));
    t.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.state : outcome.reason.code)),
      trials.map(({ reservationId }) => (reservationId === stuck ? 'refused' : 'posted')),
    );
    await holder.query('ROLLBACK');
  });
  t.is((await ledger.post(newAnswer({ reservationId: stuck }))).state, 'posted');
});

test('what waits for a lock gives up before its callers do', async (t) => {
  const timeoutOf = (call: string) => settingDuring(url, `${LEDGER_FUNCTIONS}.${call}`, 'lock_timeout');
  const call = '{"id":"00000000-0000-7000-8000-000000000000","request_size":0,"response_size":0}';
  for (const [calls, ids, timeout] of [
    [[call], '{00000000-0000-7000-8000-000000000000}', '3s'],
    [[call, call], '{00000000-0000-7000-8000-000000000000,00000000-0000-7000-8000-000000000001}', '2s'],
  ] as const) {
    t.is(await timeoutOf(`post('eip155:1', '[${calls.join()}]', '')`), timeout);
    t.is(await timeoutOf(`lock_claims('eip155:1', '${ids}')`), timeout);
  }
  t.is(await timeoutOf('open_upkeep()'), '500ms');
});

test('what must be durable waits for the disk on any server, and for standbys that apply commits, and nothing else does', async (t) => {
  const [keep, post] = [`keep('eip155:1', '[]', '')`, `post('eip155:1', '[]', '')`];
  const charge = `charge('eip155:1', '[]')`;
  for (const [call, commit, expected] of [
    ['probe()', 'on', 'on'],
    [keep, 'on', 'on'],
    [`note_transactions('eip155:1', '[]')`, 'on', 'on'],
    [`start_settling('eip155:1', '[]', true)`, 'on', 'on'],
    [`finish_claims('eip155:1', '[]', true)`, 'on', 'on'],
    [`start_settling('eip155:1', '[]', false)`, 'on', 'off'],
    [`finish_claims('eip155:1', '[]', false)`, 'on', 'off'],
    [charge, 'on', 'off'],
    [`reserve('eip155:1', 1, 1, 0, 0, '[]')`, 'on', 'off'],
    [`void('eip155:1', '[]')`, 'on', 'off'],
    [keep, 'off', 'on'],
    [post, 'off', 'on'],
    ['begin_epoch(false)', 'off', 'on'],
    [post, 'local', 'on'],
    [post, 'remote_write', 'on'],
    [post, 'on', 'on'],
    [keep, 'remote_apply', 'remote_apply'],
    [post, 'remote_apply', 'remote_apply'],
    [charge, 'remote_apply', 'off'],
  ] as const) {
    const setting = await settingDuring(url, `${LEDGER_FUNCTIONS}.${call}`, 'synchronous_commit', commit);
    t.is(setting, expected, `${call} where the session has ${commit}`);
  }
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
  await spend(ledger, trial);
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
