import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { type Hex, parseTransaction } from 'viem';
import { createPaymentsOperatorClient } from '../../../../services/payments/contract/operator-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { type Channel, calls } from '../sandbox/channel-chain.ts';
import { type ChannelStack, useChannelStack } from './channel-stack.ts';
import { DELAY_S, MIN_DEPOSIT, newDeposit, PRICE, timed, wireClaim, wireConfig } from './channel-wire.ts';

const { stack, service } = await useChannelStack();
let copy: ReturnType<ChannelStack['start']> | undefined;
test.after.always(async () => (await copy)?.stop());

/** A copy of the service that was started later, and has read nothing before. */
function laterCopy() {
  copy ??= stack.start();
  return copy;
}

const open = () => stack.open(service.channels);

const claim = async (claims: readonly Awaited<ReturnType<typeof wireClaim>>[]) =>
  stack.whileMining(() => service.channels.claim({ claims: [...claims] }, timed));

const refund = (
  channel: Channel,
  amount: bigint,
  claimed?: Awaited<ReturnType<typeof wireClaim>>,
  refundId = uuidv7(),
) =>
  stack.whileMining(() =>
    service.channels.refund(
      { refundId, channelId: channel.id, amount: `${amount}`, ...(claimed && { claim: claimed }) },
      timed,
    ),
  );

const payerHas = ({ payer }: Channel) => stack.chain.balanceOf(payer.address);

test.serial('several channels are claimed in one transaction, and the payee has the money then', async (t) => {
  const channels = [await open(), await open(), await open()];
  const before = await stack.chain.balanceOf(stack.payee);
  const claims = await Promise.all(channels.map((channel, i) => wireClaim(channel, PRICE * BigInt(i + 1), 5n * PRICE)));
  const { transactions, channels: after, refusedIds } = await claim(claims);
  t.is(transactions.length, 1);
  t.deepEqual(refusedIds, []);
  t.deepEqual(
    after.map(({ totalClaimed }) => totalClaimed),
    [PRICE, 2n * PRICE, 3n * PRICE].map(String),
  );
  t.is(await stack.chain.balanceOf(stack.payee), before + 6n * PRICE);
  t.like((await stack.transactions()).at(-1), { state: 'done', reason: null, transaction: transactions[0] });

  const repeated = await claim(claims);
  t.deepEqual(repeated.transactions, [], 'a claim that is not higher sends nothing');
  t.deepEqual(
    repeated.channels.map(({ totalClaimed }) => totalClaimed),
    [PRICE, 2n * PRICE, 3n * PRICE].map(String),
  );
});

test.serial('two copies that get the same deposit or claim at once send it once', async (t) => {
  const other = await laterCopy();
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  const deposits = await stack.whileMining(() =>
    Promise.all([service, other, service, other].map(({ channels }) => channels.deposit(request, timed))),
  );
  for (const { outcome } of deposits) t.like(outcome, { $case: 'deposited' });
  t.is(defined(await stack.transactionOf(id)).transactions.length, 1);
  const claims = [await wireClaim(channel, PRICE)];
  const answers = await stack.whileMining(() =>
    Promise.all([service, other].map(({ channels }) => channels.claim({ claims }, timed))),
  );
  t.is(answers.flatMap(({ transactions }) => transactions).length, 1);
  for (const { channels } of answers) t.is(channels[0]?.totalClaimed, `${PRICE}`);
});

