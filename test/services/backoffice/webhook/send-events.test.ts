import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createEventSender, type EventSenderOptions } from '../../../../services/backoffice/webhook/send-events.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { SERVICE_ROLE } from '../../../../services/store/preparation.ts';
import { storeEvent } from '../../../../services/verification/records/events.ts';
import { inTenant } from '../../../../services/verification/tenants/transaction.ts';
import { startRecurringCopy } from '../../../kit/recurring-copy.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import {
  answering,
  type Behaviour,
  closedUrl,
  hangingBody,
  resetting,
  silent,
  startUpstream,
} from '../../../kit/upstream-server.ts';

const HOUR_MS = 3_600_000;
const FIRST_RETRY_MS = 5000;
const EXAMPLE = fileURLToPath(new URL('../../../../docs/verified-execution/examples/webhook.mjs', import.meta.url));
const KEY = Buffer.alloc(32, 7);
const TENANT = uuidv7();
const logger = createLogger({ name: 'test', level: 'silent' });
const never = new AbortController().signal;

const { url: databaseUrl, database, stop } = await createTestDatabase();
const service = openDatabase({
  url: databaseUrl,
  connections: 2,
  connectTimeoutMs: HANG_MS,
  logger,
  role: SERVICE_ROLE,
});
test.after.always(async () => {
  await service.destroy();
  await stop();
});
test.afterEach.always(async () => {
  await database.deleteFrom('verification.webhook_event').execute();
});

/** Stores an event of a new plan. @returns the id of the plan */
const happen = async (): Promise<string> => {
  const plan_id = uuidv7();
  await inTenant(service, TENANT, (transaction) =>
    storeEvent(transaction, { tenantId: TENANT }, { type: 'plan.proposed', plan_id }),
  );
  return plan_id;
};

const listWaiting = () =>
  database.selectFrom('verification.webhook_event').select('attempts').orderBy('event_id').execute();

/** A sender with a clock that the test sets. It begins a minute from now, so that what happens in the test is due. */
function createSender(url: URL | undefined, options: Partial<EventSenderOptions> = {}) {
  const startMs = Date.now() + 60_000;
  let nowMs = startMs;
  const receiver = url && { url, key: KEY };
  const run = createEventSender({ database, receiver, now: async () => nowMs, logger, ...options });
  return {
    runAt: (afterMs: number, signal = never) => {
      nowMs = startMs + afterMs;
      return run(signal);
    },
  };
}

/** A receiver that reads each event first. */
async function startReceiver(t: ExecutionContext, first: Behaviour) {
  const bodies: string[] = [];
  const reading =
    (behave: Behaviour): Behaviour =>
    async (response, request) => {
      bodies.push(await text(request));
      behave(response, request);
    };
  const server = await startUpstream(t, reading(first));
  return { ...server, bodies, behave: (next: Behaviour) => server.behave(reading(next)) };
}

