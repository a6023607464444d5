import test from 'ava';
import { formatLog, type Hex } from 'viem';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { NodeReplyError } from '../../../../services/payments/chain/node-replies.ts';
import type { EventLog } from '../../../../services/payments/chain/rpc.ts';
import type { ChannelConfig } from '../../../../services/payments/channels/channel-config.ts';
import type { ChannelContext } from '../../../../services/payments/channels/channel-context.ts';
import { createChannelReader } from '../../../../services/payments/channels/channel-reader.ts';
import type { ChannelRecords } from '../../../../services/payments/channels/channel-records.ts';
import { DEPOSITED, eventsIn, REFUNDED, readEvents } from '../../../../services/payments/channels/contract-logs.ts';
import { type ChannelState, readState, readStates } from '../../../../services/payments/channels/contract-reader.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { type Channel, calls, newChannel } from '../sandbox/channel-chain.ts';
import { AUTHORIZER } from './channel-wire.ts';
import {
  CONFIRMATIONS,
  hex32,
  PAY_TO,
  type RawLog,
  receiptOf,
  startWatchedChain,
  stateOf,
  terms,
} from './watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());
test.before(() => chain.node.mine({ blocks: CONFIRMATIONS }));
test.beforeEach(() => chain.forget());

const OURS = { receiver: PAY_TO, receiverAuthorizer: AUTHORIZER.address };
/** Channels that the contract does not know. */
const [ONE, TWO] = [hex32(0xa1), hex32(0xa2)];

async function newOpened(balance = 100n): Promise<Channel> {
  const channel = newChannel(OURS);
  await chain.open(channel, balance);
  return channel;
}
/** Makes the latest block final. */
const finalize = () => chain.node.mine({ blocks: CONFIRMATIONS - 1 });
const readFinal = async () => chain.blockAt((await chain.latest()).number - BigInt(CONFIRMATIONS) + 1n);
/** Makes the receiver refund 1. */
async function refund({ config }: Channel) {
  await chain.send(AUTHORIZER.address, calls.refund(config, 1n));
  return (await chain.latest()).number;
}
/** The ranges of blocks whose events were asked for. */
const ranges = () =>
  chain.askedFor('eth_getLogs').map(([query]) => {
    const { fromBlock, toBlock } = query as { readonly fromBlock: string; readonly toBlock: string };
    return [BigInt(fromBlock), BigInt(toBlock)];
  });

interface Setting {
  readonly ids?: readonly Hex[];
  readonly withdrawing?: readonly Hex[];
  readonly unread?: readonly Hex[];
  readonly watchedTo?: bigint;
  readonly firstBlock?: bigint;
  readonly known?: ReadonlyMap<string, ChannelConfig>;
  readonly isSandbox?: boolean;
  readonly latest?: readonly ChannelState[];
  readonly confirmations?: number;
}

function open(setting: Setting = {}) {
  const [noted, remembered, before]: [unknown[], unknown[], bigint[]] = [[], [], []];
  const records: ChannelRecords = {
    remember: async (...args) => void remembered.push(args),
    configs: async () => setting.known ?? new Map(),
    ids: async () => setting.ids ?? [],
    withdrawing: async () => setting.withdrawing ?? [],
    firstBlock: async () => setting.firstBlock,
    watchedTo: async () => setting.watchedTo ?? 0n,
    async readBefore(block) {
      before.push(block);
      return setting.unread ?? [];
    },
    refundNonce: async () => 0n,
    publish: async () => {},
    note: async (...args) => void noted.push(args),
    latest: async (states) => setting.latest ?? states,
  };
  const reader = createChannelReader(
    contextOf<ChannelContext>({
      rpc: chain.rpc,
      blocks: createConfirmedBlocks({ rpc: chain.rpc, confirmations: setting.confirmations ?? CONFIRMATIONS }),
      channels: records,
      terms: { ...terms, sandbox: setting.isSandbox ?? false },
      channelTerms: { receiverAuthorizer: AUTHORIZER.address, withdrawDelaySeconds: 900, minDeposit: 1n },
      typedData: createTypedData(terms),
      now: () => 5_999,
    }),
  );
  return { reader, noted, remembered, before };
}