test.serial('a claim that waits to be mined holds back no higher claim, and makes others unnecessary', async (t) => {
  const channel = await open();
  const before = await stack.chain.balanceOf(stack.payee);
  const release = await stack.hold(t);
  const send = async (total: bigint) => {
    const claims = [await wireClaim(channel, total)];
    return (await service.channels.claim({ claims }, timed)).transactions.length;
  };
  const first = send(2n * PRICE);
  await stack.untilHeld(1);
  const others = [2n * PRICE, PRICE, 3n * PRICE].map(send);
  await stack.untilHeld(2);
  await release();
  t.deepEqual(await stack.whileMining(() => Promise.all([first, ...others])), [1, 0, 0, 1]);
  const { channels, transactions } = await claim([await wireClaim(channel, 3n * PRICE)]);
  t.deepEqual([channels[0]?.totalClaimed, transactions], [`${3n * PRICE}`, []]);
  t.is(await stack.chain.balanceOf(stack.payee), before + 3n * PRICE);
});

test.serial(
  'a channel whose voucher is refused, or that is not known, does not stop the claims of others',
  async (t) => {
    const [good, bad, better, lost] = [await open(), await open(), await open(), await stack.newFunded()];
    const foreign = { ...(await wireClaim(good, PRICE)).voucher, channelId: bad.id };
    const { refusedIds, channels } = await claim([
      await wireClaim(lost, PRICE),
      await wireClaim(good, PRICE),
      { voucher: foreign, totalClaimed: `${PRICE}` },
      await wireClaim(better, PRICE),
    ]);
    t.deepEqual(refusedIds, [bad.id, lost.id]);
    t.deepEqual(
      channels.map(({ channelId, totalClaimed }) => [channelId, totalClaimed]),
      [
        [lost.id, '0'],
        [good.id, `${PRICE}`],
        [bad.id, '0'],
        [better.id, `${PRICE}`],
      ],
    );
  },
);

test.serial('a withdrawal that ends before the claim leaves what the contract still holds', async (t) => {
  const [channel, other] = [await open(), await open()];
  const { payer, config } = channel;
  await stack.chain.send(payer.address, calls.initiateWithdraw(config, MIN_DEPOSIT - PRICE));
  await stack.chain.passSeconds(DELAY_S);
  await stack.chain.send(payer.address, calls.finalizeWithdraw(config));
  const { channels, refusedIds } = await claim([await wireClaim(channel, 3n * PRICE), await wireClaim(other, PRICE)]);
  t.deepEqual(refusedIds, []);
  t.like(channels[0], { balance: `${PRICE}`, totalClaimed: `${PRICE}` });
  t.like(channels[1], { totalClaimed: `${PRICE}` });
});

test.serial(
  'a withdrawal that ends while the claim waits takes what it can, and the next claim the rest',
  async (t) => {
    const channel = await open();
    const { payer, config } = channel;
    await stack.chain.send(payer.address, calls.initiateWithdraw(config, MIN_DEPOSIT - PRICE));
    await stack.chain.passSeconds(DELAY_S);
    const release = await stack.hold(t);
    const claims = [await wireClaim(channel, 3n * PRICE)];
    const pending = service.channels.claim({ claims }, timed);
    await stack.untilHeld(1);
    await stack.overtake(payer.address, calls.finalizeWithdraw(config));
    await release();
    t.is((await stack.chain.stateOf(channel)).balance, PRICE, 'the withdrawal was first');
    t.is((await stack.whileMining(() => pending)).transactions.length, 1);
    const { channels } = await claim(claims);
    t.like(channels[0], { balance: `${PRICE}`, totalClaimed: `${PRICE}` });
  },
);

/** Starts a claim, and waits until it is mined. It is not final. */
async function claimUnfinal(channel: Channel) {
  const claims = [await wireClaim(channel, PRICE)];
  const answer = service.channels.claim({ claims }, timed);
  await stack.untilState(channel, ({ totalClaimed }) => totalClaimed === PRICE);
  return { claims, answer };
}

