import { randomBytes } from 'node:crypto';
import test from 'ava';
import { readReason } from '../../../../services/backoffice/retention/reason.ts';
import { dayAt, dayOf, deletedAfterMs } from '../../../../services/backoffice/retention/retention-days.ts';
import { listOverdueDays, readRetentionStatus } from '../../../../services/backoffice/retention/retention-status.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { openRetainedCalls } from './retained-calls.ts';

const DAYS = 30;
const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });

const stores = await createTestDatabase();
const { database } = stores;
const { retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

test.serial('without bodies, no day is next', async (t) => {
  const status = await readRetentionStatus(database, { days: DAYS, nowMs: 0 });
  t.like(status, { days: [], rows: 0, next: undefined, overdue: [], held: [], keys: [] });
});

test.serial('the status has the days with bodies, the oldest first, and their rows by key', async (t) => {
  const [one, two] = [newKey('one'), newKey('two')];
  const [early, late] = ['2024-03-01', '2024-03-05'];
  await retainCall([two], { atMs: Date.parse(late) });
  await retainCall([one], { atMs: Date.parse(early) });
  await retainCall([two], { atMs: Date.parse(early) + 1000 });
  const dueMs = deletedAfterMs(early, DAYS);
  const read = (nowMs: number) => readRetentionStatus(database, { days: DAYS, nowMs });
  const status = await read(dueMs - 1);
  t.deepEqual(
    status.days.map(({ day, rows, deletedAfter }) => [day, rows, deletedAfter.getTime()]),
    [
      [early, 2, dueMs],
      [late, 1, deletedAfterMs(late, DAYS)],
    ],
  );
  t.true(status.bytes > status.days.reduce((sum, { bytes }) => sum + bytes, 0), 'days without bodies take some');
  t.like(status, { rows: 3, next: { day: early }, overdue: [] });
  t.deepEqual(status.keys, [
    { variable: 'AUTHORIZATION_KEYS', keyId: 'k1', rows: { authorizations: 3 } },
    { variable: 'RETENTION_KEYS', keyId: 'one', rows: { bodies: 1 } },
    { variable: 'RETENTION_KEYS', keyId: 'two', rows: { bodies: 2 } },
  ]);
  t.deepEqual((await read(dueMs)).overdue, [early]);
  const overdueAt = async (nowMs: number) => (await listOverdueDays(database, { days: DAYS, nowMs })).includes(early);
  t.deepEqual([await overdueAt(dueMs - 1), await overdueAt(dueMs)], [false, true]);
});

test('a day is deleted when its last record is older than the days', (t) => {
  t.is(deletedAfterMs('2024-03-01', 30), Date.parse('2024-04-01'));
  t.is(deletedAfterMs('2024-03-01', 0), Date.parse('2024-03-02'));
  t.is(dayAt(Date.parse('2024-03-01T23:59:59.999Z')), '2024-03-01');
  t.is(dayOf('018df75d-c000-7000-8000-000000000000'), dayAt(0x018df75dc000));
});

test('a reason has one to five hundred characters, without spaces around it', (t) => {
  t.is(readReason('  a '), 'a');
  t.is(readReason(` ${'x'.repeat(500)} `), 'x'.repeat(500));
  for (const reason of ['', '  ', 'x'.repeat(501)]) {
    t.throws(() => readReason(reason), { code: 'INVALID_ARGUMENT', message: /1 to 500 characters/ } as never);
  }
});
