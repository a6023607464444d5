import test from 'ava';
import { sql } from 'kysely';
import { createLostRefunds } from '../../../../services/payments/operator/lost-refunds.ts';
import { createBooks } from '../../../../services/payments/reconciliation/books.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { CONFIRMATIONS, PAY_TO, STRANGER, startWatchedChain } from '../channels/watched-chain.ts';
import { CHANNEL_TOKEN } from '../sandbox/channel-chain.ts';

const chain = await startWatchedChain();
const { database, stop } = await createTestDatabase();
test.after.always(async () => {
  await stop();
  await chain.stop();
});

test('a reconciliation up to the last block that the node has says nothing of later transfers, outside the sandbox', async (t) => {
  const network = newNetwork();
  const claim = { network, asset: CHANNEL_TOKEN, payTo: PAY_TO, payer: STRANGER, amount: 7n, createdAt: new Date(0) };
  const refusalIn = ({ isSandbox }: { readonly isSandbox: boolean }) =>
    createLostRefunds({ database, blocks: chain.blocks, isSandbox }).findRefusal(claim);
  // Another database than the one of the epochs that are stored: it was restored.
  await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(database);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  const { number } = await chain.latest();
  const books = createBooks({ database, network, asset: CHANNEL_TOKEN, payee: PAY_TO });
  const runTo = (to: bigint) =>
    books.record('operator', { from: 0n, to, balance: 0n, differs: false, report: '{"otherTransfersSent":[]}' });
  await runTo(number);
  t.regex(String(await refusalIn({ isSandbox: false })), /run payments reconcile first$/);
  t.is(await refusalIn({ isSandbox: true }), undefined, 'its node has all blocks');
});
