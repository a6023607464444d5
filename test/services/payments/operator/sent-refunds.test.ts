import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { numberToHex } from 'viem';
import type { DeskContext } from '../../../../services/payments/operator/desk-context.ts';
import { createRefundRecords } from '../../../../services/payments/operator/refund-records.ts';
import { createRestored } from '../../../../services/payments/operator/restored.ts';
import { createSentRefunds } from '../../../../services/payments/operator/sent-refunds.ts';
import { createBooks } from '../../../../services/payments/reconciliation/books.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
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

const WHY = 'the record may be lost';

/** Claims of one payer. */
function open() {
  const [network, asset, payee] = [newNetwork(), CHANNEL_TOKEN, PAY_TO];
  const records = createRefundRecords(database);
  const claim = () => ({
    ...{ claimId: uuidv7(), network, asset, payee, payer: STRANGER, amount: 7n },
    blockNumber: latest,
  });
  const books = createBooks({ database, network, asset, payee });
  const { rpc } = chain;
  const context = contextOf<DeskContext>({ database, rpc, terms: { sandbox: false } });
  const { findRefusal } = createSentRefunds(context, createRestored(context));
  const since = new Date();
  return {
    records,
    claim,
    findRefusal: async (of = claim()) => String(await findRefusal(of, since, WHY)),
    reconcile: (otherTransfersSent: readonly object[] = []) =>
      books.record('operator', {
        ...{ from: 0n, to: latest, balance: 0n, differs: false },
        report: JSON.stringify({ otherTransfersSent }),
      }),
  };
}

/** Lets the node seem to have so many blocks more, some seconds after now, and so many transactions of the payee. */
async function grow(blocks: bigint, { mined = '0x5', waiting = '0x5', laterS = 60 } = {}): Promise<void> {
  const block = await chain.rpc.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  const timestamp = numberToHex(Math.floor(Date.now() / 1000) + laterS);
  chain.lie(({ method, params = [] }) => {
    if (method === 'eth_getTransactionCount') return { result: params[1] === 'pending' ? waiting : mined };
    return params[0] === 'latest'
      ? { result: { ...block, number: numberToHex(latest + blocks), timestamp } }
      : undefined;
  });
}

for (const isReconciled of [true, false]) {
  const name = isReconciled ? 'the last reconciliation' : 'the settlement, without a reconciliation,';
  test.serial(`the blocks after ${name} are searched, if they are not too many`, async (t) => {
    const { reconcile, findRefusal } = open();
    if (isReconciled) await reconcile();
    await grow(0n);
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
  t.regex(await findRefusal(), /the record may be lost; a transaction waits to be mined/);
});

test.serial('a node that stands still since before then says nothing of refunds', async (t) => {
  const { findRefusal } = open();
  await grow(0n, { laterS: -1 });
  t.regex(await findRefusal(), /the node has no block from after that/);
});

test.serial('each transfer of a transaction can be a refund, of one claim', async (t) => {
  const { records, claim, reconcile, findRefusal } = open();
  const [one, other] = [claim(), claim()];
  const [transaction, hash] = [hex32(1), hex32(2)];
  const sent = (logIndex: number) => ({ transaction, logIndex, to: STRANGER, amount: '7' });
  await grow(0n);
  await reconcile([sent(1), sent(2)]);
  const isTaken = (of: typeof one, logIndex: bigint) =>
    records.isTakenAtEnd(
      of,
      { transaction, block: { number: latest, hash }, logIndex },
      { operator: 'alice', reason: 'x' },
    );
  t.false(await isTaken(one, 1n));
  t.true(await isTaken(other, 1n));
  t.regex(await findRefusal(other), new RegExp(`^transaction ${transaction} transferred the same amount`));
  t.false(await isTaken(other, 2n));
  t.is(await findRefusal(), 'undefined');
  await t.throwsAsync(isTaken(one, 3n), { message: /has changed meanwhile/ });
});
