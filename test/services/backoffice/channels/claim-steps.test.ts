import test from 'ava';
import type { ContractChannel } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { createChannelJobs } from '../../../../services/backoffice/channels/channel-jobs.ts';
import { claimVouchers, createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import type { StoredVoucher } from '../../../../services/backoffice/channels/vouchers.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { contractChannel } from './channel-stores.ts';

const AT = new Date(5);
const LIMITS = { afterSeconds: 60, aboveMicroUsd: 9n };
const never = new AbortController().signal;
const voucherOf = (channelId: string, changes: Partial<StoredVoucher> = {}): StoredVoucher => ({
  channelId,
  totalMicroUsd: 8n,
  signedMicroUsd: 9n,
  claimedMicroUsd: 3n,
  sealed: Buffer.from(channelId),
  keyId: 'k1',
  ...changes,
});

/** A logger that keeps its lines, by their level. */
function openLog() {
  const lines: (readonly [string, object])[] = [];
  const at = (level: string) => (line: object) => void lines.push([level, line]);
  return { lines, logger: { info: at('info'), warn: at('warn'), error: at('error') } as never };
}

interface Setting {
  /** What is due at each question; the last one stays. */
  readonly due?: readonly (readonly StoredVoucher[])[];
  readonly shown?: Partial<ContractChannel>;
  readonly transactions?: readonly string[];
  readonly refused?: readonly string[];
  readonly fails?: boolean;
}

function open({ due = [[]], shown = {}, transactions = ['0x1'], refused = [], fails = false }: Setting = {}) {
  const { lines, logger } = openLog();
  const [asked, noted]: [unknown[], unknown[]] = [[], []];
  let reads = 0;
  const vouchers = {
    async due() {
      reads += 1;
      return { at: AT, vouchers: due[Math.min(reads, due.length) - 1] ?? [] };
    },
    find: async () => [],
    postpone: async (...args: unknown[]) => void noted.push(['postpone', ...args]),
    noteClaimed: async (...args: unknown[]) => void noted.push(['claimed', ...args]),
  };
  const options = {
    vouchers,
    cipher: {
      open(channelId: string, { sealed }: { readonly sealed: Buffer }) {
        if (channelId.startsWith('bad')) throw new Error('another key');
        return `opened ${sealed}`;
      },
    },
    channels: {
      async claim(
        ...args: readonly [
          { readonly claims: readonly { readonly voucher?: { readonly channelId: string } }[] },
          unknown,
        ]
      ) {
        asked.push(args);
        if (fails) throw new Error('no answer');
        const ids = args[0].claims.map(({ voucher }) => String(voucher?.channelId));
        const channels = ids.map((id) => contractChannel(id, { balance: '100', totalClaimed: '8', ...shown }));
        return { transactions: [...transactions], channels, refusedIds: [...refused] };
      },
    },
    logger,
  };
  return {
    lines,
    asked,
    noted,
    claim: (...given: readonly StoredVoucher[]) => claimVouchers(options as never, given, AT),
    run: (signal = never) => createClaimChannels({ ...options, limits: LIMITS } as never)(signal),
  };
}

test('a claim is what was charged, with the voucher that allows it', async (t) => {
  const { claim, asked, noted, lines } = open();
  t.like(await claim(voucherOf('a')), { transactions: ['0x1'] });
  const message = {
    voucher: { channelId: 'a', maxClaimableAmount: '9', signature: 'opened a' },
    totalClaimed: '8',
  };
  t.deepEqual(asked, [[{ claims: [message] }, { timeoutMs: 60_000 }]]);
  t.deepEqual(noted, [['claimed', ['a'], AT]]);
  t.deepEqual(lines, [['info', { transactions: ['0x1'], channels: 1 }]]);
});

for (const [name, shown, claimed, noted] of [
  ['more than before', { totalClaimed: '4' }, 3n, [['claimed', ['a'], AT]]],
  ['as much as before', { totalClaimed: '3' }, 3n, []],
  ['all that is left', { totalClaimed: '8', balance: '8' }, 8n, [['postpone', ['a'], AT]]],
  ['more than is left', { totalClaimed: '9', balance: '8' }, 9n, [['postpone', ['a'], AT]]],
  ['all but one', { totalClaimed: '8', balance: '9' }, 8n, []],
] as const) {
  test(`a channel whose contract shows ${name} as claimed`, async (t) => {
    const { claim, noted: found, lines } = open({ shown, transactions: [] });
    await claim(voucherOf('a', { claimedMicroUsd: claimed }));
    t.deepEqual(found, [...noted]);
    t.deepEqual(lines, [], 'nothing was sent');
  });
}

for (const [balance, isLost] of [
  ['8', false],
  ['7', true],
] as const) {
  test(`a channel that was charged 8 and has ${balance} ${isLost ? 'lost its funds' : 'lost nothing'}`, async (t) => {
    const { claim, lines } = open({ shown: { balance, totalClaimed: '7' }, transactions: [] });
    await claim(voucherOf('a'));
    t.deepEqual(lines, isLost ? [['error', { channelId: 'a', charged: '8', balance, totalClaimed: '7' }]] : []);
  });
}

test('what is refused, or cannot be opened, is due again later', async (t) => {
  const { claim, asked, noted, lines } = open({ refused: ['b'] });
  await claim(voucherOf('a'), voucherOf('bad'), voucherOf('b'));
  t.deepEqual(noted.slice(0, 2), [
    ['postpone', ['bad'], AT],
    ['postpone', ['b'], AT],
  ]);
  t.like(asked[0], [{ claims: { length: 2 } }]);
  t.like(lines, [
    ['error', { channelId: 'bad' }],
    ['info', { channels: 2 }],
    ['error', { channelId: 'b' }],
  ]);
  const none = open();
  t.is(await none.claim(voucherOf('bad')), undefined);
  t.deepEqual(none.asked, []);
});

test('a hundred channels are claimed at once, and each amount is tried once', async (t) => {
  const ids = Array.from({ length: 101 }, (_, n) => `c${n}`);
  const { run, asked } = open({ due: [ids.map((id) => voucherOf(id))] });
  await run();
  t.like(asked, [[{ claims: { length: 100 } }], [{ claims: { length: 1 } }]]);
  t.is(asked.length, 2);
  const more = open({ due: [[voucherOf('a')], [voucherOf('a', { totalMicroUsd: 9n })]] });
  await more.run();
  t.is(more.asked.length, 2, 'more was charged meanwhile');
  const leaving = open({ due: [ids.map((id) => voucherOf(id)), ['leaving', ...ids].map((id) => voucherOf(id))] });
  await leaving.run();
  t.like(leaving.asked[1], [{ claims: { length: 2, 0: { voucher: { channelId: 'leaving' } } } }], 'a new withdrawal');
  const stopped = open({ due: [[voucherOf('a')]] });
  await stopped.run(AbortSignal.abort());
  t.deepEqual(stopped.asked, []);
});

test('a claim that fails is logged, and the others go on', async (t) => {
  const ids = Array.from({ length: 101 }, (_, n) => `c${n}`);
  const { run, asked, lines } = open({ due: [ids.map((id) => voucherOf(id))], fails: true });
  await run();
  t.is(asked.length, 2);
  t.is(lines[0]?.[0], 'warn');
});

/** Refunds whose outcome the payments service tells. */
function openRefunds(outcomes: Readonly<Record<string, string>>, states: Readonly<Record<string, string>> = {}) {
  const { lines, logger } = openLog();
  const [asked, voided]: [unknown[], string[]] = [[], []];
  let [running, most] = [0, 0];
  const run = createResolveRefunds({
    ledger: {
      async overdue(options) {
        asked.push(options);
        return Object.keys(outcomes).map((reservationId) => ({ reservationId }) as never);
      },
      async void(id, reason) {
        voided.push(`${id} ${reason}`);
        return { state: (states[id] ?? 'voided') as never, balanceMicroUsd: undefined };
      },
    },
    channels: {
      async resolveRefund(id, options) {
        asked.push([id, options]);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        const $case = outcomes[id];
        if ($case === 'fails') throw new Error('no answer');
        return { outcome: $case === '' ? undefined : { $case } } as never;
      },
    },
    logger,
  });
  return { run, asked, voided, lines, most: () => most };
}

test('a refund that has an outcome is voided, and one without is asked for again', async (t) => {
  const outcomes = { a: 'refunded', b: 'refused', c: 'pending', d: '', e: 'fails', f: 'refunded' };
  const { run, asked, voided, lines } = openRefunds(outcomes, { f: 'busy' });
  await run(never);
  t.deepEqual(asked.slice(0, 2), [{ graceMs: 5000, limit: 500, of: 'refunds' }, ['a', { timeoutMs: 10_000 }]]);
  t.deepEqual(voided, ['a operation_failed', 'b operation_failed', 'f operation_failed']);
  t.like(
    lines.filter(([level]) => level === 'info'),
    [
      ['info', { refundId: 'a', outcome: 'refunded' }],
      ['info', { refundId: 'b', outcome: 'refused' }],
    ],
  );
  t.is(lines.filter(([level]) => level === 'info').length, 2, 'a busy one is voided by the next run');
  t.like(
    lines.find(([level]) => level === 'warn'),
    ['warn', { reservationId: 'e' }],
  );
});

test('twenty refunds are resolved at the same time, and a stopped run resolves none', async (t) => {
  const outcomes = Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`r${n}`, 'refunded']));
  const all = openRefunds(outcomes);
  await all.run(never);
  t.deepEqual([all.voided.length, all.most()], [41, 20]);
  const stopped = openRefunds(outcomes);
  await stopped.run(AbortSignal.abort());
  t.deepEqual(stopped.voided, []);
});

