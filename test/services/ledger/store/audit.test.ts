import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { newCharge } from '../channel-fixture.ts';
import { newWallet } from '../fixture.ts';
import { fundedCall, paidCall, pay, spend } from './ledger-steps.ts';
import { createLedgerDatabase, newTrial, type OpenLedger, openOwnLedger, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
/** Near the entries of other tests: an audit looks at each day from the first entry of the database to the last one. */
const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAY = dayOf(NOON_MS);
const [DAY_OFF, BEYOND] = [`day_adds_up ${DAY}`, `day_within_budget ${DAY}`];

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A ledger with damage, so that its end audits nothing. */
function openDamaged(t: ExecutionContext): OpenLedger {
  const ledger = openTrialLedger(t, database);
  ledger.notAudited();
  return ledger;
}

/** A ledger with an open and a posted reservation. */
async function openUsed(t: ExecutionContext) {
  const ledger = openDamaged(t);
  await ledger.setClock(NOON_MS);
  const [open, posted] = [newTrial({ nowMs: NOON_MS }), newTrial({ nowMs: NOON_MS })];
  await ledger.reserve(open);
  await spend(ledger, posted);
  const ofPosted = { postedWallet: posted.wallet, postedId: posted.reservationId };
  return { ledger, of: { network: ledger.network, wallet: open.wallet, id: open.reservationId, ...ofPosted } };
}
type Subjects = Awaited<ReturnType<typeof openUsed>>['of'];

const violationsOf = async (ledger: OpenLedger) =>
  (await ledger.audit()).violations.map(({ invariant, subject }) => `${invariant} ${subject}`).toSorted();

/** Changes rows as only a fault of the server could: without triggers. */
const plant = (statement: string, values: readonly unknown[]) =>
  connected(adminUrlOf(database.url), async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(statement, [...values]);
  });

const DAMAGE: readonly (readonly [what: string, statement: string, keyof Subjects, (of: Subjects) => string[]])[] = [
  [
    'a balance that nothing accounts for',
    'UPDATE ledger.wallet SET balance = balance + 1 WHERE address',
    'wallet',
    ({ wallet }) => [`grants_add_up ${wallet}`],
  ],
  [
    'that a wallet is missing',
    'DELETE FROM ledger.wallet WHERE address',
    'wallet',
    ({ wallet }) => [`one_grant ${wallet}`],
  ],
  [
    'that what was posted has no wallet',
    'DELETE FROM ledger.wallet WHERE address',
    'postedWallet',
    ({ postedWallet }) => [`one_grant ${postedWallet}`],
  ],
  [
    'that what was posted has no entry',
    'DELETE FROM ledger.entry WHERE id',
    'postedId',
    ({ postedWallet }) => [DAY_OFF, `grants_add_up ${postedWallet}`],
  ],
  [
    'that what was posted has no answer',
    'DELETE FROM retained_body WHERE record_id',
    'postedId',
    ({ postedId }) => [`answers_are_kept ${postedId}`],
  ],
  [
    'that a reservation is missing',
    'DELETE FROM ledger.reservation WHERE id',
    'id',
    ({ wallet }) => [DAY_OFF, `grants_add_up ${wallet}`],
  ],
  [
    'that the nonce of a reservation is missing',
    'DELETE FROM ledger.nonce WHERE reservation_id',
    'id',
    ({ id }) => [`one_reservation_per_nonce ${id}`],
  ],
  [
    'a reservation that is open and posted',
    `INSERT INTO ledger.entry (id, network, account, kind, amount, day, at)
      SELECT id, network, account, 'post', amount, day, reserved_at FROM ledger.reservation WHERE id`,
    'id',
    ({ id, wallet }) => [`answers_are_kept ${id}`, DAY_OFF, `grants_add_up ${wallet}`, `one_resolution ${id}`],
  ],
  ['a day whose use is wrong', 'UPDATE ledger.trial_day SET used = used - 1 WHERE network', 'network', () => [DAY_OFF]],
  ['that a day is missing', 'DELETE FROM ledger.trial_day WHERE network', 'network', () => [DAY_OFF, BEYOND]],
  ['a day beyond its budget', 'UPDATE ledger.trial_day SET budget = 27999 WHERE network', 'network', () => [BEYOND]],
];
for (const [what, statement, subject, expected] of DAMAGE) {
  test(`an audit finds ${what}, and nothing before`, async (t) => {
    const { ledger, of } = await openUsed(t);
    t.deepEqual(await ledger.audit(), { wallets: 2, channels: 0, pending: 1, violations: [] });
    await plant(`${statement} = $1`, [of[subject]]);
    t.deepEqual(await violationsOf(ledger), expected(of));
  });
}