/** The number of blocks from the one of the deposit on. */
async function blocksSinceDeposit({ payer }: Channel): Promise<number> {
  const deposit = (await stack.transactions()).find(({ id }) =>
    id.startsWith(`deposit:${payer.address.toLowerCase()}`),
  );
  const { blockNumber } = await stack.chain.node.getTransactionReceipt({ hash: defined(deposit).transaction as Hex });
  return Number((await stack.chain.node.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
}

test.serial('a claim whose block a reorganization removes is made again, and counted once', async (t) => {
  const channel = await open();
  const before = await stack.chain.balanceOf(stack.payee);
  const { claims, answer } = await claimUnfinal(channel);
  await stack.reorganize(1, async () => {
    t.is((await stack.chain.stateOf(channel)).totalClaimed, 0n);
  });
  t.is((await stack.whileMining(() => answer)).transactions.length, 1);
  const again = await claim(claims);
  t.deepEqual(again.refusedIds, []);
  t.is(again.channels[0]?.totalClaimed, `${PRICE}`);
  t.is(await stack.chain.balanceOf(stack.payee), before + PRICE);
});

test.serial('a deposit and a claim that a reorganization removes together are both made again', async (t) => {
  // The tokens are older than the blocks that are removed.
  const channel = await stack.deposited(service.channels);
  const before = await stack.chain.balanceOf(stack.payee);
  const { claims, answer } = await claimUnfinal(channel);
  await stack.reorganize(await blocksSinceDeposit(channel), async () => {
    t.like(await stack.chain.stateOf(channel), { balance: 0n, totalClaimed: 0n });
  });
  await stack.whileMining(() => answer);
  t.is((await claim(claims)).channels[0]?.totalClaimed, `${PRICE}`);
  t.like(await stack.chain.stateOf(channel), { balance: MIN_DEPOSIT, totalClaimed: PRICE });
  t.is(await stack.chain.balanceOf(stack.payee), before + PRICE);
});

test.serial('a full refund claims what was charged and returns the rest, once', async (t) => {
  const channel = await open();
  const refundId = uuidv7();
  const before = await payerHas(channel);
  const payeeHad = await stack.chain.balanceOf(stack.payee);
  const claimed = await wireClaim(channel, PRICE);
  const amount = MIN_DEPOSIT - PRICE;
  const { outcome } = await refund(channel, amount, claimed, refundId);
  if (outcome?.$case !== 'refunded') return t.fail(JSON.stringify(outcome));
  t.is(outcome.value.amount, `${amount}`);
  t.like(outcome.value.channel, { balance: `${PRICE}`, totalClaimed: `${PRICE}`, refundNonce: '1' });
  const repeated = await refund(channel, amount, claimed, refundId);
  t.like(repeated.outcome, { $case: 'refunded', value: { transaction: outcome.value.transaction } });
  t.is(await payerHas(channel), before + amount);
  t.is(await stack.chain.balanceOf(stack.payee), payeeHad + PRICE, 'what was claimed is sent to the payee');
  const resolved = await service.channels.resolveRefund(refundId, timed);
  t.like(resolved.outcome, { $case: 'refunded', value: { amount: `${amount}` } });
});

test.serial('a partial refund of a channel that was not charged leaves the rest', async (t) => {
  const channel = await open();
  const { outcome } = await refund(channel, PRICE);
  t.like(outcome, { $case: 'refunded', value: { amount: `${PRICE}` } });
  t.like(await stack.chain.stateOf(channel), { balance: MIN_DEPOSIT - PRICE, totalClaimed: 0n });
  const more = await refund(channel, PRICE);
  t.like(more.outcome, { $case: 'refunded', value: { amount: `${PRICE}` } });
  t.is((await stack.chain.stateOf(channel)).refundNonce, 2n);
});

test.serial('a refund of more than what is left is refused for good', async (t) => {
  const channel = await open();
  const refundId = uuidv7();
  const claimed = await wireClaim(channel, PRICE);
  const { outcome } = await refund(channel, MIN_DEPOSIT, claimed, refundId);
  t.deepEqual(outcome, { $case: 'refused', value: 'invalid_batch_settlement_evm_refund_amount_invalid' });
  t.like((await refund(channel, PRICE, claimed, refundId)).outcome, { $case: 'refused' });
  t.is((await stack.chain.stateOf(channel)).refundNonce, 0n);
});

test.serial('a refund that was resolved before it arrived is refused', async (t) => {
  const channel = await open();
  const refundId = uuidv7();
  t.like((await service.channels.resolveRefund(refundId, timed)).outcome, { $case: 'refused' });
  t.like((await refund(channel, PRICE, undefined, refundId)).outcome, { $case: 'refused' });
  t.is((await stack.chain.stateOf(channel)).refundNonce, 0n);
});

const refused = (reason: string) => ({ $case: 'refused' as const, value: `invalid_batch_settlement_evm_${reason}` });

async function refundWith(channel: Channel, amount: bigint, total?: bigint) {
  return (await refund(channel, amount, total === undefined ? undefined : await wireClaim(channel, total))).outcome;
}

test.serial('a refund is of what is left after all claims, also of those that it does not name', async (t) => {
  const channel = await open();
  const claims = [await wireClaim(channel, 3n * PRICE)];
  await stack.whileMining(() => service.channels.claim({ claims }, timed));
  const left = MIN_DEPOSIT - 3n * PRICE;
  for (const named of [undefined, PRICE, 3n * PRICE]) {
    t.deepEqual(await refundWith(channel, left + 1n, named), refused('refund_amount_invalid'));
  }
  t.is((await stack.chain.stateOf(channel)).refundNonce, 0n);
  t.like(await refundWith(channel, left, PRICE), { $case: 'refunded', value: { amount: `${left}` } });
  for (const named of [undefined, PRICE]) {
    t.deepEqual(await refundWith(channel, 1n, named), refused('refund_no_balance'));
  }
  t.like(await stack.chain.stateOf(channel), { balance: 3n * PRICE, totalClaimed: 3n * PRICE, refundNonce: 1n });
});

test.serial('a refund that a stranger sends first is made, with the transaction of the stranger', async (t) => {
  const channel = await open();
  const amount = MIN_DEPOSIT - PRICE;
  const before = await stack.chain.balanceOf(channel.payer.address);
  const refundId = uuidv7();
  const request = { refundId, channelId: channel.id, amount: `${amount}`, claim: await wireClaim(channel, PRICE) };
  const release = await stack.hold(t);
  const answer = service.channels.refund(request, timed);
  await stack.untilHeld(1);
  const { signed } = defined(await stack.transactionOf(`refund:${refundId}`));
  const { data } = parseTransaction(defined(signed) as Hex);
  const transaction = await stack.overtake(channel.payer.address, defined(data));
  await release();
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'refunded' });
  const { outcome } = await stack.whileMining(() => service.channels.resolveRefund(refundId, timed));
  t.like(outcome, { $case: 'refunded', value: { transaction, amount: `${amount}` } });
  t.is(await stack.chain.balanceOf(channel.payer.address), before + amount);
  t.like(await stack.chain.stateOf(channel), { balance: PRICE, totalClaimed: PRICE, refundNonce: 1n });
});

