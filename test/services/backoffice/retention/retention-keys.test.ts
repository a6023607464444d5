import { randomBytes } from 'node:crypto';
import test from 'ava';
import { deleteBodiesOfKey } from '../../../../services/backoffice/retention/delete-bodies-of-key.ts';
import { createDeletion } from '../../../../services/backoffice/retention/deletion.ts';
import { describeRows, readKeyUses } from '../../../../services/backoffice/retention/key-uses.ts';
import { forgetKey, isRecordedKey, takeKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { newChannel, newCharge } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { chargeCall, owe, PRICE } from '../channels/channel-stores.ts';
import { openRetainedCalls } from './retained-calls.ts';

const DAY_MS = 86_400_000;
const BY = { operator: 'ada', reason: 'a drill' };
const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });
const [OLD, NEW] = [newKey('old'), newKey('new')];

const stores = await createLedgerDatabase();
const { database } = stores;
const { retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

const rowsOf = async (keyId: string) => (await readKeyUses(database)).find((use) => use.keyId === keyId)?.rows;
const deleteOverdue = createDeletion({
  database,
  days: 30,
  now: async () => Date.now(),
  logger: createLogger({ name: 'test', level: 'silent' }),
});
/** Moves the bodies of days that are overdue to those that are held. */
const hold = () => deleteOverdue(new AbortController().signal);

test.serial('a key that rows need must be given, under its id and with its secret', async (t) => {
  await takeKeys(database, [OLD]);
  await takeKeys(database, [NEW]);
  t.true(await isRecordedKey(database, OLD), 'no row needed it');
  await retainCall([OLD]);
  await retainCall([OLD], { atMs: Date.now() - 99 * DAY_MS });
  await hold();
  const missing = {
    name: 'ConfigurationError',
    message: /key old is missing .* 1 bodies, 1 held bodies are sealed with it/,
  };
  await t.throwsAsync(takeKeys(database, [NEW]), missing);
  await t.throwsAsync(takeKeys(database, [NEW, newKey('old')]), missing);
  t.true(await isRecordedKey(database, OLD));
  await t.notThrowsAsync(takeKeys(database, [NEW, OLD]));
});

test.serial('a lost key is forgotten, and a key that has its id later is needed again', async (t) => {
  t.true(await forgetKey(database, 'old', BY));
  t.false(await forgetKey(database, 'old', BY));
  await t.notThrowsAsync(takeKeys(database, [NEW]));
  await t.notThrowsAsync(takeKeys(database, [NEW, OLD]));
  await t.throwsAsync(takeKeys(database, [NEW]));
  t.like(await listActs(database, { subject: 'old', limit: 9 }), {
    length: 1,
    0: { ...BY, action: 'retention.forget-key' },
  });
});

test.serial('what is sealed with each key is counted by kind', async (t) => {
  const ledger = openTrialLedger(t, stores);
  const channelId = newChannel();
  await owe(ledger, channelId);
  await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 3n * PRICE }));
  // The claims of earlier calls have no outcome yet.
  const uses = (await readKeyUses(database)).filter(({ keyId }) => keyId === 'k1');
  t.deepEqual(
    uses.map(({ variable, rows }) => [variable, rows]),
    [
      ['AUTHORIZATION_KEYS', { authorizations: 2 }],
      ['RETENTION_KEYS', { bodies: 2, 'claimable vouchers': 1, 'latest vouchers': 1, 'vouchers of open calls': 1 }],
    ],
  );
  t.is(describeRows({ rows: { bodies: 2, 'latest vouchers': 1 } }), '2 bodies, 1 latest vouchers');
});

test.serial('the bodies of a key are deleted, those that are being held too, and all money stays', async (t) => {
  const ledger = openTrialLedger(t, stores);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: PRICE });
  await chargeCall(ledger, channelId);
  await retainCall([NEW]);
  for (let n = 0; n < 30; n += 1) await retainCall([OLD], { atMs: Date.now() - (60 + (n % 3)) * DAY_MS });
  const money = async () =>
    Promise.all(
      ['payment_claim', 'channel', 'entry'].map((table) =>
        ledger.query(`SELECT * FROM ledger.${table} ORDER BY 1, 2, 3`, []),
      ),
    );
  const before = await money();
  const vouchers = await rowsOf('k1');
  const [deleted] = await Promise.all([deleteBodiesOfKey(database, 'old', BY), hold()]);
  t.is(deleted, 32);
  t.is(await rowsOf('old'), undefined);
  t.deepEqual(await rowsOf('k1'), vouchers);
  t.like(await rowsOf('new'), { bodies: 1 });
  t.deepEqual(await money(), before);
  const [ended, started] = await listActs(database, { subject: 'old', limit: 2 });
  t.like(started, { ...BY, action: 'retention.delete', detail: '{"state":"started"}' });
  t.like(ended, { ...BY, action: 'retention.delete', detail: JSON.stringify({ state: 'ended', deleted }) });
  await t.notThrowsAsync(takeKeys(database, [NEW]));
});