/** The receiver of the documentation, with the key. */
async function startExample(t: ExecutionContext) {
  const folder = createTestFolder();
  const secret = join(folder.path, 'secret');
  writeFileSync(secret, `whsec_${KEY.toString('base64')}\n`);
  const example = spawn(process.execPath, [EXAMPLE, secret, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => {
    example.kill();
    folder.remove();
  });
  const lines = createInterface(example.stdout)[Symbol.asyncIterator]();
  const url = new URL(String((await lines.next()).value));
  return {
    url,
    /** Ends it. @returns the events that it printed */
    end: async () => {
      example.kill();
      const printed: unknown[] = [];
      for await (const line of lines) printed.push(JSON.parse(line));
      return printed;
    },
  };
}

test.serial('each event is told once, and the example of the documentation finds it genuine', async (t) => {
  const example = await startExample(t);
  const before = new Date().toISOString();
  const [first, second] = [await happen(), await happen()];
  const undone = inTenant(service, TENANT, async (transaction) => {
    await storeEvent(transaction, { tenantId: TENANT }, { type: 'plan.approved', plan_id: first });
    throw new Error('rolled back');
  });
  await t.throwsAsync(undone, { message: 'rolled back' });
  // Another key is not that of the receiver.
  await createSender(undefined, { receiver: { url: example.url, key: Buffer.alloc(32, 8) } }).runAt(0);
  t.deepEqual(await listWaiting(), [{ attempts: 1 }, { attempts: 1 }]);
  const { runAt } = createSender(example.url);
  await runAt(2 * FIRST_RETRY_MS);
  t.deepEqual(await listWaiting(), []);
  await runAt(3 * FIRST_RETRY_MS);
  const told = (await example.end()) as { readonly id: string; readonly timestamp: string; readonly data: object }[];
  const shown = told.map(({ id: _, timestamp: __, ...event }) => JSON.stringify(event));
  const eventOf = (id: string) => `{"type":"plan.proposed","data":{"plan_id":"${id}","tenant_id":"${TENANT}"}}`;
  t.deepEqual(shown.toSorted(), [first, second].map(eventOf));
  t.is(new Set(told.map(({ id }) => id)).size, 2);
  for (const { timestamp } of told) t.true(timestamp >= before && timestamp <= new Date().toISOString(), timestamp);
});

const FAULTS: readonly (readonly [string, Behaviour])[] = [
  ['answers 500', answering({}, 500)],
  ['redirects', answering({}, 307, { location: '/elsewhere' })],
  ['resets the connection', resetting],
];
for (const [name, fault] of FAULTS) {
  test.serial(`an event is sent again with its id to a receiver that ${name}`, async (t) => {
    const receiver = await startReceiver(t, fault);
    const { runAt } = createSender(receiver.baseUrl);
    await happen();
    await runAt(0);
    t.deepEqual(await listWaiting(), [{ attempts: 1 }]);
    receiver.behave(answering(''));
    // At least half of the wait is certain.
    await runAt(FIRST_RETRY_MS / 2 - 1);
    t.is(receiver.seen.length, 1);
    await runAt(FIRST_RETRY_MS);
    const [first, second, ...more] = receiver.seen;
    t.deepEqual(more, []);
    t.deepEqual([first?.path, second?.path], ['/', '/']);
    t.is(first?.headers['webhook-id'], second?.headers['webhook-id']);
    t.not(first?.headers['webhook-signature'], second?.headers['webhook-signature']);
    t.is(receiver.bodies[0], receiver.bodies[1]);
    t.deepEqual(await listWaiting(), []);
  });
}

test.serial('an event is sent again to a receiver that never answers', async (t) => {
  const receiver = await startReceiver(t, silent);
  await happen();
  await createSender(receiver.baseUrl, { timeoutMs: 50 }).runAt(0);
  t.deepEqual(await listWaiting(), [{ attempts: 1 }]);
  receiver.behave(answering(''));
  await createSender(receiver.baseUrl).runAt(FIRST_RETRY_MS);
  t.deepEqual(await listWaiting(), []);
});

test.serial('an event waits for a receiver that is away, and the log does not have its URL', async (t) => {
  const lines: unknown[] = [];
  const keep = (...line: unknown[]) => void lines.push(line);
  const url = new URL('/secret-path', await closedUrl());
  await happen();
  await createSender(url, { logger: { error: keep, warn: keep, info: keep } }).runAt(0);
  t.deepEqual(await listWaiting(), [{ attempts: 1 }]);
  t.is(lines.length, 1);
  t.regex(String(Reflect.get(Object(Reflect.get(Object(lines[0]), 0)), 'err')), /^Error: ECONNREFUSED$/);
  t.notRegex(JSON.stringify(lines), /secret-path/);
});

test.serial('an answer is enough, whatever its body', async (t) => {
  const receiver = await startReceiver(t, hangingBody);
  await happen();
  await createSender(receiver.baseUrl).runAt(0);
  t.deepEqual(await listWaiting(), []);
});

test.serial('an event is sent at least each hour, given up after a day, and that is logged', async (t) => {
  const given: unknown[] = [];
  const receiver = await startReceiver(t, answering('', 503));
  const logged = { ...logger, warn: () => {}, info: () => {}, error: (fields: unknown) => void given.push(fields) };
  const { runAt } = createSender(receiver.baseUrl, { logger: logged });
  await happen();
  for (let hour = 0; hour < 24; hour += 1) await runAt(hour * HOUR_MS);
  t.is(receiver.seen.length, 24);
  t.deepEqual(await listWaiting(), [{ attempts: 24 }]);
  await happen();
  await runAt(23 * HOUR_MS);
  t.deepEqual(await listWaiting(), [{ attempts: 24 }, { attempts: 1 }]);
  await runAt(24 * HOUR_MS);
  t.is(receiver.seen.length, 25);
  t.deepEqual(await listWaiting(), []);
  t.deepEqual(given, [{ events: 2 }]);
});

test.serial('events that always wait are given up after a day too', async (t) => {
  const receiver = await startReceiver(t, answering('', 503));
  await Promise.all(Array.from({ length: 8 }, happen));
  // The database's clock has microseconds.
  let nowMs = Date.now() + 1;
  const now = async () => (nowMs += HOUR_MS);
  await createSender(receiver.baseUrl, { now }).runAt(0);
  t.deepEqual(await listWaiting(), []);
  t.is(receiver.seen.length, 8 * 23);
});

test.serial('without a receiver, events are kept for a day', async (t) => {
  const { runAt } = createSender(undefined);
  await happen();
  await runAt(23 * HOUR_MS);
  t.is((await listWaiting()).length, 1);
  await runAt(24 * HOUR_MS);
  t.deepEqual(await listWaiting(), []);
});

test.serial('an event that is on its way when the work ends is not counted as sent', async (t) => {
  const receiver = await startReceiver(t, silent);
  const closing = new AbortController();
  const { runAt } = createSender(receiver.baseUrl);
  await happen();
  const running = runAt(0, closing.signal);
  await receiver.arrived(1);
  closing.abort();
  await running;
  t.deepEqual(await listWaiting(), [{ attempts: 0 }]);
  receiver.behave(answering(''));
  await runAt(0);
  t.deepEqual(await listWaiting(), []);
});

test.serial('of two copies, one sends each event, and all that are due', async (t) => {
  const receiver = await startReceiver(t, answering(''));
  const plans = await Promise.all(Array.from({ length: 30 }, happen));
  const copies = [1, 2].map(() => {
    const run = (signal: AbortSignal) => createSender(receiver.baseUrl).runAt(0, signal);
    const jobs = [{ name: 'send-events', everyMs: HOUR_MS, run }];
    return startRecurringCopy(databaseUrl, { group: 'events', jobs, logger });
  });
  await until(async () => (await listWaiting()).length === 0);
  await Promise.all(copies.map((copy) => copy.close()));
  const told = receiver.bodies.map((body) => (JSON.parse(body) as { data: { plan_id: string } }).data.plan_id);
  t.deepEqual(told.toSorted(), plans.toSorted());
});
