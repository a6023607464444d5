import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { privateKeyToAddress } from 'viem/accounts';
import { createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { burningAfter } from '../burning-code.ts';
import { startChannelStack } from './channel-stack.ts';
import { MIN_DEPOSIT, newDeposit, PRICE, timed, wireClaim } from './channel-wire.ts';

const stack = await startChannelStack();
const service = await stack.start();
test.after.always(async () => {
  await service.stop();
  await stack.stop();
});

const { node } = stack.chain;
const SIGNER = privateKeyToAddress(stack.env.X402_SIGNER_KEY);
const UNAVAILABLE = { code: 'PAYMENT_UNAVAILABLE' };

test.serial(
  'while the signer has too little ether, nothing is refused, and everything is possible later',
  async (t) => {
    const channel = await stack.open(service.channels);
    const later = await stack.newFunded();
    const wallet = await stack.newFunded();
    await node.setCode({ address: wallet.payer.address, bytecode: burningAfter(10n ** 9n) });
    const made = await newDeposit(later);
    const ofCode = await newDeposit(wallet, { signer: createWallet() });
    const refund = { refundId: uuidv7(), channelId: channel.id, amount: `${MIN_DEPOSIT - PRICE}` };
    const claims = [await wireClaim(channel, PRICE)];
    await node.setBalance({ address: SIGNER, value: 10n ** 13n });
    for (const work of [
      service.channels.deposit(made.request, timed),
      service.channels.deposit(ofCode.request, timed),
      service.channels.claim({ claims }, timed),
      service.channels.refund(refund, timed),
    ]) {
      await t.throwsAsync(work, UNAVAILABLE);
    }
    await node.setBalance({ address: SIGNER, value: 10n ** 18n });
    await stack.whileMining(async () => {
      // The service reads the balance from time to time.
      const isTaken = () =>
        service.channels.deposit(made.request, timed).then(
          () => true,
          () => false,
        );
      t.true(await until(isTaken));
      t.like((await service.channels.deposit(made.request, timed)).outcome, { $case: 'deposited' });
      t.like((await service.channels.deposit(ofCode.request, timed)).outcome, { $case: 'deposited' });
      t.is((await service.channels.claim({ claims }, timed)).channels[0]?.totalClaimed, `${PRICE}`);
      t.like((await service.channels.refund(refund, timed)).outcome, { $case: 'refunded' });
    });
  },
);

test.serial(
  'a call that needs more gas than a transaction may have reverts, also where the signer is rich',
  async (t) => {
    const channel = await stack.newFunded();
    // It takes a large part of the gas of a block.
    await node.setCode({ address: channel.payer.address, bytecode: '0x5b600056' });
    const { request } = await newDeposit(channel, { signer: createWallet() });
    t.deepEqual((await service.channels.deposit(request, timed)).outcome, {
      $case: 'refused',
      value: 'invalid_batch_settlement_evm_deposit_simulation_failed',
    });
  },
);

const RICH = 10n ** 18n;

/** Leaves the signer just enough ether for so much gas. */
async function leaveEtherFor(gas: bigint): Promise<void> {
  const { baseFeePerGas } = await node.getBlock();
  const fee = ((baseFeePerGas ?? 0n) * 12n) / 10n + (await node.estimateMaxPriorityFeePerGas());
  await node.setBalance({ address: SIGNER, value: gas * fee });
}

/** Gives the signer ether for so much gas, and for more each time, until the work reports that something was sent. */
async function withLittleEther(t: ExecutionContext, work: () => Promise<'sent' | 'refused' | 'unavailable'>) {
  const seen = new Map<bigint, string>();
  for (let gas = 25_000n; gas <= 249_000n && ![...seen.values()].includes('sent'); gas += 8000n) {
    await leaveEtherFor(gas);
    seen.set(gas, await work());
  }
  await node.setBalance({ address: SIGNER, value: RICH });
  t.log(Object.fromEntries(seen));
  t.deepEqual([...new Set(seen.values())], ['unavailable', 'sent']);
}

const open = () => stack.open(service.channels);

test.serial('however little ether the signer has, a good claim is not refused', async (t) => {
  const channel = await open();
  const claims = [await wireClaim(channel, PRICE)];
  await withLittleEther(t, () =>
    stack
      .whileMining(() => service.channels.claim({ claims }, timed))
      .then(
        ({ refusedIds }) => (refusedIds.length > 0 ? 'refused' : 'sent'),
        () => 'unavailable',
      ),
  );
  t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
});

test.serial('however little ether the signer has, a good refund is not refused', async (t) => {
  const channel = await open();
  const request = { refundId: uuidv7(), channelId: channel.id, amount: '1' };
  await withLittleEther(t, () =>
    stack
      .whileMining(() => service.channels.refund(request, timed))
      .then(
        ({ outcome }) => (outcome?.$case === 'refused' ? 'refused' : 'sent'),
        () => 'unavailable',
      ),
  );
  t.like((await service.channels.refund(request, timed)).outcome, { $case: 'refunded' });
});

test.serial('a signer that can pay for some claims, and not for all of them, claims some', async (t) => {
  const channels = await Promise.all(Array.from({ length: 12 }, open));
  const claims = await Promise.all(channels.map((channel) => wireClaim(channel, PRICE)));
  const claim = () => stack.whileMining(() => service.channels.claim({ claims }, timed));
  const claimed = async () => {
    const states = await Promise.all(channels.map((channel) => stack.chain.stateOf(channel)));
    return states.filter(({ totalClaimed }) => totalClaimed === PRICE).length;
  };
  // A claim of one channel takes 140,000, and of twelve about 500,000.
  await leaveEtherFor(300_000n);
  await t.throwsAsync(claim(), UNAVAILABLE);
  t.true(await until(async () => (await claimed()) > 0));
  const first = await claimed();
  t.log({ first });
  t.true(first < claims.length);
  await node.setBalance({ address: SIGNER, value: RICH });
  t.deepEqual((await claim()).refusedIds, []);
  t.is(await claimed(), claims.length);
});
