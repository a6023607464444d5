import test from 'ava';
import { sql } from 'kysely';
import { numberToHex } from 'viem';
import { createLostRefunds } from '../../../../services/payments/operator/lost-refunds.ts';
import { createBooks } from '../../../../services/payments/reconciliation/books.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { PAY_TO, STRANGER, startWatchedChain } from '../channels/watched-chain.ts';
import { CHANNEL_TOKEN } from '../sandbox/channel-chain.ts';

const chain = await startWatchedChain();
const { database, stop } = await createTestDatabase();
test.after.always(async () => {
  await stop();
  await chain.stop();
});

test('blocks that no reconciliation has seen are searched, if they are not too many', async (t) => {
  const claimId = '0198c5a0-0000-7000-8000-000000000001';
  const [network, asset, payee] = [newNetwork(), CHANNEL_TOKEN, PAY_TO];
  const claim = { claimId, network, asset, payee, payer: STRANGER, amount: 7n, createdAt: new Date(0) };
  const findRefusal = () => createLostRefunds({ database, rpc: chain.rpc, payee: undefined }).findRefusal(claim);
  t.is(await findRefusal(), undefined, 'the database was never restored');
  await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(database);
  t.regex(String(await findRefusal()), /run payments reconcile first$/, 'no reconciliation');
  const { number: to } = await chain.latest();
  await createBooks({ database, network, asset, payee }).record('operator', {
    from: 0n,
    to,
    balance: 0n,
    differs: false,
    report: '{"otherTransfersSent":[]}',
  });
  t.is(await findRefusal(), undefined);
  const latest = await chain.rpc.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  const growTo = (number: bigint) =>
    chain.lie(({ params = [] }) =>
      params[0] === 'latest' ? { result: { ...latest, number: numberToHex(number) } } : undefined,
    );
  growTo(to + 20_001n);
  t.regex(String(await findRefusal()), /run payments reconcile first$/);
  growTo(to + 20_000n);
  await t.throwsAsync(findRefusal(), { message: /BlockOutOfRangeError/ }, 'it is searched');
});
