import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { numberToHex } from 'viem';
import { createLostRefunds } from '../../../../services/payments/operator/lost-refunds.ts';
import { createRefundRecords } from '../../../../services/payments/operator/refund-records.ts';
import { createBooks } from '../../../../services/payments/reconciliation/books.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { hex32, PAY_TO, STRANGER, startWatchedChain } from '../channels/watched-chain.ts';
import { CHANNEL_TOKEN } from '../sandbox/channel-chain.ts';

const chain = await startWatchedChain();
const { database, stop } = await createTestDatabase();
const { number: latest } = await chain.latest();
test.after.always(async () => {
  await stop();
  await chain.stop();
});
test.beforeEach(() => chain.forget());

/** Claims of one payer, after a restore unless a test says otherwise. */
function open() {
  const [network, asset, payee] = [newNetwork(), CHANNEL_TOKEN, PAY_TO];
  const records = createRefundRecords(database, network);
  const claim = () => ({
    ...{ claimId: uuidv7(), network, asset, payee, payer: STRANGER, amount: 7n },
    ...{ createdAt: new Date(0), blockNumber: latest },
  });
  const books = createBooks({ database, network, asset, payee });
  const { findRefusal } = createLostRefunds({ database, records, rpc: chain.rpc, payee: undefined });
  return {
    records,
    claim,
    findRefusal: async (of = claim()) => String(await findRefusal(of)),
    reconcile: (otherTransfersSent: readonly object[] = []) =>
      books.record('operator', {
        ...{ from: 0n, to: latest, balance: 0n, differs: false },
        report: JSON.stringify({ otherTransfersSent }),
      }),
  };
}

/** Lets the node seem to have so many blocks more, and so many transactions of the payee. */
async function grow(blocks: bigint, { mined = '0x5', waiting = '0x5' } = {}): Promise<void> {
  const block = await chain.rpc.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  chain.lie(({ method, params = [] }) => {
    if (method === 'eth_getTransactionCount') return { result: params[1] === 'pending' ? waiting : mined };
    return params[0] === 'latest' ? { result: { ...block, number: numberToHex(latest + blocks) } } : undefined;
  });
}

test.serial('a database that was never restored has lost no refund', async (t) => {
  t.is(await open().findRefusal(), 'undefined');
  await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(database);
});

for (const isReconciled of [true, false]) {
  const name = isReconciled ? 'the last reconciliation' : 'the settlement, without a reconciliation,';
  test.serial(`the blocks after ${name} are searched, if they are not too many`, async (t) => {
    const { reconcile, findRefusal } = open();
    if (isReconciled) await reconcile();
    t.is(await findRefusal(), 'undefined');
    await grow(20_001n);
    t.regex(await findRefusal(), /run payments reconcile first$/);
    await grow(20_000n);
    await t.throwsAsync(findRefusal(), { message: /BlockOutOfRangeError/ }, 'they are searched');
  });
}

test.serial('a transaction of the payee that waits could be the refund, also without its key', async (t) => {
  const { findRefusal } = open();
  await grow(0n, { waiting: '0x6' });
  t.regex(await findRefusal(), /a transaction of the payee waits to be mined, and could be it/);
});

test.serial('each transfer of a transaction can be a refund', async (t) => {
  const { records, claim, reconcile, findRefusal } = open();
  const [one, other] = [claim(), claim()];
  const [transaction, hash] = [hex32(1), hex32(2)];
  const sent = (logIndex: number) => ({ transaction, logIndex, to: STRANGER, amount: '7' });
  await reconcile([sent(1), sent(2)]);
  const record = (of: typeof one, logIndex: bigint) =>
    records.insertSent(
      of,
      { transaction, block: { number: latest, hash }, logIndex },
      { operator: 'alice', reason: 'x' },
    );
  await record(one, 1n);
  t.regex(await findRefusal(other), new RegExp(`^transaction ${transaction} transferred the same amount`));
  await record(other, 2n);
  t.is(await findRefusal(), 'undefined');
});
