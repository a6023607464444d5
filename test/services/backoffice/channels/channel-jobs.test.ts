import test from 'ava';
import { decodeFunctionData, type Hex, parseTransaction } from 'viem';
import { SETTLEMENT_ABI as abi } from '../../../../services/payments/channels/settlement-abi.ts';
import { claimOf } from '../../../../services/payments/contract/channel-funds.ts';
import { createPaymentsOperatorClient } from '../../../../services/payments/contract/operator-client.ts';
import { readChannelFigures } from '../../../../services/store/channel-figures.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { useChannelStack } from '../../payments/channels/channel-stack.ts';
import { MIN_DEPOSIT, NETWORK, PRICE, timed } from '../../payments/channels/channel-wire.ts';
import type { Channel } from '../../payments/sandbox/channel-chain.ts';
import { openChannelJobs } from './channel-job-stack.ts';

/** After the deadline of every reservation. */
const LATE_MS = 120_000;
const { stack, service } = await useChannelStack();
const { ledger, watch, claim, resolveRefunds, accountOf, open, call, hold, held, close } = await openChannelJobs(
  stack,
  service,
);
test.beforeEach(() => ledger.setClock(Date.now()));
test.after.always(() => close());

const NOT_DUE = { afterSeconds: 1_000_000, aboveMicroUsd: 1_000_000_000n };

const claimedOf = async (channel: Channel) => (await stack.chain.stateOf(channel)).totalClaimed;
const publishedOf = async ({ id }: Channel) =>
  (await ledger.query('SELECT published::bigint FROM ledger.channel WHERE id = $1', [id]))[0]?.['published'];
const unclaimedSince = async ({ id }: Channel) =>
  (await ledger.query('SELECT unclaimed_since FROM ledger.channel WHERE id = $1', [id]))[0]?.['unclaimed_since'];

test.serial(
  'the watch credits deposits and top-ups, also those that strangers sent, after a restart as well',
  async (t) => {
    const channel = await stack.deposited(service.channels);
    await watch();
    t.like(await accountOf(channel), { fundedMicroUsd: MIN_DEPOSIT, balanceMicroUsd: MIN_DEPOSIT });
    await stack.chain.open(channel, PRICE);
    await watch();
    t.is((await accountOf(channel)).fundedMicroUsd, MIN_DEPOSIT, 'the block is not final');
    const later = await stack.start();
    t.teardown(() => later.stop());
    await stack.chain.node.mine({ blocks: 3 });
    await watch(later);
    t.is((await accountOf(channel)).fundedMicroUsd, MIN_DEPOSIT + PRICE);
  },
);

test.serial('what was charged is claimed after a time', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  await claim(NOT_DUE);
  t.deepEqual([await claimedOf(channel), await publishedOf(channel)], [0n, 0n]);
  await claim({ ...NOT_DUE, afterSeconds: 0 });
  t.is(await publishedOf(channel), PRICE);
  t.is(await claimedOf(channel), PRICE);
  t.is(await unclaimedSince(channel), null, 'nothing more can be claimed');
});

test.serial('the reserve of gas counts the claims that can be made', async (t) => {
  const operator = createPaymentsOperatorClient(service.target);
  t.teardown(() => operator.close());
  const before = defined(await operator.readGas(timed));
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const after = defined(await operator.readGas(timed));
  t.is(after.unclaimedChannels, before.unclaimedChannels + 1);
});

test.serial('the figures of channels say what can be claimed', async (t) => {
  const before = await readChannelFigures(stack.database, NETWORK);
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const { claimableMicroUsd, open: count, watchedSecondsAgo } = await readChannelFigures(stack.database, NETWORK);
  t.is(claimableMicroUsd - before.claimableMicroUsd, PRICE);
  t.is(count - before.open, 1);
  t.is(typeof watchedSecondsAgo, 'number');
});

