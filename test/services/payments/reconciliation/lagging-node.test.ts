import test from 'ava';
import { numberToHex } from 'viem';
import { createBooks } from '../../../../services/payments/reconciliation/books.ts';
import { reconcile } from '../../../../services/payments/reconciliation/reconcile.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { CONFIRMATIONS, PAY_TO, startWatchedChain } from '../channels/watched-chain.ts';
import { CHANNEL_TOKEN, NO_ADDRESS } from '../sandbox/channel-chain.ts';

const chain = await startWatchedChain();
const { database, stop } = await createTestDatabase();
test.after.always(async () => {
  await stop();
  await chain.stop();
});
test.beforeEach(() => chain.forget());

const { rpc, blocks } = chain;
function newRun() {
  const paid = { database, network: newNetwork(), asset: CHANNEL_TOKEN, payee: PAY_TO };
  const books = createBooks(paid);
  return { books, run: () => reconcile({ ...paid, rpc, blocks, books }, 'job') };
}

test.serial('nothing is reported while the node that is asked lacks the receipt of a transfer', async (t) => {
  const { books, run } = newRun();
  // The first run begins at the latest final block.
  await chain.node.mine({ blocks: CONFIRMATIONS });
  await run();
  await chain.mint(PAY_TO, 7n);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  const before = await books.lastRun('job');
  chain.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined));
  await t.throwsAsync(run(), { name: 'NodeReplyError' });
  t.deepEqual(await books.lastRun('job'), before, 'the next run reads the same blocks');
  chain.forget();
  const { differs, report } = await run();
  t.true(differs, 'a transfer without a claim');
  t.like(JSON.parse(report), { received: { count: 1, amount: '7' } });
});

test.serial('nothing is reported while the node that is asked lacks the block of an open claim', async (t) => {
  const { books, run } = newRun();
  await chain.node.mine({ blocks: CONFIRMATIONS });
  await run();
  const before = await books.lastRun('job');
  const { transactionHash: transaction, blockNumber } = await chain.mint(PAY_TO, 7n);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  const claim = {
    claimId: 'c',
    payer: NO_ADDRESS,
    amount: 7n,
    transaction,
    state: 'settling',
    isLost: false,
  } as const;
  books.claimsOf = async () => [claim];
  chain.lie(({ method, params: [number] = [] }) =>
    method === 'eth_getBlockByNumber' && number === numberToHex(blockNumber) ? { result: null } : undefined,
  );
  await t.throwsAsync(run(), { name: 'NodeReplyError' });
  t.deepEqual(await books.lastRun('job'), before, 'the next run reads the same blocks');
  chain.forget();
  t.like(await run(), { differs: false, complete: true });
});