test('an audit finds a nonce that has two reservations', async (t) => {
  const { ledger, of } = await openUsed(t);
  const [id, wallet] = [uuidv7({ msecs: NOON_MS }), newWallet()];
  const copy = `INSERT INTO ledger.reservation
    SELECT (jsonb_populate_record(r, jsonb_build_object('id', $2::text, 'account', $3::text))).*
    FROM ledger.reservation r WHERE r.id = $1`;
  await plant(copy, [of.id, id, wallet]);
  t.deepEqual(await violationsOf(ledger), [DAY_OFF, `one_grant ${wallet}`, `one_reservation_per_nonce ${id}`]);
});

test('an audit covers more wallets than one range', async (t) => {
  const ledger = openDamaged(t);
  const insert = `INSERT INTO ledger.wallet (network, address, granted, balance)
    SELECT $1, '0x' || lpad(to_hex(n), 40, '0'), 50000, 50000 - (n = 2500)::int FROM generate_series(1, 3000) AS n`;
  await ledger.query(insert, [ledger.network]);
  // Their addresses are of the last range.
  await ledger.reserve(newTrial());
  await spend(ledger, newTrial());
  const { wallets, violations } = await ledger.audit();
  t.is(wallets, 3002);
  t.deepEqual(
    violations.map(({ subject }) => subject),
    [`0x${(2500).toString(16).padStart(40, '0')}`],
  );
});

test('an audit covers more channels than one range', async (t) => {
  const ledger = openDamaged(t);
  const insert = `INSERT INTO ledger.channel (network, id, charged, signed, signature, key_id)
    SELECT $1, '0x' || lpad(to_hex(n), 64, '0'), n, n, '', '' FROM generate_series(1, 2500) AS n`;
  await ledger.query(insert, [ledger.network]);
  const { channels, violations } = await ledger.audit();
  t.deepEqual([channels, violations.length], [2500, 2500]);
});

/** A channel with two posted charges and an open one. */
async function openCharged(t: ExecutionContext) {
  const ledger = openDamaged(t);
  const { channelId, reservationId } = await paidCall(ledger);
  await pay(ledger, newCharge({ channelId, cumulativeMicroUsd: 28_000n }));
  await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 42_000n }));
  return { ledger, channelId, reservationId };
}

for (const [damage, statement, invariants] of [
  [
    'too little is charged',
    'UPDATE ledger.channel SET charged = charged - 1 WHERE id',
    ['charges_add_up', 'charges_are_signed'],
  ],
  ['too much is carried over', 'UPDATE ledger.channel SET carried = carried + 1 WHERE id', ['charges_add_up']],
  ['no claim is due', 'UPDATE ledger.channel SET unclaimed_since = NULL WHERE id', ['charges_are_claimed']],
  ['too much is claimed', 'UPDATE channel SET total_claimed = 28001 WHERE channel_id', ['claimed_as_charged']],
  ['an entry has another amount', 'UPDATE ledger.entry SET amount = 1 WHERE account', ['charges_add_up']],
  ['a call has another price', 'UPDATE ledger.reservation SET amount = 13999 WHERE account', ['charges_are_signed']],
  ['a call has another voucher', 'UPDATE ledger.reservation SET signed = 42001 WHERE account', ['charges_are_signed']],
  // What is charged and what is open each have no account.
  ['a channel is missing', 'DELETE FROM ledger.channel WHERE id', ['charges_add_up', 'charges_add_up']],
] as const) {
  test(`an audit finds that ${damage}, and nothing before`, async (t) => {
    const { ledger, channelId } = await openCharged(t);
    t.deepEqual(await ledger.audit(), { wallets: 0, channels: 1, pending: 1, violations: [] });
    await plant(`${statement} = $1`, [channelId]);
    t.deepEqual(
      await violationsOf(ledger),
      invariants.map((invariant) => `${invariant} ${channelId}`),
    );
  });
}

