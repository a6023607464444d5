import test from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import { createChannelRecords } from '../../../../services/payments/channels/channel-records.ts';
import type { ChannelState } from '../../../../services/payments/channels/contract-reader.ts';
import { createTransactionRecords } from '../../../../services/payments/channels/transaction-records.ts';
import { toLowerHex } from '../../../../services/payments/payment/hex.ts';
import { createNonce } from '../../../kit/chain.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { newChannel } from '../sandbox/channel-chain.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const SIGNER: Hex = `0x${'A'.repeat(40)}`;
const signedAt = (nonce: number) => ({
  hash: createNonce(),
  signer: SIGNER,
  signed: { nonce, serialized: `0x${nonce}` as const },
});
const REFUSED = { state: 'refused', reason: 'a reason' } as const;

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

const seen = (channelId: Hex, block: bigint, changes: Partial<ChannelState> = {}): ChannelState => ({
  channelId,
  balance: 9n,
  totalClaimed: 3n,
  refundNonce: 2n,
  withdrawal: undefined,
  block,
  ...changes,
});

test('channels are stored once, and known by their ids on their network alone', async (t) => {
  const network = newNetwork();
  const records = createChannelRecords(database, network);
  t.is(await records.firstBlock(), undefined);
  t.deepEqual(await records.ids(), []);
  t.deepEqual(await records.configs([]), new Map());
  t.deepEqual(await records.latest([]), []);
  const [first, second] = [newChannel(), newChannel()];
  const [one, two] = first.id < second.id ? [first, second] : [second, first];
  await records.remember(two.id, two.config, 7n);
  await records.remember(one.id, one.config, 5n);
  await records.remember(one.id, two.config, 1n);
  t.deepEqual(await records.ids(), [one.id, two.id]);
  t.is(await records.firstBlock(), 5n);
  t.deepEqual(await records.configs([one.id, createNonce()]), new Map([[one.id, one.config]]));
  const elsewhere = createChannelRecords(database, newNetwork());
  t.deepEqual(await elsewhere.ids(), []);
  t.deepEqual(await elsewhere.configs([one.id]), new Map());
});

test('what is stored of a channel is answered if it is later', async (t) => {
  const records = createChannelRecords(database, newNetwork());
  const { id, config } = newChannel();
  await records.remember(id, config, 1n);
  t.is(await records.refundNonce(id), 0n);
  const early = seen(id, 5n);
  t.deepEqual(await records.latest([early]), [early], 'nothing was read yet');
  const withdrawal = { amount: 5n, requestedAtS: 1_900_000_000 };
  const later = seen(id, 10n, { balance: 8n, totalClaimed: 4n, refundNonce: 6n, withdrawal });
  await records.note([later]);
  const unknown = seen(createNonce(), 3n);
  t.deepEqual(await records.latest([early, unknown]), [later, unknown]);
  for (const block of [10n, 11n]) t.deepEqual(await records.latest([seen(id, block)]), [seen(id, block)]);
  t.is(await records.refundNonce(id), 6n);
  t.is(await records.refundNonce(createNonce()), 0n);
  const without = seen(id, 12n);
  await records.note([without]);
  t.deepEqual(await records.latest([early]), [without]);
});

test('what the contract showed at an earlier block replaces nothing of a later one', async (t) => {
  const records = createChannelRecords(database, newNetwork());
  const { id, config } = newChannel();
  await records.remember(id, config, 1n);
  const withdrawal = { amount: 5n, requestedAtS: 1_900_000_000 };
  for (const state of [seen(id, 10n, { withdrawal }), seen(id, 9n)]) await records.note([state]);
  t.deepEqual(await records.withdrawing(), [id]);
  await records.note([seen(id, 11n)]);
  t.deepEqual(await records.withdrawing(), []);
});

test('a channel is new until the watch has read it', async (t) => {
  const records = createChannelRecords(database, newNetwork());
  const { id, config } = newChannel();
  await records.remember(id, config, 5n);
  t.deepEqual(await records.readBefore(100n), [], 'it was not read');
  await records.note([seen(id, 7n)]);
  t.is(await records.firstBlock(), 7n);
  t.deepEqual(await records.readBefore(7n), []);
  t.deepEqual(await records.readBefore(8n), [id]);
  await records.note([seen(id, 9n)], { isWatched: true });
  t.deepEqual(await records.readBefore(100n), []);
  await records.note([seen(id, 11n)]);
  t.deepEqual([await records.readBefore(100n), await records.firstBlock()], [[], 7n]);
});

test('the watch of a network has read nothing, or up to its place', async (t) => {
  const network = newNetwork();
  const records = createChannelRecords(database, network);
  t.is(await records.watchedTo(), 0n);
  const row = { network, next_block: 12n, watched_at: new Date(), epoch: 1 };
  await database.insertInto('channel_watch').values(row).execute();
  t.is(await records.watchedTo(), 12n);
});

test('a record of a channel that this service cannot have written is not believed', async (t) => {
  const records = createChannelRecords(database, newNetwork());
  for (const column of ['payer', 'payer_authorizer', 'receiver', 'receiver_authorizer', 'token', 'salt'] as const) {
    const { id, config } = newChannel();
    await records.remember(id, config, 1n);
    const malformed = { [column]: '0x1' };
    await database.updateTable('channel').set(malformed).where('channel_id', '=', id).execute();
    await t.throwsAsync(records.configs([id]), { message: /record of channel 0x.* is malformed/ }, column);
  }
});

