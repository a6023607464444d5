import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { connected } from '../../../kit/owned-database.ts';
import { throwsUnavailable } from '../fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const BODIES = `SELECT record_id, access, operation, key_id, request_body, response_body, request_id FROM retained_body
  WHERE record_id = ANY ($1) ORDER BY record_id`;

test('a post alone spends the price and stores the answer, and a repeat changes nothing', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  const { reservationId } = trial;
  await ledger.reserve(trial);
  const answer = newAnswer(trial);
  const posted = { state: 'posted', balanceMicroUsd: 36_000n } as const;
  t.deepEqual(await ledger.post(answer), posted);
  t.deepEqual(await ledger.post({ ...answer, response: Buffer.from('another') }), posted);
  const entries = "SELECT amount, kind, day = (at AT TIME ZONE 'UTC')::date AS today FROM ledger.entry WHERE id = $1";
  t.deepEqual(await ledger.query(entries, [reservationId]), [{ amount: 14_000n, kind: 'post', today: true }]);
  const { request, response, requestId = null } = answer;
  t.deepEqual(await ledger.query(BODIES, [[reservationId]]), [
    {
      ...{ record_id: reservationId, access: 'trial', operation: 'geocode', key_id: 'k1' },
      ...{ request_body: request, response_body: response, request_id: requestId },
    },
  ]);
});

test('each of many posts in one batch stores its own bodies, also beside unknown, voided and repeated ids', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [voided, ...trials] = [newTrial(), ...Array.from({ length: 12 }, () => newTrial())];
  await Promise.all([voided, ...trials].map(ledger.reserve));
  await ledger.void(voided.reservationId, 'swept');
  const answers = trials.map((trial, at) => newAnswer(trial, 'x'.repeat(at)));
  const unknown = [{ reservationId: uuidv7() }, voided].map((each) => newAnswer(each, 'nothing of this is stored'));
  const outcomes = await Promise.all([...unknown, ...answers, ...answers.slice(3, 5)].map(ledger.post));
  const states = outcomes.map(({ state }) => state);
  t.deepEqual(states, ['unknown', 'unknown', ...Array<string>(14).fill('posted')]);
  const rows = await ledger.query(BODIES, [[voided, ...trials].map(({ reservationId }) => reservationId)]);
  t.deepEqual(
    rows.map(({ record_id: id, request_body: request, response_body: response }) => ({ id, request, response })),
    answers
      .map(({ reservationId: id, request, response }) => ({ id, request, response }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test('what is open or posted in another network is unknown', async (t) => {
  const [here, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const [open, posted] = [newTrial(), newTrial()];
  for (const trial of [open, posted]) await here.reserve(trial);
  await here.post(newAnswer(posted));
  for (const { reservationId } of [open, posted])
    for (const resolve of [() => there.void(reservationId, 'swept'), () => there.post(newAnswer({ reservationId }))])
      t.deepEqual(await resolve(), { state: 'unknown', balanceMicroUsd: undefined });
  t.deepEqual(await here.void(open.reservationId, 'swept'), { state: 'voided', balanceMicroUsd: 50_000n });
});

test('an answer that cannot be stored is not charged, and fails no other of its batch', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [first, bad, good] = [newTrial(), newTrial(), newTrial()];
  await Promise.all([first, bad, good].map(ledger.reserve));
  // Its record is there already, so its body cannot be inserted.
  await ledger.query(
    `INSERT INTO retained_body (day, record_id, access, operation, key_id, request_body, response_body)
     VALUES ((clock_timestamp() AT TIME ZONE 'UTC')::date, $1, 'trial', 'geocode', 'k1', '', '')`,
    [bad.reservationId],
  );
  const [, refused, posted] = await Promise.allSettled(
    [first, bad, good].map((trial) => ledger.post(newAnswer(trial))),
  );
  t.is(refused?.status, 'rejected');
  t.like(posted, { status: 'fulfilled', value: { state: 'posted' } });
  await throwsUnavailable(t, ledger.post(newAnswer(bad)), 'refused');
  t.deepEqual(await ledger.void(bad.reservationId, 'retain_failed'), { state: 'voided', balanceMicroUsd: 50_000n });
});

test('a lost connection leaves the outcome of a post uncertain, and a repeat tells', async (t) => {
  const ledger = openTrialLedger(t, database, { connections: 1 });
  const trial = newTrial();
  await ledger.reserve(trial);
  const answer = newAnswer(trial);
  await connected(database.url, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM ledger.reservation WHERE id = $1 FOR UPDATE', [trial.reservationId]);
    const uncertain = throwsUnavailable(t, ledger.post(answer), 'uncertain');
    const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = $1 AND wait_event_type = 'Lock'`;
    while ((await client.query(waiting, [ledger.network])).rowCount === 0);
    await uncertain;
    await client.query('ROLLBACK');
  });
  t.is((await ledger.post(answer)).state, 'posted');
});

test('bodies of another size than their calls say are refused', async (t) => {
  const ledger = openTrialLedger(t, database);
  for (const sizes of [[], [{ id: uuidv7(), key_id: 'k1', request_size: 1, response_size: 1 }]]) {
    const post = ledger.query(`SELECT FROM ${LEDGER_FUNCTIONS}.post($1, $2, '\\x00')`, [
      ledger.network,
      JSON.stringify(sizes),
    ]);
    await t.throwsAsync(post, { message: /do not add up/ });
  }
});

test('sizes that are negative, missing or too small charge nothing', async (t) => {
  const ledger = openTrialLedger(t, database);
  const trial = newTrial();
  await ledger.reserve(trial);
  const post = (sizes: object) =>
    ledger.query(`SELECT FROM ${LEDGER_FUNCTIONS}.post($1, $2, '\\x000000')`, [
      ledger.network,
      JSON.stringify([{ id: trial.reservationId, key_id: 'k1', ...sizes }]),
    ]);
  for (const sizes of [
    { request_size: 4, response_size: -1 },
    { request_size: -1, response_size: 4 },
    { request_size: 3 },
    { response_size: 3 },
    { request_size: 1, response_size: 1 },
  ])
    await t.throwsAsync(post(sizes), { message: /negative substring length|violates not-null|do not add up/ });
  t.deepEqual(await ledger.void(trial.reservationId, 'cancelled'), { state: 'voided', balanceMicroUsd: 50_000n });
});
