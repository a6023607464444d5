import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { examineKeys } from '../../../../scripts/cli/tollhouse/doctor/examine-retention.ts';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createDeletion } from '../../../../services/backoffice/retention/deletion.ts';
import { takeKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKey, NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { startAndWait } from '../../../kit/start-and-wait.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { openRetainedCalls } from '../../../services/backoffice/retention/retained-calls.ts';
import { runCommand } from './run-command.ts';

const DAY_MS = 86_400_000;
const logger = createLogger({ name: 'test', level: 'silent' });
const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });
const [OLD, NEW] = [newKey('old'), newKey('new')];
const textOf = (keys: NamedKeys) => keys.map(({ id, secret }) => `${id}:${secret.toString('base64')}`).join(',');

const stores = await createTestDatabase();
const { url, database } = stores;
const { retainCall, close } = openRetainedCalls(stores);
const folder = createTestFolder();
const retainOld = () => retainCall([OLD], { atMs: Date.now() - 3 * DAY_MS });
const deleteOverdue = () =>
  createDeletion({ database, days: 30, now: async () => Date.now(), logger })(new AbortController().signal);

const today = await retainCall([OLD]);
for (let n = 0; n < 250; n += 1) await retainOld();
const held = await retainCall([OLD], { atMs: Date.now() - 99 * DAY_MS });
await deleteOverdue();
test.after.always(async () => {
  await close();
  await stores.stop();
  folder.remove();
});

/** Runs a command of `retention` with these keys. */
function run(args: readonly string[], keys?: NamedKeys, more: NodeJS.ProcessEnv = {}) {
  const environment = {
    DATABASE_URL: url,
    TOLLHOUSE_OPERATOR: 'ada',
    TOLLHOUSE_DATA: folder.path,
    ...(keys === undefined ? {} : { RETENTION_KEYS: textOf(keys) }),
    ...more,
  };
  return runCommand(environment, ['retention', ...args]);
}

const readStatus = createJsonReader(
  Type.Object({
    retentionDays: Type.Number(),
    days: Type.Array(Type.Object({ day: Type.String(), rows: Type.Number(), deletedAfter: Type.String() })),
    rows: Type.Number(),
    bytes: Type.Number(),
    next: Type.Object({ day: Type.String(), deletedAfter: Type.String() }),
    overdue: Type.Array(Type.String()),
    held: Type.Array(Type.Object({ recordId: Type.String(), access: Type.String(), attempts: Type.Number() })),
    keys: Type.Array(
      Type.Object({ variable: Type.String(), keyId: Type.String(), rows: Type.Record(Type.String(), Type.Number()) }),
    ),
  }),
  'the status',
);
const readShown = createJsonReader(
  Type.Object({ recordId: Type.String(), requestId: Type.String(), request: Type.String(), response: Type.String() }),
  'the call',
);

/** The calls have claims without an outcome. */
const AUTHORIZED = { variable: 'AUTHORIZATION_KEYS', keyId: 'k1', rows: { authorizations: 252 } };

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

test.serial(
  'the status shows days, calls, the next deletion, held bodies with their obligations, and keys',
  async (t) => {
    const found = readStatus((await run(['status', '--json'])).output);
    t.like(found, { retentionDays: 30, rows: 251, overdue: [] });
    const old = { variable: 'RETENTION_KEYS', keyId: 'old', rows: { bodies: 251, 'held bodies': 1 } };
    t.deepEqual(found.keys, [AUTHORIZED, old]);
    t.deepEqual(
      found.days.map(({ day, rows }) => [day, rows]),
      [
        [dayBefore(3), 250],
        [dayBefore(0), 1],
      ],
    );
    t.is(found.next.day, dayBefore(3));
    t.is(Date.parse(found.next.deletedAfter), Date.parse(dayBefore(3)) + 31 * DAY_MS);
    t.like(found.held, [{ recordId: held.recordId, attempts: 0 }]);
    const { output } = await run(['status'], undefined, { RETENTION_DAYS: '1' });
    t.true(output.includes(`overdue     ${dayBefore(3)}`), output);
    t.true(output.includes(held.recordId));
  },
);

test.serial('a call is shown by the id of its request or record, and the act is recorded', async (t) => {
  for (const id of [today.requestId, today.recordId]) {
    const { output } = await run(['show', id, '--reason', 'ticket 7', '--json'], [OLD]);
    t.like(readShown(output), {
      recordId: today.recordId,
      requestId: today.requestId,
      request: String(today.requestBody),
    });
  }
  const { output } = await run(['show', held.requestId, '--reason', 'ticket 8'], [NEW, OLD]);
  t.true(output.includes('private answer'));
  t.like(await listActs(database, { subject: today.recordId, limit: 9 }), [
    {
      operator: 'ada',
      action: 'retention.review',
      reason: 'ticket 7',
      detail: JSON.stringify({ requestId: today.requestId }),
    },
    { operator: 'ada' },
  ]);
});