test.serial('of several refunds at once, each one that is answered as made was paid', async (t) => {
  const channel = await open();
  const before = await stack.chain.balanceOf(channel.payer.address);
  const requests = Array.from({ length: 3 }, () => ({
    refundId: uuidv7(),
    channelId: channel.id,
    amount: `${PRICE}`,
  }));
  const answers = await stack.whileMining(() =>
    Promise.all(requests.map((request) => service.channels.refund(request, timed))),
  );
  const made = answers.filter(({ outcome }) => outcome?.$case === 'refunded');
  t.true(made.length > 0);
  const others = answers.filter((answer) => !made.includes(answer));
  for (const { outcome } of others) t.deepEqual(outcome, refused('channel_busy'));
  t.is(await stack.chain.balanceOf(channel.payer.address), before + BigInt(made.length) * PRICE);
  t.is((await stack.chain.stateOf(channel)).refundNonce, BigInt(made.length));
});

test.serial('the watcher reports what changed since a block, and withdrawals that were started', async (t) => {
  const { nextBlock } = await service.channels.watch(0n, timed);
  const [idle, topped, leaving] = [await open(), await open(), await open()];
  const ids = async (from: bigint) => {
    const { channels } = await service.channels.watch(from, timed);
    return new Set(channels.map(({ channelId }) => channelId));
  };
  t.true((await ids(nextBlock)).has(idle.id));
  await stack.chain.node.mine({ blocks: 3 });
  const { nextBlock: from } = await service.channels.watch(0n, timed);
  await stack.chain.open(topped, PRICE);
  await stack.chain.send(leaving.payer.address, calls.initiateWithdraw(leaving.config, PRICE));
  t.false((await ids(from)).has(topped.id), 'its block is not final');
  await stack.chain.node.mine({ blocks: 3 });
  const seen = await ids(from);
  t.deepEqual(
    [idle, topped, leaving].map(({ id }) => seen.has(id)),
    [false, true, true],
  );
  const { channels, nextBlock: now } = await (await laterCopy()).channels.watch(from, timed);
  t.is(channels.find(({ channelId }) => channelId === leaving.id)?.withdrawAmount, `${PRICE}`);
  t.true((await ids(now)).has(leaving.id), 'a withdrawal is reported until it ends');
  t.false((await ids(now)).has(topped.id));
});

