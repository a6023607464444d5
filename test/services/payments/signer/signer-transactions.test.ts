import test from 'ava';
import type { Hex } from 'viem';
import { createSignerTransactions } from '../../../../services/payments/signer/signer-transactions.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { storeTransaction } from '../stored-transaction.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const of = (digit: string) => ({ hash: hash(digit), signer: `0x${'A'.repeat(40)}`, nonce: 3 }) as const;

test('every version of a transaction leads to all of them, on its network alone, and has its scheme', async (t) => {
  const { noteReplacement, versionsOf } = createSignerTransactions({ database, network: 'eip155:31337' });
  t.deepEqual(await versionsOf(hash('A')), [hash('a')]);
  await storeTransaction(database, 'eip155:31337', of('A'), 'batch-settlement');
  await noteReplacement(of('b'), hash('a'));
  await noteReplacement(of('C'), hash('B'));
  await noteReplacement(of('d'), hash('a'));
  await noteReplacement(of('b'), hash('d'));
  for (const digit of ['a', 'B', 'c', 'd']) t.deepEqual(await versionsOf(hash(digit)), ['a', 'b', 'c', 'd'].map(hash));
  const rows = await database.selectFrom('signer_transaction').select(['scheme', 'nonce', 'signer']).execute();
  t.deepEqual(rows, Array(4).fill({ scheme: 'batch-settlement', nonce: 3n, signer: `0x${'a'.repeat(40)}` }));
  const elsewhere = createSignerTransactions({ database, network: 'eip155:8453' });
  t.deepEqual(await elsewhere.versionsOf(hash('a')), [hash('a')]);
  await t.throwsAsync(elsewhere.noteReplacement(of('e'), hash('a')), { message: /is not stored/ });
});

test('another transaction with the same nonce is no version', async (t) => {
  const { versionsOf } = createSignerTransactions({ database, network: 'eip155:84532' });
  for (const digit of ['1', '2']) await storeTransaction(database, 'eip155:84532', of(digit));
  t.deepEqual(await versionsOf(hash('1')), [hash('1')]);
});
