import test from 'ava';
import type { ReadStatusRequest } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { createLedger, type LedgerCalls } from '../../../../services/ledger/contract/client.ts';
import {
  POST_STATES,
  readCharge,
  readHold,
  readReserve,
  readResolved,
} from '../../../../services/ledger/contract/outcomes.ts';
import { watchService } from '../../../../services/ledger/contract/service-watch.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';

const AMOUNTS = {
  fundedMicroUsd: 9n,
  balanceMicroUsd: 4n,
  reservedMicroUsd: 3n,
  chargedMicroUsd: 2n,
  contract: undefined,
};
const ACCOUNT = { ...AMOUNTS, voucher: { cumulativeMicroUsd: 2n, signature: '0x0102' } };
const BUDGET = { dayUtc: '2026-11-27', remainingMicroUsd: 8n };
const STATUS = { nowMs: 1000, closedBecause: undefined };
const refused = () => CallError.ofCode({ code: 'LEDGER_REFUSED', message: 'no' });

/** A ledger over calls of a test. Its clock stands still. */
function open(
  given: Partial<LedgerCalls> = {},
  { lockFails = false, answerWithinMs = 3000, leftMs = (): number => 7 } = {},
) {
  const asked: unknown[][] = [];
  const released: string[] = [];
  const readStatus = async ({ withBudget }: ReadStatusRequest) => ({
    ...STATUS,
    budget: withBudget ? BUDGET : undefined,
  });
  const calls = { readStatus, close: () => void released.push('calls'), ...given };
  const noting = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (...args: unknown[]) => {
        asked.push([name, ...args]);
        return (call as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  const client = createLedger(noting as unknown as LedgerCalls, {
    locks: {
      async acquire(wallet) {
        released.push(`acquired ${wallet}`);
        return { leftMs, release: () => void released.push('lock') };
      },
      async check() {
        if (lockFails) throw new Error('no Redis');
      },
      close: async () => void released.push('locks'),
    },
    clockToleranceMs: 1000,
    timeoutMs: 200,
    answerWithinMs,
    checkEveryMs: 600_000,
    now: () => 1000,
    monotonicMs: () => 0,
  });
  return { client, asked, released, of: (wanted: string) => asked.filter(([name]) => name === wanted) };
}

test('a reserve takes the lock of its wallet, and releases it also where it fails', async (t) => {
  const denied = { state: 'insufficient_balance', balanceMicroUsd: 3n };
  const { client, released, of } = open({ reserve: async () => denied });
  t.teardown(client.close);
  const reservation = newReservation({ wallet: `0x${'AB'.repeat(20)}` });
  await throwsUnavailable(t, client.reserve(reservation), 'not_ready');
  await client.check();
  t.deepEqual(await client.reserve(reservation), denied as never);
  t.deepEqual(released, [`acquired 0x${'ab'.repeat(20)}`, 'lock']);
  const [, item, timeoutMs] = of('reserve')[0] ?? [];
  t.deepEqual({ ...(item as object) }, { ...reservation, lockLeftMs: 7 });
  t.is(timeoutMs, 200);
  const failing = open({ reserve: () => Promise.reject(refused()) });
  t.teardown(failing.client.close);
  await failing.client.check();
  await throwsUnavailable(t, failing.client.reserve(reservation), 'refused');
  t.deepEqual([failing.released.at(-1), failing.of('reserve').length], ['lock', 1]);
});

test('an answer that is not whole is a fault', async (t) => {
  const whole = { account: ACCOUNT, repeatedId: 'r1', amountMicroUsd: 4n };
  const lost = { state: 'lock_lost', balanceMicroUsd: undefined };
  for (const [index, read] of [
    ...['repeated', 'identifier_reused', 'identifier_pending', ''].map((state) => () => readHold({ ...whole, state })),
    () => readHold({ ...whole, state: 'reserved', amountMicroUsd: undefined }),
    () => readHold({ ...whole, state: 'channel_busy', account: undefined }),
    () => readCharge({ ...whole, state: 'Reserved' }),
    () => readCharge({ ...whole, state: 'reserved', account: undefined }),
    () => readCharge({ ...whole, state: 'repeated', repeatedId: undefined }),
    () => readReserve({ ...lost, state: 'reserved' }),
    () => readReserve({ ...lost, state: 'out_of_range' }),
    () => readResolved(POST_STATES, { state: 'voided', balanceMicroUsd: 1n }),
  ].entries()) {
    t.throws(read, { instanceOf: TypeError }, String(index));
  }
  t.deepEqual(readHold({ ...whole, state: 'channel_busy' }), { state: 'channel_busy', account: ACCOUNT });
  t.deepEqual(readReserve(lost), { state: 'lock_lost' });
  const unknown = { state: 'unknown', balanceMicroUsd: undefined } as const;
  t.deepEqual(readResolved(POST_STATES, unknown), unknown);
});

const bodies = (length: number) => ({ requestBody: Buffer.alloc(length), responseBody: Buffer.alloc(length) });
const answer = (length: number) => ({ reservationId: 'r1', requestId: undefined, ...bodies(length) });

for (const [name, withinMs, length, attemptMs] of [
  ['half of what is left', 3000, 1, 1500],
  ['its time, where half would be less', 300, 1, 200],
  ['what is left, where its time would be more', 100, 1, 100],
  ['half of 10 s for a small answer', undefined, 1, 5001],
  ['half of 10 s and of 5 s for each MiB', undefined, 1024 * 1024, 10_000],
] as const) {
  test(`an attempt to post takes ${name}`, async (t) => {
    const posted = { state: 'posted', balanceMicroUsd: 3n };
    const { client, of } = open({ post: async () => posted });
    t.teardown(client.close);
    t.deepEqual(await client.post(answer(length), withinMs), { state: 'posted', balanceMicroUsd: 3n });
    t.is(Math.ceil(Number(of('post')[0]?.[2])), attemptMs);
  });
}

test('a void of what is being posted is asked again', async (t) => {
  const states = ['busy', 'posted'];
  const { client, of } = open({ void: async () => ({ state: String(states.shift()), balanceMicroUsd: 3n }) });
  t.teardown(client.close);
  t.is((await client.void('r1', 'cancelled')).state, 'posted');
  t.deepEqual(of('void').at(-1)?.[1], { reservationId: 'r1', reason: 'cancelled' });
});

test('channels and the budget are read, and faults are explained', async (t) => {
  const { client, of } = open({ readChannels: async () => ({ accounts: [ACCOUNT] }) });
  t.teardown(client.close);
  t.deepEqual(await client.channels(['a']), [ACCOUNT]);
  t.deepEqual(of('readChannels'), [['readChannels', { channelIds: ['a'] }, 200]]);
  await throwsUnavailable(t, client.channels(['a', 'b']), 'uncertain');
  t.deepEqual(await client.budget(), BUDGET);
  const failing = open({ readStatus: () => Promise.reject(refused()) });
  t.teardown(failing.client.close);
  await throwsUnavailable(t, failing.client.budget(), 'refused');
});

test('a client is closed once its calls and locks are', async (t) => {
  const { client, released } = open();
  await client.check();
  t.true(client.ready().ok);
  await client.close();
  t.deepEqual(released, ['calls', 'locks']);
  t.deepEqual(client.ready(), { ok: false, reason: 'closed' });
});

test('a lock that crosses has whole milliseconds left when it leaves, and none that are negative', async (t) => {
  const left = [7.9, 0.5, -3];
  const crossed: number[] = [];
  const { client } = open(
    {
      reserve: async (item) => {
        for (const _ of [...left]) crossed.push({ ...item }.lockLeftMs);
        return { state: 'lock_lost' };
      },
    },
    { leftMs: () => Number(left.shift()) },
  );
  t.teardown(client.close);
  await client.check();
  await client.reserve(newReservation());
  t.deepEqual(crossed, [7, 0, 0]);
});

/** A watch whose service answers after `tripMs`, at a time of its own. */
function openWatch({ serviceMs = 1000, tripMs = 0, closed = undefined as string | undefined, fails = '' } = {}) {
  let monotonicMs = 0;
  const errors: unknown[] = [];
  const watch = watchService({
    async readStatus() {
      monotonicMs += tripMs;
      if (fails.includes('service')) throw new Error('gone');
      return { nowMs: serviceMs, closedBecause: closed };
    },
    async checkLocks() {
      if (fails.includes('locks')) throw new Error('gone');
    },
    toleranceMs: 2000,
    checkEveryMs: 600_000,
    now: () => 1000,
    monotonicMs: () => monotonicMs,
    onError: (error) => errors.push(error),
  });
  return {
    watch,
    errors,
    pass: (ms: number) => {
      monotonicMs += ms;
    },
  };
}

test('the time of the database is that of the middle of a question', async (t) => {
  const { watch, pass } = openWatch({ serviceMs: 1500, tripMs: 100 });
  t.teardown(watch.close);
  t.deepEqual(watch.ready(), { ok: false, reason: 'not connected yet' });
  await watch.check();
  t.is(watch.now(), 1550);
  t.is(watch.clockSkewMs(), -550);
  pass(7);
  t.is(watch.now(), 1557);
  const unknown = openWatch({ fails: 'service' });
  t.teardown(unknown.watch.close);
  await unknown.watch.check();
  t.deepEqual([unknown.watch.now(), unknown.watch.clockSkewMs(), unknown.errors.length], [1000, undefined, 1]);
});

for (const [setting, reason] of [
  [{}, undefined],
  [{ serviceMs: 3000 }, undefined],
  [{ serviceMs: 3001 }, /the database.*more than 2 s/],
  [{ serviceMs: -1000 }, undefined],
  [{ serviceMs: -1001 }, /more than 2 s/],
  [{ closed: 'a standby' }, /^a standby$/],
  [{ serviceMs: 9000, closed: 'a standby' }, /more than 2 s/],
  [{ fails: 'service' }, /^the ledger does not answer$/],
  [{ fails: 'locks' }, /^wallets cannot be locked: Redis does not answer$/],
  [{ fails: 'locks', closed: 'a standby' }, /^a standby$/],
  [{ fails: 'service locks' }, /^the ledger does not answer$/],
] as const) {
  test(`a ledger with ${JSON.stringify(setting)} is ${reason ? `not ready: ${reason}` : 'ready'}`, async (t) => {
    const { watch } = openWatch(setting);
    t.teardown(watch.close);
    const ready = await watch.check();
    t.deepEqual(ready, watch.ready());
    if (reason === undefined) t.deepEqual(ready, { ok: true });
    else t.regex(ready.ok ? '' : ready.reason, reason);
    watch.close();
    await watch.check();
    t.deepEqual(watch.ready(), { ok: false, reason: 'closed' });
  });
}
