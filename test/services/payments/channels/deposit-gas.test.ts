import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { privateKeyToAddress } from 'viem/accounts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { burningAfter } from '../burning-code.ts';
import { CONFIRMATIONS, countedFor, SOON, soon, useChannelStack } from './channel-stack.ts';
import { newDeposit, type SignedDeposit, timed } from './channel-wire.ts';

const { stack, service } = await useChannelStack();

const { node } = stack.chain;
const SIGNER = privateKeyToAddress(stack.env.X402_SIGNER_KEY);
const WITHOUT_LIMIT = 10n ** 9n;

const deposit = (request: SignedDeposit['request']) =>
  stack.whileMining(() => service.channels.deposit(request, timed));

/** As if another transaction had the next nonce of the signer. */
const useUpNonce = async () =>
  node.setNonce({ address: SIGNER, nonce: (await node.getTransactionCount({ address: SIGNER })) + 1 });

/** Runs the work while the database refuses a change of a table. `refused` waits until it has done so. */
async function whileRefused(
  change: 'DELETE ON ledger.spent_gas' | 'INSERT ON channel_transaction' | 'UPDATE OF signed ON channel_transaction',
  work: (refused: () => Promise<unknown>) => unknown,
) {
  const query = (text: string) => sql.raw(text).execute(stack.database);
  // A sequence counts also in a transaction that is rolled back.
  await query('CREATE SEQUENCE refusals');
  await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM nextval('refusals'); RAISE 'a test'; END $$`);
  await query(`CREATE TRIGGER refuse BEFORE ${change} FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await work(() =>
      until(async () => {
        const { rows } = await sql`SELECT FROM refusals WHERE is_called`.execute(stack.database);
        return rows.length > 0;
      }),
    );
  } finally {
    await query('DROP FUNCTION refuse CASCADE');
    await query('DROP SEQUENCE refusals');
  }
}

test.serial('the gas of a deposit that could not be sent is given back', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  await whileRefused('INSERT ON channel_transaction', () =>
    t.throwsAsync(deposit(request), { code: 'PAYMENT_UNAVAILABLE' }),
  );
  t.deepEqual(await countedFor(stack, id), {});
  t.like((await deposit(request)).outcome, { $case: 'deposited' });
  t.deepEqual(Object.keys(await countedFor(stack, id)), [channel.payer.address.toLowerCase()]);
});

test.serial('the gas of a deposit of a payer with code is given back, also if the database fails first', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  await node.setCode({ address: payer, bytecode: burningAfter(WITHOUT_LIMIT) });
  const { request, id } = await newDeposit(channel, { signer: createWallet() });
  await whileRefused('DELETE ON ledger.spent_gas', async () => {
    const answer = await stack.whileMining(() => soon(() => service.channels.deposit(request, SOON)));
    t.like(answer.outcome, { $case: 'pending' });
    t.deepEqual(Object.keys(await countedFor(stack, id)).toSorted(), [payer.toLowerCase(), 'code'].toSorted());
  });
  t.like((await deposit(request)).outcome, { $case: 'deposited' });
  t.deepEqual(Object.keys(await countedFor(stack, id)), [payer.toLowerCase()]);
});

test.serial('the gas of a payer that gets code before its deposit is mined counts for those with code', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  const release = await stack.hold(t);
  const answer = service.channels.deposit(request, timed);
  await stack.untilHeld(1);
  await node.setCode({ address: channel.payer.address, bytecode: '0xfe' });
  await release();
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'refused' });
  const { code, ...own } = await countedFor(stack, id);
  t.true(defined(code) > 100_000n);
  t.deepEqual(own, { [channel.payer.address.toLowerCase()]: code });
});

test.serial('a deposit that was never mined is no failure of its payer, and its gas is given back', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel, { validBefore: (await stack.nowS()) + 400n });
  await stack.hold(t);
  const answer = service.channels.deposit(request, timed);
  await stack.untilHeld(1);
  // Another transaction has its nonce, and the time of the authorization is over.
  await useUpNonce();
  await node.increaseTime({ seconds: 500 });
  await node.mine({ blocks: CONFIRMATIONS + 1 });
  t.deepEqual((await answer).outcome, {
    $case: 'refused',
    value: 'invalid_batch_settlement_evm_payload_authorization_valid_before',
  });
  t.deepEqual(await countedFor(stack, id), {});
  t.is(await stack.failuresOf(channel), 0);
  t.true(await until(async () => (await stack.transactionOf(id))?.state === 'refused'));
});

test.serial('a deposit that is sent again is counted once, also if it cannot be sent at once', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  await node.setCode({ address: payer, bytecode: burningAfter(WITHOUT_LIMIT) });
  const { request, id } = await newDeposit(channel, { signer: createWallet() });
  const release = await stack.hold(t);
  const answer = service.channels.deposit(request, timed);
  await stack.untilHeld(1);
  const counted = await countedFor(stack, id);
  t.deepEqual(Object.keys(counted).toSorted(), [payer.toLowerCase(), 'code'].toSorted());
  await whileRefused('UPDATE OF signed ON channel_transaction', async (refused) => {
    await useUpNonce();
    await node.mine({ blocks: CONFIRMATIONS + 1 });
    await refused();
  });
  await stack.untilHeld(1);
  t.true(await until(async () => (await stack.transactionOf(id))?.transactions.length === 2));
  // What was counted for the first one is given back after the second one is sent.
  t.true(await until(async () => (await countedFor(stack, id))['code'] === counted['code']));
  await release();
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'deposited' });
  t.deepEqual(await countedFor(stack, id), { [payer.toLowerCase()]: counted[payer.toLowerCase()] });
});

test.serial('a refund that is sent again is counted once', async (t) => {
  const channel = await stack.open(service.channels);
  const refundId = uuidv7();
  const id = `refund:${refundId}`;
  const release = await stack.hold(t);
  const answer = service.channels.refund({ refundId, channelId: channel.id, amount: '1' }, timed);
  await stack.untilHeld(1);
  const counted = await countedFor(stack, id);
  t.deepEqual(Object.keys(counted).toSorted(), [channel.payerAuthorizer.address.toLowerCase(), 'uncharged'].toSorted());
  await useUpNonce();
  await node.mine({ blocks: CONFIRMATIONS + 1 });
  t.true(await until(async () => (await stack.transactionOf(id))?.transactions.length === 2));
  await release();
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'refunded' });
  t.deepEqual(await countedFor(stack, id), counted);
});

test.serial('a deposit is counted once, also if the node refuses its first nonce', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  const query = (text: string) => sql.raw(text).execute(stack.database);
  // A row is stored once the test gives its lock back.
  await query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$`);
  await query('CREATE TRIGGER wait BEFORE INSERT ON channel_transaction FOR EACH ROW EXECUTE FUNCTION wait()');
  const { answer, counted } = await stack.database.connection().execute(async (held) => {
    await sql`SELECT pg_advisory_lock(4711)`.execute(held);
    const sending = service.channels.deposit(request, timed);
    // Its gas is counted after its nonce is read, and before it is sent.
    const gas = await until(async () => Object.values(await countedFor(stack, id))[0]);
    await useUpNonce();
    await sql`SELECT pg_advisory_unlock(4711)`.execute(held);
    return { answer: sending, counted: gas };
  });
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'deposited' });
  await query('DROP FUNCTION wait CASCADE');
  t.is((await stack.transactionOf(id))?.transactions.length, 2);
  t.deepEqual(await countedFor(stack, id), { [channel.payer.address.toLowerCase()]: counted });
});
