import test from 'ava';
import { askNode, nodeNow, type Rpc } from '../../../../services/payments/chain/nodes.ts';
import {
  bounded,
  bumped,
  createMarketReader,
  feesFor,
  raised,
  readMarket,
} from '../../../../services/payments/signer/fees.ts';
import { createWaitingTimes } from '../../../../services/payments/signer/waiting-times.ts';

const feesOf = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });

test('fees suffice while the base fee rises by a fifth, rounded down', (t) => {
  for (const [baseFeePerGas, maxPriorityFeePerGas, maxFeePerGas] of [
    [10n, 1n, 13n],
    [14n, 2n, 18n],
    [0n, 3n, 3n],
  ] as const) {
    const market = { baseFeePerGas, maxPriorityFeePerGas };
    t.deepEqual(feesFor(market), feesOf(maxFeePerGas, maxPriorityFeePerGas));
  }
});

test('a replacement has the higher one of the present fee and an eighth more than before', (t) => {
  t.deepEqual([0n, 8n, 100n].map(bumped), [1n, 10n, 113n]);
  t.deepEqual(raised(feesOf(10n, 20n), feesOf(8n, 16n)), feesOf(10n, 20n));
  t.deepEqual(raised(feesOf(9n, 18n), feesOf(8n, 16n)), feesOf(10n, 19n));
});

test('both fees are at most the maximum', (t) => {
  t.deepEqual(bounded(feesOf(10n, 4n), 5n), feesOf(5n, 4n));
  t.deepEqual(bounded(feesOf(10n, 9n), 5n), feesOf(5n, 5n));
  t.deepEqual(bounded(feesOf(4n, 3n), 5n), feesOf(4n, 3n));
});

/** A node whose fees are the number of the question. The first answers may fail. */
function openNode(failures = 0) {
  let asked = 0;
  const node = {
    async getBlock() {
      asked += 1;
      if (asked <= failures) throw new Error('no answer');
      return { baseFeePerGas: BigInt(asked) };
    },
    estimateMaxPriorityFeePerGas: async () => 1n,
  };
  return { rpc: node as unknown as Rpc, asked: () => asked };
}

test('a decision that asks the second node does not wait for the fees of the first one', async (t) => {
  const first = Promise.withResolvers<never>();
  const getBlock = () => (nodeNow() === 0 ? first.promise : Promise.resolve({ baseFeePerGas: 7n }));
  const rpc = { getBlock, estimateMaxPriorityFeePerGas: async () => 1n } as unknown as Rpc;
  const read = createMarketReader(rpc, () => 0);
  const failing = askNode(0, read);
  t.is((await askNode(1, read)).baseFeePerGas, 7n);
  first.reject(new Error('no answer'));
  await t.throwsAsync(failing);
  t.is((await askNode(1, read)).baseFeePerGas, 7n);
});

test('the present fees are read again after three seconds, and after a failure', async (t) => {
  const { rpc } = openNode();
  let nowMs = 5000;
  const read = createMarketReader(rpc, () => nowMs);
  const base = async () => (await read()).baseFeePerGas;
  t.is(await base(), 1n);
  nowMs = 8000;
  t.is(await base(), 1n);
  nowMs = 8001;
  t.is(await base(), 2n);
  const failing = openNode(1);
  const retry = createMarketReader(failing.rpc, () => 0);
  await t.throwsAsync(retry(), { message: 'no answer' });
  t.is((await retry()).baseFeePerGas, 2n);
});

test('a chain without a base fee is refused', async (t) => {
  const node = { getBlock: async () => ({ baseFeePerGas: null }), estimateMaxPriorityFeePerGas: async () => 1n };
  await t.throwsAsync(readMarket(node as unknown as Rpc), { message: /no base fee/ });
});

test('a transaction waits from the first time that it is seen, until it is forgotten', (t) => {
  let nowMs = 100;
  const { sinceFirstSeen, forget } = createWaitingTimes(() => nowMs);
  t.is(sinceFirstSeen('0x1'), 0);
  nowMs = 130;
  t.is(sinceFirstSeen('0x2'), 0);
  t.is(sinceFirstSeen('0x1'), 30);
  forget('0x1');
  t.is(sinceFirstSeen('0x1'), 0);
});

test('ten thousand transactions are known, and the oldest makes room', (t) => {
  let nowMs = 0;
  const { sinceFirstSeen } = createWaitingTimes(() => nowMs);
  for (let n = 0; n < 10_000; n += 1) sinceFirstSeen(`0x${n}`);
  nowMs = 1;
  t.is(sinceFirstSeen('0x0'), 1);
  sinceFirstSeen('0x10000');
  t.is(sinceFirstSeen('0x1'), 1);
  t.is(sinceFirstSeen('0x0'), 0);
});