test.serial('a channel that a stranger opened is read and remembered, and one without a deposit is not', async (t) => {
  const channel = await stack.newFunded();
  const empty = await stack.newFunded();
  await stack.chain.open(channel, MIN_DEPOSIT);
  await stack.chain.node.mine({ blocks: 3 });
  const configs = [wireConfig(channel), wireConfig(empty)];
  const { channels } = await service.channels.read({ channelIds: [channel.id, empty.id], configs }, timed);
  t.deepEqual(
    channels.map(({ balance }) => balance),
    [`${MIN_DEPOSIT}`, '0'],
  );
  const rows = await stack.database.selectFrom('channel').select(['channel_id', 'balance']).execute();
  t.is(defined(rows.find(({ channel_id }) => channel_id === channel.id)).balance, MIN_DEPOSIT);
  t.is(
    rows.find(({ channel_id }) => channel_id === empty.id),
    undefined,
  );
  t.is((await claim([await wireClaim(channel, PRICE)])).channels[0]?.totalClaimed, `${PRICE}`);
});

test.serial('the reconciliation of payments knows what channels paid to the payee', async (t) => {
  const operator = createPaymentsOperatorClient(service.target);
  t.teardown(() => operator.close());
  await stack.chain.node.mine({ blocks: 3 });
  await operator.reconcile(timed);
  await claim([await wireClaim(await open(), PRICE)]);
  const { differs, reports } = await operator.reconcile(timed);
  t.false(differs, reports.join());
  const ours = reports.map((report) => JSON.parse(report)).find(({ payee }) => payee === stack.payee);
  t.like(ours, { settledFromChannels: { count: 1, amount: `${PRICE}` } });
});

test.serial('refunds of channels that were never charged share an amount of gas a day', async (t) => {
  const [charged, uncharged] = [await open(), await open()];
  await sql`INSERT INTO ledger.spent_gas (network, cause, account, day, gas)
    VALUES ('eip155:31337', 'a test', 'uncharged', (now() AT TIME ZONE 'UTC')::date, 20000000)`.execute(stack.database);
  t.deepEqual(await refundWith(uncharged, PRICE), refused('too_much_gas_today'));
  t.like(await refundWith(charged, PRICE, PRICE), { $case: 'refunded' });
  await sql`DELETE FROM ledger.spent_gas WHERE cause = 'a test'`.execute(stack.database);
  t.like(await refundWith(uncharged, PRICE), { $case: 'refunded' });
});