test.serial('text that could control a terminal is shown escaped', async (t) => {
  const { recordId } = await retainCall([OLD], { requestBody: Buffer.from('{"html":"\u009b2J\u202e"}') });
  const { output } = await run(['show', recordId, '--reason', 'drill'], [OLD]);
  t.true(output.includes('{"html":"\\u{9b}2J\\u{202e}"}'));
});

test.serial('a body is not shown without a reason, its key, or a record, and no key is created', async (t) => {
  t.is((await run(['show', today.recordId], [OLD])).exitCode, 2);
  t.is((await run(['show', today.recordId, '--reason', ' '], [OLD])).exitCode, 2);
  const reason = ['--reason', 'ticket 9'];
  t.regex((await run(['show', uuidv7(), ...reason], [OLD])).errors, /^no body of this id|^NOT_FOUND/);
  t.regex((await run(['show', today.recordId, ...reason], [NEW])).errors, /^RETENTION_KEY_MISSING: .* old /);
  t.regex(
    (await run(['show', today.recordId, ...reason], [{ ...NEW, id: 'old' }])).errors,
    /^RETAINED_BODY_UNREADABLE: /,
  );
  t.regex((await run(['show', today.recordId, ...reason])).errors, /^RETENTION_KEY_MISSING: set RETENTION_KEYS/);
  t.false(existsSync(join(folder.path, 'keys/retention')));
});

test.serial('doctor counts what each key has sealed, and warns of a key that these settings lack', async (t) => {
  const look = (keys: NamedKeys) =>
    examineKeys(database, { RETENTION_KEYS: textOf(keys), AUTHORIZATION_KEYS: textOf([newKey('k1')]) });
  const authorizations = {
    check: 'keys.authorization',
    level: 'ok',
    found: 'the key k1 has sealed 253 authorizations',
  };
  const found = 'the key old has sealed 252 bodies, 1 held bodies';
  t.deepEqual(await look([NEW, OLD]), [authorizations, { check: 'keys.retention', level: 'ok', found }]);
  const lacking = { check: 'keys.retention', level: 'warning', found: `${found}, and RETENTION_KEYS does not have it` };
  t.like(await look([NEW]), { length: 2, 1: lacking });
});

test.serial('the bodies of a key are deleted, and it is told what else needs the key', async (t) => {
  const args = (key: string) => ['delete', '--key', key, '--reason', 'a leak', '--json'];
  t.regex((await run(args('none'))).errors, /^NOT_FOUND: no body is sealed with the key none$/);
  await retainCall([NEW]);
  const { exitCode, output } = await run(args('old'));
  t.is(exitCode, 0);
  t.deepEqual(JSON.parse(output), { keyId: 'old', deleted: 253, left: [] });
  const { keys, held: heldNow } = readStatus((await run(['status', '--json'])).output);
  const left = { variable: 'RETENTION_KEYS', keyId: 'new', rows: { bodies: 1 } };
  t.deepEqual([keys, heldNow], [[{ ...AUTHORIZED, rows: { authorizations: 254 } }, left], []]);
  t.regex((await run(['show', held.recordId, '--reason', 'ticket 10'], [OLD])).errors, /^NOT_FOUND/);
});

test.serial('a back office needs the keys of all rows, until one is forgotten', async (t) => {
  await takeKeys(database, [NEW]);
  const environment = { DATABASE_URL: url, RETENTION_KEYS: textOf([OLD]), TOLLHOUSE_DATA: folder.path };
  const start = () => startAndWait('services/backoffice/main.ts', environment);
  const { exitCode, output } = await start();
  t.is(exitCode, 78, output);
  t.regex(output, /RETENTION_KEYS: the key new is missing or another one, and 1 bodies are sealed with it/);
  const forget = ['forget-key', '--key', 'new', '--reason', 'the file is lost'];
  t.regex((await run(forget)).output, /^the back office starts without the key new/);
  t.regex((await run(forget)).errors, /^NOT_FOUND: no back office has started with the key new$/);
  await t.notThrowsAsync(takeKeys(database, [OLD]));
});

for (const args of [
  [],
  ['status', 'x'],
  ['show'],
  ['show', 'x', '--reason', 'y'],
  ['delete', '--reason', 'y'],
  ['delete', '--key', 'x'],
  ['forget-key', '--key', 'x'],
  ['drop'],
]) {
  test.serial(`retention ${args.join(' ')} is refused with exit code 2`, async (t) => {
    t.is((await run(args)).exitCode, 2);
  });
}