const CLAIM = { id: 'claim:1', kind: 'claim', request: '["a"]', fromBlock: 3n } as const;

test('a transaction is stored with its signatures and its ending, which never changes', async (t) => {
  const records = createTransactionRecords(database, newNetwork());
  t.is(await records.find(CLAIM.id), undefined);
  await records.insert(CLAIM);
  await records.insert({ ...CLAIM, request: '["b"]' });
  t.deepEqual(await records.find(CLAIM.id), { ...CLAIM, transactions: [], signed: undefined, ending: undefined });
  const [first, second] = [signedAt(10), signedAt(11)];
  await records.sign(CLAIM, first);
  await records.sign({ ...CLAIM, request: '["c"]' }, second);
  const signed = { ...CLAIM, request: '["c"]', transactions: [first.hash, second.hash], signed: second.signed };
  t.deepEqual(await records.find(CLAIM.id), { ...signed, ending: undefined });
  for (const ending of [{ state: 'done', transaction: first.hash, amount: 7n }, REFUSED] as const) {
    const other = { ...CLAIM, id: `claim:${ending.state}` };
    await records.insert(other, ending);
    t.deepEqual((await records.find(other.id))?.ending, ending);
  }
  await records.end(CLAIM.id, { state: 'done', transaction: first.hash });
  await records.end(CLAIM.id, REFUSED);
  t.deepEqual(await records.open(), []);
  t.deepEqual((await records.find(CLAIM.id))?.ending, { state: 'done', transaction: first.hash });
  t.is(await createTransactionRecords(database, newNetwork()).find(CLAIM.id), undefined);
});

test('open transactions are listed in their order, of one kind or all', async (t) => {
  const records = createTransactionRecords(database, newNetwork());
  const ids = ['refund:2', 'claim:2', 'refund:1'] as const;
  for (const id of ids) await records.insert({ ...CLAIM, id, kind: id.startsWith('r') ? 'refund' : 'claim' });
  await records.insert({ ...CLAIM, id: 'refund:3', kind: 'refund' }, REFUSED);
  const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
  t.deepEqual(idsOf(await records.open()), [...ids]);
  t.deepEqual(idsOf(await records.open('refund')), ['refund:2', 'refund:1']);
});

test('refunds are found by the transaction that made them', async (t) => {
  const records = createTransactionRecords(database, newNetwork());
  const [made, other] = [createNonce(), createNonce()];
  const refund = { ...CLAIM, kind: 'refund' } as const;
  await records.insert({ ...refund, id: 'refund:1' }, { state: 'done', transaction: made, amount: 1n });
  await records.insert({ ...refund, id: 'refund:2' }, { state: 'done', transaction: other, amount: 1n });
  await records.insert(CLAIM, { state: 'done', transaction: made });
  t.deepEqual(await records.refundsBy([]), []);
  t.like(await records.refundsBy([made]), [{ id: 'refund:1' }]);
  t.is((await records.refundsBy([made])).length, 1);
});

test('a transaction is refused where it has ended, and publishes no voucher and is not one of the signer then', async (t) => {
  const network = newNetwork();
  const records = createTransactionRecords(database, network);
  const channelId = createNonce();
  await sql`INSERT INTO ledger.channel (network, id) VALUES (${network}, ${channelId})`.execute(database);
  const published = async () => {
    const { rows } = await sql<{ published: string }>`SELECT published::text FROM ledger.channel
      WHERE network = ${network} AND id = ${channelId}`.execute(database);
    return rows[0]?.published;
  };
  const vouchers = [{ channelId, maxClaimableAmount: 5n }];
  const signed = signedAt(1);
  await records.sign(CLAIM, { ...signed, vouchers });
  t.is(await published(), '5');
  await records.end(CLAIM.id, REFUSED);
  const more = [{ channelId, maxClaimableAmount: 9n }];
  await t.throwsAsync(records.sign(CLAIM, { ...signedAt(2), vouchers: more }), { message: /claim:1 has ended/ });
  t.is(await published(), '5');
  const { rows } = await sql`SELECT hash, first_hash, signer, nonce, scheme FROM signer_transaction
    WHERE network = ${network}`.execute(database);
  const { hash } = signed;
  t.deepEqual(rows, [{ hash, first_hash: hash, signer: toLowerHex(SIGNER), nonce: 1n, scheme: 'batch-settlement' }]);
  await createChannelRecords(database, network).publish(more);
  t.is(await published(), '9');
  await createChannelRecords(database, network).publish(vouchers);
  t.is(await published(), '9');
});

for (const [name, change] of [
  ['hash', { transactions: sql<string[]>`'{0x1}'::text[]` }],
  ['signed transaction', { signed: '0xZZ', nonce: 1n }],
  ['ending transaction', { state: 'done', transaction: '0x1', amount: 1n, ended_at: new Date() }],
] as const) {
  test(`a record of a transaction with a malformed ${name} is not believed`, async (t) => {
    const network = newNetwork();
    const records = createTransactionRecords(database, network);
    await records.insert(CLAIM);
    await database.updateTable('channel_transaction').set(change).where('network', '=', network).execute();
    await t.throwsAsync(records.find(CLAIM.id), { message: /record of claim:1 is malformed/ });
  });
}
