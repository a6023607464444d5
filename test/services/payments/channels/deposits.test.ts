import test from 'ava';
import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { ACCEPTING, BURNING } from '../burning-code.ts';
import { calls } from '../sandbox/channel-chain.ts';
import { SOON, soon, useChannelStack } from './channel-stack.ts';
import { AUTHORIZER, DELAY_S, MIN_DEPOSIT, newDeposit, PRICE, type SignedDeposit, timed } from './channel-wire.ts';

const { stack, service } = await useChannelStack();

const deposit = (request: SignedDeposit['request']) =>
  stack.whileMining(() => service.channels.deposit(request, timed));

test.serial('the terms name the authorizer, the delay and the smallest deposit', async (t) => {
  t.deepEqual(await service.channels.getTerms(timed), {
    offered: true,
    receiverAuthorizer: AUTHORIZER.address,
    withdrawDelaySeconds: DELAY_S,
    minDeposit: `${MIN_DEPOSIT}`,
    contract: '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003',
    chainId: 31337n,
  });
});

test.serial('with X402_SCHEMES=exact, a deposit that was sent is followed, and no other is sent', async (t) => {
  const [sent, other] = [await newDeposit(await stack.newFunded()), await newDeposit(await stack.newFunded())];
  const { outcome } = await deposit(sent.request);
  if (outcome?.$case !== 'deposited') return t.fail(JSON.stringify(outcome));
  const { transaction } = outcome.value;
  const exact = await stack.start({ settings: { X402_SCHEMES: 'exact' } });
  t.teardown(() => exact.stop());
  t.like(await exact.channels.getTerms(timed), { offered: false, receiverAuthorizer: AUTHORIZER.address });
  t.like((await exact.channels.deposit(sent.request, timed)).outcome, { $case: 'deposited', value: { transaction } });
  await t.throwsAsync(exact.channels.deposit(other.request, timed), { code: 'CHANNELS_NOT_OFFERED' });
  t.is(await stack.transactionOf(other.id), undefined);
});

test.serial('a deposit opens a channel once, also if it is repeated, and a second one tops it up', async (t) => {
  const channel = await stack.newFunded();
  const { request, id } = await newDeposit(channel);
  const { outcome } = await deposit(request);
  if (outcome?.$case !== 'deposited') return t.fail(JSON.stringify(outcome));
  t.is(outcome.value.amount, `${MIN_DEPOSIT}`);
  t.like(outcome.value.channel, {
    channelId: channel.id,
    balance: `${MIN_DEPOSIT}`,
    totalClaimed: '0',
    refundNonce: '0',
  });
  const { transaction } = outcome.value;
  t.like((await service.channels.deposit(request, timed)).outcome, { $case: 'deposited', value: { transaction } });
  t.is(defined(await stack.transactionOf(id)).transactions.length, 1);
  const more = await deposit((await newDeposit(channel, { max: 2n * PRICE })).request);
  t.like(more.outcome, { $case: 'deposited' });
  t.is((await stack.chain.stateOf(channel)).balance, 2n * MIN_DEPOSIT);
});

test.serial('a deposit that a stranger sends is credited', async (t) => {
  const channel = await stack.newFunded();
  const { request, collectorData } = await newDeposit(channel);
  await stack.chain.send(createWallet().address, calls.deposit(channel.config, MIN_DEPOSIT, COLLECTOR, collectorData));
  t.like((await deposit(request)).outcome, { $case: 'deposited' });
  t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT);
});

test.serial('a deposit is pending until its block is final, and the same request resumes it', async (t) => {
  const channel = await stack.newFunded();
  const { request } = await newDeposit(channel);
  const answer = service.channels.deposit(request, timed);
  await stack.untilState(channel, ({ balance }) => balance === MIN_DEPOSIT);
  t.like((await soon(() => service.channels.deposit(request, SOON))).outcome, { $case: 'pending' });
  const [read] = (await service.channels.read({ channelIds: [channel.id], configs: [] }, timed)).channels;
  t.is(read?.balance, '0', 'and not final');
  t.like((await deposit(request)).outcome, { $case: 'deposited' });
  t.like((await answer).outcome, { $case: 'deposited' });
});

