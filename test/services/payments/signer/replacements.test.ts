import test from 'ava';
import type { Hex } from 'viem';
import { createReplacements } from '../../../../services/payments/signer/replacements.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

test('every version of a transaction leads to all of them, on its network alone', async (t) => {
  const { note, versionsOf } = createReplacements({ database, network: 'eip155:31337' });
  t.deepEqual(await versionsOf(hash('A')), [hash('a')]);
  await note(hash('a'), hash('b'));
  await note(hash('b'), hash('C'));
  for (const digit of ['a', 'B', 'c']) t.deepEqual(await versionsOf(hash(digit)), [hash('a'), hash('b'), hash('c')]);
  const elsewhere = createReplacements({ database, network: 'eip155:8453' });
  t.deepEqual(await elsewhere.versionsOf(hash('a')), [hash('a')]);
});

test('versions that lead back to the first end the list', async (t) => {
  const { note, versionsOf } = createReplacements({ database, network: 'eip155:31337' });
  await note(hash('d'), hash('e'));
  await note(hash('e'), hash('d'));
  t.deepEqual((await versionsOf(hash('d'))).toSorted(), [hash('d'), hash('e')]);
});