test.serial('channels are read at the latest final block, stored, and answered as they are stored', async (t) => {
  const channel = await newOpened();
  const { id } = channel;
  await finalize();
  await refund(channel);
  await chain.node.mine({ blocks: CONFIRMATIONS - 2 });
  const latest = [stateOf(id, { balance: 9n, block: 95n })];
  const { reader, noted } = open({ latest });
  t.is(await reader.read([id]), latest);
  const { number: block } = await readFinal();
  t.deepEqual(noted, [[[stateOf(id, { balance: 100n, block })]]]);
});

test.serial('a node that has no final block, or lacks blocks that were read, is not believed', async (t) => {
  await t.throwsAsync(open({ confirmations: 1_000_000 }).reader.read([ONE]), { message: /no final block/ });
  const { number } = await readFinal();
  const behind = { message: /lacks blocks that were read/ };
  await t.notThrowsAsync(open({ watchedTo: number + 1n }).reader.read([ONE]));
  await t.throwsAsync(open({ watchedTo: number + 2n }).reader.read([ONE]), behind);
  await t.notThrowsAsync(open().reader.watch(number + 1n));
  await t.throwsAsync(open().reader.watch(number + 2n), behind);
});

test.serial('configurations of channels with a balance are stored once', async (t) => {
  const [rich, old, poor] = [await newOpened(1n), await newOpened(1n), newChannel(OURS)];
  await finalize();
  const known = new Map([[old.id, old.config]]);
  const { reader, remembered, noted } = open({ known });
  await reader.remember([poor.config, old.config, rich.config]);
  const { number: block } = await readFinal();
  t.deepEqual(remembered, [[rich.id, rich.config, block]]);
  t.deepEqual(noted, [[[stateOf(poor.id, { block }), stateOf(rich.id, { balance: 1n, block })]]]);
  const without = open({ known });
  await without.reader.remember([old.config]);
  t.deepEqual(without.noted, []);
});

test.serial('a channel of another receiver, authorizer or token is refused without the node', async (t) => {
  for (const changes of [{ receiver: AUTHORIZER.address }, { receiverAuthorizer: PAY_TO }, { token: PAY_TO }]) {
    const { config } = newChannel({ ...OURS, ...changes });
    const remembering = open().reader.remember([newChannel(OURS).config, config]);
    t.is((await t.throwsAsync(remembering, { instanceOf: ServiceError })).code, 'INVALID_ARGUMENT');
  }
  t.deepEqual([...chain.askedFor('eth_getBlockByNumber'), ...chain.askedFor('eth_call')], []);
});

test.serial('the watch reads what changed, what is withdrawn and what is new, each once', async (t) => {
  const [changed, unchanged] = [await newOpened(), await newOpened()];
  const from = await refund(changed);
  await refund(changed);
  await finalize();
  await refund(unchanged);
  const ids = [changed.id, unchanged.id, ONE, TWO];
  const { reader, noted, before } = open({ ids, withdrawing: [ONE], unread: [ONE, TWO] });
  await chain.node.mine({ blocks: CONFIRMATIONS - 2 });
  const { number, timestamp } = await readFinal();
  const { channels, ...place } = await reader.watch(from);
  const read = channels.map(({ channelId, balance }) => ({ [channelId]: balance }));
  t.deepEqual(read, [{ [changed.id]: 98n }, { [ONE]: 0n }, { [TWO]: 0n }]);
  t.deepEqual(place, { nextBlock: number + 1n, endTimeS: timestamp });
  t.deepEqual(ranges(), [[from, number]]);
  t.deepEqual(before, [from - 1n]);
  t.deepEqual(noted, [[channels, { isWatched: true }]]);
});