test('an audit finds that the answer to a charge of a channel is missing', async (t) => {
  const { ledger, reservationId } = await openCharged(t);
  await plant('DELETE FROM retained_body WHERE record_id = $1', [reservationId]);
  t.deepEqual(await violationsOf(ledger), [`answers_are_kept ${reservationId}`]);
});

test('a channel from before a restore may have been charged what is claimed', async (t) => {
  const { ledger, channelId } = await openCharged(t);
  await plant('UPDATE channel SET total_claimed = 28001 WHERE channel_id = $1', [channelId]);
  await plant('UPDATE ledger.channel SET epoch = epoch - 1 WHERE id = $1', [channelId]);
  t.deepEqual(await violationsOf(ledger), []);
});

test('an audit finds two open calls of a channel', async (t) => {
  const { ledger, database: own } = await openOwnLedger(t);
  ledger.notAudited();
  const charge = await fundedCall(ledger);
  await ledger.charge(charge);
  await connected(adminUrlOf(own.url), (admin) => admin.query('DROP INDEX ledger.reservation_alone'));
  await ledger.query(
    `INSERT INTO ledger.reservation
      SELECT (jsonb_populate_record(r, jsonb_build_object('id', $1::text))).* FROM ledger.reservation r`,
    [uuidv7()],
  );
  t.deepEqual(await violationsOf(ledger), [`one_open_reservation ${charge.channelId}`]);
});

test('an audit misses no answer of a day whose answers are no longer kept', async (t) => {
  const ledger = openTrialLedger(t, database);
  const nowMs = NOON_MS - 9 * DAY_MS;
  await ledger.setClock(nowMs);
  await spend(ledger, newTrial({ nowMs }));
  await connected(adminUrlOf(database.url), (admin) =>
    admin.query(`DROP TABLE retained_body_${dayOf(nowMs).replaceAll('-', '')}`),
  );
  t.deepEqual(await violationsOf(ledger), []);
});

test('an audit finds a day that has nothing but its use, a reservation, or entries', async (t) => {
  const ledger = openDamaged(t);
  const nowMs = NOON_MS + 5 * DAY_MS;
  const [day, other] = [dayOf(nowMs), dayOf(nowMs + 3 * DAY_MS)];
  await ledger.setClock(nowMs);
  await ledger.reserve(newTrial({ nowMs }));
  await plant('UPDATE ledger.trial_day SET day = $2 WHERE network = $1', [ledger.network, other]);
  const expected = [`day_adds_up ${day}`, `day_adds_up ${other}`, `day_within_budget ${day}`];
  t.deepEqual(await violationsOf(ledger), expected);
  const posted = openDamaged(t);
  await posted.setClock(NOON_MS);
  await spend(posted, newTrial({ nowMs: NOON_MS }));
  await plant('DELETE FROM ledger.trial_day WHERE network = $1', [posted.network]);
  t.deepEqual(await violationsOf(posted), [DAY_OFF, BEYOND]);
});

test('only keys begin with the network, so that no plan reads a whole network', async (t) => {
  const ledger = openTrialLedger(t, database);
  const indexes = await ledger.query(
    `SELECT i.indrelid::regclass::text AS table, i.indisprimary AS is_key FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      WHERE c.relnamespace = 'ledger'::regnamespace AND a.attname = 'network'`,
    [],
  );
  t.true(indexes.some(({ table }) => table === 'ledger.wallet'));
  t.deepEqual(
    indexes.filter(({ is_key: isKey }) => isKey !== true),
    [],
  );
});

test('the schema refuses a second account, an address in upper case, and a change of an entry', async (t) => {
  const { ledger, of } = await openUsed(t);
  const insert = 'INSERT INTO ledger.wallet (network, address, granted, balance) VALUES ($1, $2, 1, 1)';
  const states: string[] = [];
  const attempt = (statement: string, values: readonly unknown[]) =>
    ledger.query(statement, values).catch((error: unknown) => states.push(String((error as { code?: string }).code)));
  await attempt(insert, [ledger.network, of.postedWallet]);
  await attempt(insert, [ledger.network, `0x${'A'.repeat(40)}`]);
  await attempt('UPDATE ledger.entry SET amount = 1 WHERE id = $1', [of.postedId]);
  await attempt('UPDATE ledger.wallet SET balance = -1 WHERE address = $1', [of.postedWallet]);
  t.deepEqual(states, ['23505', '23514', '23000', '23514']);
});