test('the work on channels is done as often as it is set, and nothing where none are served', async (t) => {
  const jobsWith = (error: Error) => {
    const fail = () => Promise.reject(error);
    return createChannelJobs({
      settings: {
        CHANNEL_CLAIM_AFTER_S: 1,
        CHANNEL_CLAIM_ABOVE: 2,
        CHANNEL_CLAIM_INTERVAL_MS: 3,
        CHANNEL_WATCH_INTERVAL_MS: 4,
      },
      refundIntervalMs: 5,
      database: {} as never,
      network: 'eip155:1',
      ledger: { overdue: fail } as never,
      cipher: {} as never,
      channels: {} as never,
      ...openLog(),
    });
  };
  const notOffered = CallError.ofCode({ code: 'CHANNELS_NOT_OFFERED', message: 'x' });
  const other = CallError.ofCode({ code: 'INTERNAL', message: 'x' });
  const everyMs = jobsWith(notOffered).map((job) => [job.name, job.everyMs]);
  t.deepEqual(everyMs, [
    ['claim-channels', 3],
    ['watch-channels', 4],
    ['resolve-channel-refunds', 5],
  ]);
  const resolveOf = (error: Error) => jobsWith(error)[2]?.run(never);
  await t.notThrowsAsync(async () => resolveOf(notOffered));
  t.is(await t.throwsAsync(async () => resolveOf(other)), other);
  const plain = Object.assign(new Error('x'), { code: 'CHANNELS_NOT_OFFERED' });
  t.is(await t.throwsAsync(async () => resolveOf(plain)), plain);
});