test.serial('a deposit whose block a reorganization removes is sent again', async (t) => {
  const channel = await stack.newFunded();
  // The tokens are older than the blocks that are removed.
  await stack.chain.node.mine({ blocks: 5 });
  const { request, id } = await newDeposit(channel);
  const answer = service.channels.deposit(request, timed);
  await stack.untilState(channel, ({ balance }) => balance === MIN_DEPOSIT);
  await stack.reorganize(1, async () => {
    t.is((await stack.chain.stateOf(channel)).balance, 0n);
  });
  t.like((await stack.whileMining(() => answer)).outcome, { $case: 'deposited' });
  t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT);
  t.like(await stack.transactionOf(id), { state: 'done' });
});

/** A contract wallet that uses 2 million units of gas before it accepts a signature, and one that does not accept it. */
const WASTING_CODE = '0x620fffff5f2050631626ba7e60e01b5f5260205ff3';
const REFUSING_CODE = '0x60205ff3';
const FAILED = 'invalid_batch_settlement_evm_deposit_transaction_failed';

test.serial('a contract wallet deposits if it accepts the signature, and does not use much gas for it', async (t) => {
  const channel = await stack.newFunded();
  const { address } = channel.payer;
  const { request, id } = await newDeposit(channel, { signer: createWallet() });
  for (const bytecode of [REFUSING_CODE, WASTING_CODE] as const) {
    await stack.chain.node.setCode({ address, bytecode });
    t.deepEqual((await service.channels.deposit(request, timed)).outcome, {
      $case: 'refused',
      value: 'invalid_batch_settlement_evm_deposit_simulation_failed',
    });
    t.is(await stack.transactionOf(id), undefined);
    const stored = await stack.database
      .selectFrom('channel')
      .selectAll()
      .where('channel_id', '=', channel.id)
      .execute();
    t.deepEqual(stored, [], 'its payer can sign any number of them');
  }
  await stack.chain.node.setCode({ address, bytecode: ACCEPTING });
  t.like((await deposit(request)).outcome, { $case: 'deposited' });
  t.is((await stack.chain.stateOf(channel)).balance, MIN_DEPOSIT);
});

test.serial(
  'five deposits that burn their gas are failures of their payer, not sent again, and the sixth is refused',
  async (t) => {
    const { node } = stack.chain;
    const channel = await stack.newFunded();
    const { address } = channel.payer;
    const made = () => newDeposit(channel, { signer: createWallet() });
    for (let index = 0; index < 5; index += 1) {
      const { request, id } = await made();
      await node.setCode({ address, bytecode: ACCEPTING });
      const release = await stack.hold(t);
      const answer = service.channels.deposit(request, timed);
      await stack.untilHeld(1);
      await node.setCode({ address, bytecode: BURNING });
      await release();
      t.is((await stack.whileMining(() => answer)).outcome?.value, FAILED);
      // Its code says yes again.
      await node.setCode({ address, bytecode: ACCEPTING });
      t.is((await service.channels.deposit(request, timed)).outcome?.value, FAILED);
      t.is(defined(await stack.transactionOf(id)).transactions.length, 1);
    }
    const { outcome } = await deposit((await made()).request);
    t.is(outcome?.value, 'invalid_batch_settlement_evm_too_many_failures');
  },
);

test.serial(
  'a deposit that the terms or the chain do not allow is refused with the reason of the scheme',
  async (t) => {
    const channel = await stack.newFunded();
    for (const [reason, changes] of [
      ['deposit_below_min_deposit', { amount: MIN_DEPOSIT - 1n }],
      ['insufficient_balance', { amount: 100n * MIN_DEPOSIT }],
    ] as const) {
      const { request, id } = await newDeposit(channel, changes);
      const { outcome } = await service.channels.deposit(request, timed);
      t.deepEqual(outcome, { $case: 'refused', value: `invalid_batch_settlement_evm_${reason}` });
      t.is(await stack.transactionOf(id), undefined);
    }
  },
);