test.serial('the first watch begins with the first channel, and a later one where the one before ended', async (t) => {
  const { number, timestamp } = await readFinal();
  const nextBlock = number + 1n;
  for (const [setting, from, expected] of [
    [{ ids: [ONE], firstBlock: 4n }, 0n, [[4n, number]]],
    [{ ids: [ONE], firstBlock: number }, 0n, [[number, number]]],
    [{ ids: [ONE], firstBlock: 4n }, 7n, [[7n, number]]],
    [{ ids: [ONE], firstBlock: 4n }, number, [[number, number]]],
    [{ ids: [ONE], firstBlock: 4n }, nextBlock, []],
    [{}, 0n, []],
  ] as const) {
    chain.forget();
    t.deepEqual(await open(setting).reader.watch(from), { channels: [], nextBlock, endTimeS: timestamp });
    t.deepEqual(ranges(), expected);
  }
});

test.serial('the sandbox has no blocks between transactions, so its clock counts', async (t) => {
  t.is((await open({ isSandbox: true }).reader.watch(0n)).endTimeS, 5n);
});

test.serial('events are read a thousand blocks at a time, up to the last one', async (t) => {
  const channel = await newOpened();
  const from = await refund(channel);
  await chain.node.mine({ blocks: 998 });
  const last = await refund(channel);
  const next = await refund(channel);
  t.is(last, from + 999n);
  for (const [to, bounds, found] of [
    [from, [from, from], 1],
    [last, [from, last], 2],
    [next, [from, last, next, next], 3],
    [from - 1n, [], 0],
  ] as const) {
    chain.forget();
    t.is((await readEvents(chain.rpc, [channel.id], { from, to }, REFUNDED)).length, found);
    t.deepEqual(ranges().flat(), [...bounds]);
  }
});

test.serial('events are read for five hundred channels at a time', async (t) => {
  const { number: from } = await chain.latest();
  const [first, last] = [await newOpened(), await newOpened()];
  const ids = Array.from({ length: 501 }, (_, n) => (n === 0 ? first.id : n === 500 ? last.id : hex32(n)));
  const { number: to } = await chain.latest();
  const found = (await readEvents(chain.rpc, ids, { from, to }, DEPOSITED)).map(({ channelId }) => channelId);
  t.deepEqual(found, [first.id, last.id]);
  t.is(ranges().length, 2);
  await readEvents(chain.rpc, ids.slice(1), { from, to });
  t.is(ranges().length, 3);
});

const formatted = (log: RawLog) => formatLog(log) as EventLog;

/** A refund of 1, and its log. */
async function newRefund() {
  const channel = await newOpened();
  const { hash, block } = await chain.mine(calls.refund(channel.config, 1n), { from: AUTHORIZER.address });
  const found = (await receiptOf(chain, hash)).logs.find(({ topics }) => topics[0] === REFUNDED);
  const log: RawLog = defined(found);
  return { channel, hash, block, log, range: { from: block.number, to: block.number } };
}
test.before(async () => {
  await chain.node.impersonateAccount({ address: AUTHORIZER.address });
  await chain.node.setBalance({ address: AUTHORIZER.address, value: 10n ** 18n });
});

test.serial('an event has its channel, its transaction, its block and its data', async (t) => {
  const { channel, hash, block, log, range } = await newRefund();
  const { number, hash: blockHash } = block;
  const event = { channelId: channel.id, transaction: hash, block: { number, hash: blockHash }, data: hex32(1) };
  t.deepEqual(await readEvents(chain.rpc, [TWO, channel.id], range, REFUNDED), [event]);
  t.deepEqual(await readEvents(chain.rpc, [channel.id], range), [event]);
  t.deepEqual(await readEvents(chain.rpc, [channel.id], range, DEPOSITED), []);
  t.deepEqual(eventsIn([formatted(log)], REFUNDED, channel.id), [event]);
  const upper = (topic: Hex | undefined): Hex => `0x${defined(topic).slice(2).toUpperCase()}`;
  const topics: RawLog['topics'] = [upper(log.topics[0]), upper(log.topics[1])];
  t.deepEqual(eventsIn([formatted({ ...log, topics })], REFUNDED, channel.id), [event], 'nodes may write upper case');
});

