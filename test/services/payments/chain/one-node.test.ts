import test from 'ava';
import { oneNode } from '../../../../services/payments/chain/nodes.ts';
import { findReceipt, readBlock, readBlockNumber, readLogs } from '../../../../services/payments/chain/rpc.ts';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import { until } from '../../../kit/until.ts';
import { hex32, PAY_TO, startWatchedChain } from '../channels/watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());

const { rpc } = chain;
const HASH = hex32(0xc1);
const logsUpTo = (to: bigint) => readLogs(rpc, { address: SETTLEMENT, topics: [] }, { from: 0n, to });

/** What is asked for while every request of one call, such as one of another caller, waits for its answer. */
async function askedBeside(others: readonly (() => Promise<unknown>)[], ask: () => Promise<unknown>) {
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const requests: (readonly string[])[] = [];
  chain.lie((_, together) => {
    requests.push(together);
    return together.length === 1 ? held : undefined;
  });
  const waiting = [];
  for (const other of others) {
    waiting.push(other());
    await until(() => requests.length === waiting.length);
  }
  chain.lie((_, together) => {
    requests.push(together);
    return undefined;
  });
  const answer = ask();
  await until(() => requests.length > others.length);
  release(undefined);
  await Promise.all([answer, ...waiting]);
  return requests.slice(others.length)[0];
}

test.serial(
  'one node answers for logs and their last block, also while another caller asks for the block',
  async (t) => {
    const { number } = await chain.latest();
    const asked = await askedBeside([() => readBlock(rpc, number)], () => logsUpTo(number));
    t.deepEqual(asked?.toSorted(), ['eth_getBlockByNumber', 'eth_getLogs']);
  },
);

test.serial(
  'one node answers whether a nonce is used and by what, also while another caller asks the same',
  async (t) => {
    const { number: block } = await chain.latest();
    const asked = await askedBeside(
      [
        () => readBlockNumber(rpc),
        () => rpc.getTransactionCount({ address: PAY_TO, blockNumber: block }),
        () => rpc.getTransactionReceipt({ hash: HASH }).catch(() => {}),
      ],
      () =>
        oneNode(() =>
          Promise.all([
            readBlockNumber(rpc),
            rpc.getTransactionCount({ address: PAY_TO, blockNumber: block }),
            findReceipt(rpc, HASH),
          ]),
        ),
    );
    t.deepEqual(asked?.toSorted(), ['eth_blockNumber', 'eth_getTransactionCount', 'eth_getTransactionReceipt']);
  },
);

test.serial('one node answers for logs and for their last block, however much is asked at the same time', async (t) => {
  const { number } = await chain.latest();
  for (const others of [1, 48, 49, 50, 99]) {
    const requests: (readonly string[])[] = [];
    chain.lie((_, together) => {
      requests.push(together);
      return undefined;
    });
    const busy = Array.from({ length: others }, () => findReceipt(rpc, HASH));
    await Promise.all([...busy, logsUpTo(number)]);
    t.true(
      requests.some((each) => each.includes('eth_getLogs') && each.includes('eth_getBlockByNumber')),
      `${others}`,
    );
  }
});

test.serial('the logs up to a block that the node lacks are not known', async (t) => {
  const { number } = await chain.latest();
  await t.throwsAsync(logsUpTo(number + 1n), { name: 'BlockNotFoundError' });
});

test.serial('a node that leaves out the null for the last block does not have it', async (t) => {
  const { number } = await chain.latest();
  chain.lie(({ method }, together) => {
    if (!together.includes('eth_getLogs')) return undefined;
    // Such as a proxy that leaves out members which are null.
    return method === 'eth_getLogs' ? { result: [] } : {};
  });
  await t.throwsAsync(logsUpTo(number));
});

test.serial('an error without an id gives no request the answer of another one', async (t) => {
  const { number } = await chain.latest();
  chain.lie(({ method, params = [] }, together) =>
    together.length === 2 && method === 'eth_getBlockByNumber' && Number(params[0]) === Number(number)
      ? { id: null, error: { code: -32_005, message: 'limit exceeded' } }
      : undefined,
  );
  const [, last] = await Promise.allSettled([readBlock(rpc, 1n), readBlock(rpc, number)]);
  t.false(last.status === 'fulfilled' && last.value?.number !== number, 'it is another block than the one asked for');
});