test.serial('a refund that its gateway sent leaves the credit of the channel', async (t) => {
  const channel = await open();
  // Its gateway is gone.
  const { request } = await held(channel, 0n);
  const answer = service.channels.refund(request, timed);
  await stack.untilState(channel, ({ balance }) => balance === 0n);
  await ledger.setClock(Date.now() + LATE_MS);
  await stack.whileMining(resolveRefunds);
  t.like((await answer).outcome, { $case: 'refunded' });
  t.like(await accountOf(channel), { reservedMicroUsd: 0n, balanceMicroUsd: 0n, fundedMicroUsd: 0n });
  t.is((await stack.chain.stateOf(channel)).balance, 0n);
});

const ANY = { afterSeconds: 0, aboveMicroUsd: 1n };

/** What everyone can read of a transaction that claims and refunds: its voucher, and the refund alone. */
function readRefund(signed: string) {
  const { data } = parseTransaction(signed as Hex);
  const multicall = decodeFunctionData({ abi, data: defined(data) });
  if (multicall.functionName !== 'multicall') throw new Error(multicall.functionName);
  const [first, second] = multicall.args[0];
  const claimed = decodeFunctionData({ abi, data: defined(first) });
  if (claimed.functionName !== 'claimWithSignature') throw new Error(claimed.functionName);
  return { found: defined(claimed.args[0][0]), refund: defined(second) };
}

test.serial(
  'a stranger who sends a refund without its claim does not get a voucher that counts as private',
  async (t) => {
    const channel = await open();
    await call(channel, PRICE);
    await call(channel, 2n * PRICE);
    const { request: wanted, account } = await held(channel, 2n * PRICE);
    const message = { ...wanted, claim: defined(claimOf(channel.id, account)) };
    const release = await stack.hold(t);
    const answer = service.channels.refund(message, timed);
    await stack.untilHeld(1);
    const { signed } = defined(await stack.transactionOf(`refund:${wanted.refundId}`));
    const { found, refund } = readRefund(String(signed));
    t.is(found.voucher.maxClaimableAmount, 2n * PRICE);
    await stack.overtake('0x00000000000000000000000000000000000000aa', refund);
    await release();
    t.like((await stack.whileMining(() => answer)).outcome, { $case: 'refunded' });
    t.like(await stack.chain.stateOf(channel), { balance: 2n * PRICE, totalClaimed: 0n });
    await ledger.void(wanted.refundId, 'operation_failed');
    // All is claimed that is due, and the payer deposits again.
    await claim(ANY);
    await stack.chain.open(channel, MIN_DEPOSIT);
    await stack.chain.node.mine({ blocks: 3 });
    await watch();
    t.is((await accountOf(channel)).balanceMicroUsd, MIN_DEPOSIT);
    // The reverted transaction is in the chain, with the voucher.
    const { signature, voucher } = found;
    const { outcome } = await hold(channel, voucher.maxClaimableAmount, { signature });
    t.is(outcome.state, 'cumulative_below_claimed', 'a stranger closes the channel');
  },
);

test.serial('a refund that could not be stored, and so was not sent, can be asked for again', async (t) => {
  const channel = await open();
  await call(channel, PRICE);
  await call(channel, 2n * PRICE);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  const { request: wanted, account } = await held(channel, 2n * PRICE);
  await ledger.query(`CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the record fails'; END $$`);
  await ledger.query(`CREATE TRIGGER fails BEFORE INSERT ON public.channel_transaction FOR EACH ROW
    WHEN (NEW.kind = 'refund' AND NEW.state = 'open') EXECUTE FUNCTION public.fail()`);
  const message = { ...wanted, claim: defined(claimOf(channel.id, account)) };
  await t.throwsAsync(service.channels.refund(message, timed), { message: /nothing was sent/ });
  await ledger.query('DROP FUNCTION public.fail CASCADE');
  await ledger.setClock(nowMs + 60_000);
  await resolveRefunds();
  const again = await hold(channel, 2n * PRICE, { deadlineMs: nowMs + 90_000 });
  t.is(again.outcome.state, 'reserved');
});
