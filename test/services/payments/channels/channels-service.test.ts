import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { ChannelsServiceService } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import type { Channels } from '../../../../services/payments/channels/channels.ts';
import { createChannelsService } from '../../../../services/payments/channels/channels-service.ts';
import type { ChannelState } from '../../../../services/payments/channels/contract-reader.ts';
import type { Ending } from '../../../../services/payments/channels/transaction-records.ts';
import { createChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { type Channel, newChannel } from '../sandbox/channel-chain.ts';
import { newDeposit, timed, wireClaim, wireConfig } from './channel-wire.ts';
import { hex32, PAY_TO, stateOf, terms } from './watched-chain.ts';

const TRANSACTION = hex32(0xc1);
const DONE: Ending = { state: 'done', transaction: TRANSACTION, amount: 40n };
const REFUSED: Ending = { state: 'refused', reason: 'why' };

interface Setting {
  readonly hasKey?: boolean;
  readonly isOffered?: boolean;
  readonly isPoor?: boolean;
  readonly ending?: Ending | undefined;
  readonly isShown?: boolean;
  readonly known?: readonly Channel[];
  readonly refused?: readonly Hex[];
  readonly fails?: boolean;
  readonly withdrawal?: ChannelState['withdrawal'];
  /** The time of the service. */
  readonly nowMs?: number;
}

/** Serves channels that note what they are asked, and answer as they are told. */
async function open(t: ExecutionContext, setting: Setting = {}) {
  const { hasKey = true, isOffered = true, known = [], ending, isShown = true, refused = [], withdrawal } = setting;
  const asked: unknown[] = [];
  const read = (ids: readonly Hex[]) =>
    ids.map((id) => stateOf(id, { balance: 9n, totalClaimed: 3n, refundNonce: 2n, withdrawal }));
  const channels = contextOf<Channels>({
    isOffered,
    channelTerms: { receiverAuthorizer: PAY_TO, withdrawDelaySeconds: 900, minDeposit: 140n },
    reader: {
      async remember(configs) {
        asked.push(['remember', configs]);
        if (setting.fails) throw new Error('no answer');
      },
      async read(ids) {
        asked.push(['read', ids]);
        return read(ids);
      },
      watch: async (fromBlock) => ({ channels: read([hex32(1)]), nextBlock: fromBlock + 5n, endTimeS: 7n }),
    },
    records: { configs: async () => new Map(known.map(({ id, config }) => [id, config])) },
    deposits: {
      async deposit(_payload, untilMs, admit) {
        admit();
        asked.push(['deposit', untilMs]);
        return ending;
      },
    },
    claims: {
      async claim(rows) {
        asked.push(['claim', rows]);
        return { transactions: [TRANSACTION], refused };
      },
      estimate: () => Promise.reject(new Error('not a part of this test')),
    },
    refunds: {
      async refund(wanted) {
        asked.push(['refund', wanted]);
        return ending;
      },
      isShown: async () => isShown,
      estimate: () => Promise.reject(new Error('not a part of this test')),
      resolve: async () => ({ channelId: hex32(1), ending }),
    },
  });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const implementation = createChannelsService({
    channels: hasKey ? channels : undefined,
    terms,
    admit() {
      if (setting.isPoor) throw new ServiceError('PAYMENT_UNAVAILABLE', 'poor');
    },
    refresh: undefined,
    now: () => setting.nowMs ?? Date.now(),
    logger,
  });
  const folder = createTestFolder();
  const listen = `unix:${join(folder.runDir, 'channels.sock')}`;
  const server = await startGrpcServer({
    listen,
    service: ChannelsServiceService,
    implementation,
    logger,
  });
  const client = createChannelsClient(listen);
  t.teardown(async () => {
    client.close();
    await server.close();
    folder.remove();
  });
  return { client, asked };
}

const clientOf = async (t: ExecutionContext, setting: Setting = {}) => (await open(t, setting)).client;

const shown = (channelId: Hex, changes = {}) => ({
  channelId,
  balance: '9',
  totalClaimed: '3',
  refundNonce: '2',
  withdrawAmount: '',
  withdrawRequestedAtS: 0n,
  blockNumber: 90n,
  ...changes,
});
const invalid = (message: RegExp) => ({ code: 'INVALID_ARGUMENT', message });

test('the terms name the contract and what a channel needs', async (t) => {
  for (const isOffered of [true, false]) {
    t.deepEqual(await (await clientOf(t, { isOffered })).getTerms(timed), {
      ...{ offered: isOffered, contract: SETTLEMENT, chainId: 31337n },
      ...{ receiverAuthorizer: PAY_TO, withdrawDelaySeconds: 900, minDeposit: '140' },
    });
  }
});

test('without a key that signs claims, there are no channels', async (t) => {
  const { client } = await open(t, { hasKey: false });
  for (const answer of [client.getTerms(timed), client.watch(1n, timed)]) {
    await t.throwsAsync(answer, { code: 'CHANNELS_NOT_OFFERED' });
  }
});

test('a deposit is answered as it ended', async (t) => {
  const channel = newChannel();
  const { request } = await newDeposit(channel);
  const value = { transaction: TRANSACTION, amount: '40', channel: shown(channel.id) };
  for (const [setting, outcome] of [
    [{}, { $case: 'pending', value: true }],
    [{ ending: REFUSED }, { $case: 'refused', value: 'why' }],
    [
      { ending: DONE, isShown: false },
      { $case: 'deposited', value },
    ],
  ] as const) {
    t.deepEqual(await (await clientOf(t, setting)).deposit(request, timed), { outcome });
  }
});

test('new deposits need channels that are offered, and a signer that can pay', async (t) => {
  const { request } = await newDeposit(newChannel());
  for (const [setting, changes, code] of [
    [{ isOffered: false }, {}, 'CHANNELS_NOT_OFFERED'],
    [{ isPoor: true }, {}, 'PAYMENT_UNAVAILABLE'],
    [{}, { paymentJson: '' }, 'INVALID_ARGUMENT'],
  ] as const) {
    await t.throwsAsync((await clientOf(t, setting)).deposit({ ...request, ...changes }, timed), { code });
  }
});

test('a caller waits for a minute at most, and is answered half a second before its time', async (t) => {
  const { request } = await newDeposit(newChannel());
  const early = await open(t, { nowMs: 0 });
  await early.client.deposit(request, timed);
  t.deepEqual(early.asked, [['deposit', 60_000]]);
  const late = await open(t, { nowMs: Number.MAX_SAFE_INTEGER });
  const before = Date.now();
  await late.client.deposit(request, timed);
  const latest = Date.now() + timed.timeoutMs - 500;
  const [[, untilMs]] = late.asked as [[string, number]];
  t.true(untilMs >= before + timed.timeoutMs - 501 && untilMs <= latest, `${untilMs} of ${latest}`);
});

test('channels are read after their configurations are stored', async (t) => {
  const channel = newChannel();
  const withdrawal = { amount: 5n, requestedAtS: 1_900_000_000 };
  const { client, asked } = await open(t, { withdrawal });
  const upper = `0x${channel.id.slice(2).toUpperCase()}`;
  t.deepEqual(await client.read({ channelIds: [upper], configs: [wireConfig(channel)] }, timed), {
    channels: [shown(channel.id, { withdrawAmount: '5', withdrawRequestedAtS: 1_900_000_000n })],
  });
  t.deepEqual(asked, [
    ['remember', [channel.config]],
    ['read', [channel.id]],
  ]);
  const malformed = client.read({ channelIds: ['0x1'], configs: [] }, timed);
  await t.throwsAsync(malformed, invalid(/id of a channel is not 32 bytes/));
});

test('a request names up to a thousand channels', async (t) => {
  const [ids, config] = [Array.from({ length: 1000 }, (_, n) => hex32(n)), wireConfig(newChannel())];
  const configs = ids.map(() => config);
  const { client } = await open(t);
  await t.notThrowsAsync(client.read({ channelIds: ids, configs }, timed));
  const most = invalid(/more than 1000 channels/);
  await t.throwsAsync(client.read({ channelIds: [...ids, hex32(1)], configs: [] }, timed), most);
  await t.throwsAsync(client.read({ channelIds: [], configs: [...configs, config] }, timed), most);
});

test('a node or a database that does not answer is not the caller’s fault', async (t) => {
  const failed = (await open(t, { fails: true })).client.read({ channelIds: [], configs: [] }, timed);
  await t.throwsAsync(failed, { code: 'PAYMENT_UNAVAILABLE' });
});

test('claims name their channels in order, and those that are refused or not known', async (t) => {
  const [one, two, lost] = [newChannel(), newChannel(), newChannel()];
  const { client, asked } = await open(t, { known: [one, two], refused: [two.id] });
  const claims = await Promise.all([lost, one, two].map((channel) => wireClaim(channel, 5n, 6n)));
  t.deepEqual(await client.claim({ claims }, timed), {
    transactions: [TRANSACTION],
    channels: [shown(lost.id), shown(one.id), shown(two.id)],
    refusedIds: [two.id, lost.id],
  });
  const [, rows] = asked[0] as [string, readonly unknown[]];
  t.like(rows, [
    { config: one.config, totalClaimed: 5n, voucher: { channelId: one.id, maxClaimableAmount: 6n } },
    { config: two.config, totalClaimed: 5n },
  ]);
  t.is(rows.length, 2);
});

test('claims of one request are of up to a hundred channels, each once, and of at most their vouchers', async (t) => {
  const channel = newChannel();
  const client = await clientOf(t, { known: [channel] });
  const claim = await wireClaim(channel, 5n);
  const times = (count: number) => Array<typeof claim>(count).fill(claim);
  await t.notThrowsAsync(client.claim({ claims: [claim] }, timed));
  for (const [claims, message] of [
    [times(2), /a channel is named twice/],
    [times(100), /a channel is named twice/],
    [times(101), /more than 100 channels/],
    [[await wireClaim(channel, 6n, 5n)], /higher than the voucher/],
    [[{ ...claim, totalClaimed: '-1' }], /claimed total is not an amount/],
    [[{ totalClaimed: '1', voucher: undefined }], /voucher is missing/],
  ] as const) {
    await t.throwsAsync(client.claim({ claims: [...claims] }, timed), invalid(message));
  }
});

test('a refund is asked with its channel and what was charged, and answered as it ended', async (t) => {
  const channel = newChannel();
  const [known, refundId] = [[channel], uuidv7()];
  const claim = await wireClaim(channel, 5n);
  const { client, asked } = await open(t, { known, ending: DONE });
  t.deepEqual(await client.refund({ refundId, channelId: channel.id, amount: '40', claim }, timed), {
    outcome: { $case: 'refunded', value: { transaction: TRANSACTION, amount: '40', channel: shown(channel.id) } },
  });
  t.like(asked[0], [
    'refund',
    { refundId, channelId: channel.id, config: channel.config, amount: 40n, claim: { totalClaimed: 5n } },
  ]);
  const bare = await open(t, { known, ending: REFUSED });
  const outcome = await bare.client.refund({ refundId, channelId: channel.id, amount: '40' }, timed);
  t.deepEqual(outcome, { outcome: { $case: 'refused', value: 'why' } });
  t.like(bare.asked[0], ['refund', { claim: undefined }]);
});

test('a refund that the node does not show yet is not answered: its amount would count as left', async (t) => {
  const channel = newChannel();
  const { client } = await open(t, { known: [channel], ending: DONE, isShown: false });
  const answer = client.refund({ refundId: uuidv7(), channelId: channel.id, amount: '40' }, timed);
  await t.throwsAsync(answer, { code: 'PAYMENT_UNAVAILABLE' });
});

test('a refund that is malformed, or of another channel, is refused', async (t) => {
  const [channel, other] = [newChannel(), newChannel()];
  const { client } = await open(t, { known: [channel, other] });
  const request = { refundId: uuidv7(), channelId: channel.id, amount: '40' };
  for (const [changes, message] of [
    [{ refundId: '1' }, /not a UUIDv7/],
    [{ channelId: '0x1' }, /id of the channel is not 32 bytes/],
    [{ channelId: hex32(1) }, /configuration of the channel is not known/],
    [{ amount: '-1' }, /the amount is not an amount/],
    [{ claim: await wireClaim(other, 5n) }, /claim is of another channel/],
  ] as const) {
    await t.throwsAsync(client.refund({ ...request, ...changes }, timed), invalid(message));
  }
  await t.throwsAsync(client.resolveRefund('1', timed), invalid(/not a UUIDv7/));
});

test('a refund is resolved as it ended', async (t) => {
  const refundId = uuidv7();
  const resolve = async (setting: Setting) => (await clientOf(t, setting)).resolveRefund(refundId, timed);
  t.deepEqual(await resolve({}), { outcome: { $case: 'pending', value: true } });
  const value = { amount: '40', channel: { channelId: hex32(1) } };
  t.like(await resolve({ ending: DONE }), { outcome: { $case: 'refunded', value } });
  await t.throwsAsync(resolve({ ending: DONE, isShown: false }), { code: 'PAYMENT_UNAVAILABLE' });
});

test('the watch answers what changed and where it goes on', async (t) => {
  const expected = { channels: [shown(hex32(1))], nextBlock: 8n, endTimeS: 7n };
  t.deepEqual(await (await clientOf(t)).watch(3n, timed), expected);
});
