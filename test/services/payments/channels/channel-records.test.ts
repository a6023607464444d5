import test from 'ava';
import { createChannelRecords } from '../../../../services/payments/channels/channel-records.ts';
import { createTransactionRecords } from '../../../../services/payments/channels/transaction-records.ts';
import { createNonce } from '../../../helpers/chain.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { newChannel } from '../sandbox/channel-chain.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

test('what the contract showed at an earlier block replaces nothing of a later one', async (t) => {
  const records = createChannelRecords(database, newNetwork());
  const { id, config } = newChannel({ receiver: `0x${'1'.repeat(40)}` });
  await records.remember(id, config, 1n);
  const state = { channelId: id, balance: 9n, totalClaimed: 3n, refundNonce: 0n };
  const withdrawal = { amount: 5n, requestedAtS: 1_900_000_000 };
  await records.note([{ ...state, withdrawal, block: 10n }]);
  await records.note([{ ...state, withdrawal: undefined, block: 9n }]);
  t.deepEqual(await records.withdrawing(), [id]);
  await records.note([{ ...state, withdrawal: undefined, block: 11n }]);
  t.deepEqual(await records.withdrawing(), []);
});

const signedAt = (nonce: number) => ({ hash: createNonce(), signed: { nonce, serialized: `0x${nonce}` as const } });
const REFUSED = { state: 'refused', reason: 'a reason' } as const;

test('an ending never changes', async (t) => {
  const records = createTransactionRecords(database, newNetwork());
  const transaction = { id: 'claim:1', kind: 'claim', request: '[]', fromBlock: 1n } as const;
  await records.sign(transaction, signedAt(10));
  const done = { state: 'done', transaction: createNonce() } as const;
  await records.end(transaction.id, done);
  await records.end(transaction.id, REFUSED);
  t.deepEqual((await records.find(transaction.id))?.ending, done);
  t.deepEqual(await records.open(), []);
});

test('a refused deposit can be signed again, and a refused claim or refund never', async (t) => {
  for (const kind of ['deposit', 'claim', 'refund'] as const) {
    const records = createTransactionRecords(database, newNetwork());
    const transaction = { id: `${kind}:1`, kind, request: '[]', fromBlock: 1n };
    await records.sign(transaction, signedAt(10));
    await records.end(transaction.id, REFUSED);
    const again = records.sign(transaction, signedAt(11));
    if (kind === 'deposit') await again;
    else await t.throwsAsync(again, { message: /ended meanwhile/ });
    t.like(await records.find(transaction.id), { ending: kind === 'deposit' ? undefined : REFUSED });
  }
});

test('the transactions that a later one waits for are those with the nonces before it, in order', async (t) => {
  const records = createTransactionRecords(database, newNetwork());
  for (const nonce of [13, 10, 12, 11]) {
    const transaction = { id: `claim:${nonce}`, kind: 'claim', request: '[]', fromBlock: 1n } as const;
    await records.sign(transaction, signedAt(nonce));
    if (nonce === 11) await records.end(transaction.id, REFUSED);
  }
  t.deepEqual(await records.signedBetween(10, 13), ['0x10', '0x12']);
  t.deepEqual(await records.signedBetween(11, 14), ['0x12', '0x13']);
});