for (const [name, change] of [
  ['of another channel', ({ topics }) => ({ topics: [defined(topics[0]), TWO] })],
  ['of another contract', () => ({ address: PAY_TO })],
  ['of another kind', ({ topics }) => ({ topics: [DEPOSITED, defined(topics[1])] })],
  ['of no channel', () => ({ topics: [REFUNDED] })],
] as const satisfies readonly (readonly [string, (log: RawLog) => Partial<RawLog>])[]) {
  test.serial(`a node that answers an event ${name} is not believed`, async (t) => {
    const { channel, log, range } = await newRefund();
    const changed = { ...log, ...change(log) };
    chain.tell('eth_getLogs', [changed]);
    const reading = readEvents(chain.rpc, [channel.id], range, REFUNDED);
    await t.throwsAsync(reading, { instanceOf: NodeReplyError });
    t.deepEqual(eventsIn([formatted(changed)], REFUNDED, channel.id), []);
  });
}

test.serial('the state of a channel has its sums, its nonce and a withdrawal that was started', async (t) => {
  const channel = await newOpened();
  await chain.claim(channel, 3n);
  await refund(channel);
  await chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, 4n));
  const { number: block, timestamp } = await chain.latest();
  await refund(channel);
  const withdrawal = { amount: 4n, requestedAtS: Number(timestamp) };
  const state = stateOf(channel.id, { balance: 99n, totalClaimed: 3n, refundNonce: 1n, withdrawal, block });
  t.deepEqual(await readState(chain.rpc, channel.id, block), state);
  t.deepEqual(await readStates(chain.rpc, [TWO, channel.id], block), [stateOf(TWO, { block }), state]);
  t.like(await readState(chain.rpc, channel.id, block - 1n), { withdrawal: undefined });
  t.deepEqual(await readStates(chain.rpc, [], block), []);
});

test.serial('the states of two hundred channels are one request', async (t) => {
  const channel = await newOpened(7n);
  const { number: block } = await chain.latest();
  for (const [count, requests] of [
    [200, 1],
    [201, 2],
  ] as const) {
    chain.forget();
    const ids = Array.from({ length: count }, (_, n) => (n === count - 1 ? channel.id : hex32(n)));
    const expected = ids.map((id) => stateOf(id, { balance: id === channel.id ? 7n : 0n, block }));
    t.deepEqual(await readStates(chain.rpc, ids, block), expected);
    t.is(chain.askedFor('eth_call').length, requests);
  }
});

test.serial('a node whose last block is another one than the final one does not hide a withdrawal', async (t) => {
  const channel = await newOpened();
  await finalize();
  const first = await open({ ids: [channel.id], firstBlock: 1n }).reader.watch(0n);
  t.true(first.channels.some(({ channelId }) => channelId === channel.id));
  await chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, 100n));
  await finalize();
  const final = await readFinal();
  const block = await chain.rpc.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${final.number.toString(16)}`, false],
  });
  // A node behind: its branch ends with the number of the final block, and does not have the event.
  chain.lie(({ method }, together) => {
    if (!together.includes('eth_getLogs')) return undefined;
    return method === 'eth_getLogs' ? { result: [] } : { result: { ...block, hash: hex32(0xbad) } };
  });
  const stack = open({ ids: [channel.id], watchedTo: first.nextBlock, firstBlock: 1n });
  await t.throwsAsync(stack.reader.watch(first.nextBlock), { name: 'BlockNotFoundError' });
  chain.forget();
  const second = await stack.reader.watch(first.nextBlock);
  t.true(second.channels.some(({ withdrawal }) => withdrawal !== undefined));
});
