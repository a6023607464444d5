import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { createPaymentsOperatorClient } from '../../../../services/payments/contract/operator-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { assertUnchanged } from '../all-state.ts';
import { ACCEPTING, burningAfter } from '../burning-code.ts';
import type { Channel } from '../sandbox/channel-chain.ts';
import { CONFIRMATIONS, countedFor, useChannelStack } from './channel-stack.ts';
import { MIN_DEPOSIT, newDeposit, PRICE, type SignedDeposit, timed, wireClaim } from './channel-wire.ts';

// What the service does with its parts. The rules of each part are tested with the part.

const { stack, service } = await useChannelStack();
const { node } = stack.chain;
const SIGNER = privateKeyToAddress(stack.env.X402_SIGNER_KEY);

const open = () => stack.open(service.channels);

const deposit = (request: SignedDeposit['request']) =>
  stack.whileMining(() => service.channels.deposit(request, timed));

const claim = async (claims: readonly Awaited<ReturnType<typeof wireClaim>>[]) =>
  stack.whileMining(() => service.channels.claim({ claims: [...claims] }, timed));

/** The same deposit with another validity: a payer with code says yes to it. */
function valid(made: SignedDeposit, validBefore: bigint): SignedDeposit {
  const payment = JSON.parse(made.request.paymentJson);
  payment.payload.deposit.authorization.erc3009Authorization.validBefore = `${validBefore}`;
  return { ...made, request: { ...made.request, paymentJson: JSON.stringify(payment) } };
}

/** The gas that the transactions of a deposit used. */
async function usedBy(id: string): Promise<bigint> {
  const { transactions } = defined(await stack.transactionOf(id));
  const receipts = await Promise.all(transactions.map((hash) => node.getTransactionReceipt({ hash: hash as Hex })));
  return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}

test.serial('a deposit that succeeds leaves counted what its earlier, late transaction could cost', async (t) => {
  const channel = await stack.newFunded();
  const payer = channel.payer.address;
  await node.setCode({ address: payer, bytecode: ACCEPTING });
  const start = await stack.nowS();
  const made = valid(await newDeposit(channel, { signer: createWallet() }), start + 60n);
  const release = await stack.hold(t);
  const answer = service.channels.deposit(made.request, timed);
  await stack.untilHeld(1);
  const [once] = Object.values(await countedFor(stack, made.id));
  await node.setNextBlockTimestamp({ timestamp: start + 61n });
  for (let blocks = 0; blocks < 2 * CONFIRMATIONS; blocks += 1) {
    // No transaction offers so much.
    await node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 13n });
    await node.mine({ blocks: 1 });
  }
  const tooLate = 'invalid_batch_settlement_evm_payload_authorization_valid_before';
  t.is((await answer).outcome?.value, tooLate);
  await node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 6n });
  await release();
  // The node has dropped it meanwhile, and another one has not.
  const { signed } = defined(await stack.transactionOf(made.id));
  await node.sendRawTransaction({ serializedTransaction: defined(signed) as Hex });
  t.true((await usedBy(made.id)) > 0n);
  // The service reads the fees from time to time.
  const { request } = valid(made, start + 1000n);
  const { outcome } = await stack.whileMining(() => until(() => service.channels.deposit(request, timed)));
  t.is(outcome?.$case, 'deposited');
  const { code, ...own } = await countedFor(stack, made.id);
  t.is(code, once, 'only the one that failed');
  const sent = defined(await stack.transactionOf(made.id)).transactions.map((hash) => ({ hash: hash as Hex }));
  const [first = 0n, second = 0n, ...more] = await Promise.all(
    sent.map(async (each) => (await node.getTransaction(each)).gas),
  );
  t.deepEqual([first, more], [defined(once), []]);
  // The second one counts for what both used, up to its own limit.
  const used = await usedBy(made.id);
  const counted = used < second ? first + used : first + second;
  t.deepEqual(own, { [payer.toLowerCase()]: counted, deposits: counted });
});

test.serial('two copies that get the same deposit or claim at once send it once', async (t) => {
  const other = await stack.start();
  t.teardown(() => other.stop());
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
  t.like((await deposit((await newDeposit(channel, { max: 2n * PRICE })).request)).outcome, { $case: 'deposited' });
  t.is((await stack.chain.stateOf(channel)).balance, 2n * MIN_DEPOSIT, 'a second deposit tops it up');
});

/** The number of blocks from the one of the deposit on. */
async function blocksSinceDeposit({ payer }: Channel): Promise<number> {
  const deposit = (await stack.transactions()).find(({ id }) =>
    id.startsWith(`deposit:${payer.address.toLowerCase()}`),
  );
  const { blockNumber } = await node.getTransactionReceipt({ hash: defined(deposit).transaction as Hex });
  return Number((await node.getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
}

test.serial('a deposit and a claim that a reorganization removes together are both made again', async (t) => {
  // The tokens are older than the blocks that are removed.
  const channel = await stack.deposited(service.channels);
  const before = await stack.chain.balanceOf(stack.payee);
  const claims = [await wireClaim(channel, PRICE)];
  const answer = service.channels.claim({ claims }, timed);
  await stack.untilState(channel, ({ totalClaimed }) => totalClaimed === PRICE);
  await stack.reorganize(await blocksSinceDeposit(channel), async () => {
    t.like(await stack.chain.stateOf(channel), { balance: 0n, totalClaimed: 0n });
  });
  await stack.whileMining(() => answer);
  t.is((await claim(claims)).channels[0]?.totalClaimed, `${PRICE}`);
  t.like(await stack.chain.stateOf(channel), { balance: MIN_DEPOSIT, totalClaimed: PRICE });
  t.is(await stack.chain.balanceOf(stack.payee), before + PRICE);
});

test.serial('an estimate of claims and refunds says what they then do, and changes nothing', async (t) => {
  const [one, two, three, other] = [await open(), await open(), await open(), await stack.newFunded()];
  const claims = [await wireClaim(one, PRICE), await wireClaim(two, 2n * PRICE)];
  const wrong = await wireClaim(one, PRICE);
  wrong.voucher.signature = `0x${'11'.repeat(64)}1b`;
  const rest = {
    refundId: uuidv7(),
    channelId: three.id,
    amount: `${MIN_DEPOSIT - PRICE}`,
    claim: await wireClaim(three, PRICE),
  };
  const part = { refundId: uuidv7(), channelId: two.id, amount: `${PRICE}` };
  const transfer = (from: string, to: string, amount: bigint) => ({
    network: 'eip155:31337',
    asset: one.config.token,
    from,
    to,
    amount: `${amount}`,
  });
  const refunds: [typeof part, bigint][] = [];
  const { channels } = service;
  await assertUnchanged(t, stack, SIGNER, async () => {
    const claimed = await channels.estimateClaims({ claims: [...claims, await wireClaim(other, PRICE)] }, timed);
    t.deepEqual(claimed.refusedIds, [other.id], 'its configuration is not known');
    t.deepEqual(claimed.estimate?.transfers, [
      transfer(one.id, stack.payee, PRICE),
      transfer(two.id, stack.payee, 2n * PRICE),
    ]);
    t.deepEqual((await channels.estimateClaims({ claims: [wrong, defined(claims[1])] }, timed)).refusedIds, [one.id]);
    for (const [wanted, transfers] of [
      [rest, [transfer(three.id, three.payer.address, MIN_DEPOSIT - PRICE), transfer(three.id, stack.payee, PRICE)]],
      [part, [transfer(two.id, two.payer.address, PRICE)]],
    ] as const) {
      const { outcome } = await channels.estimateRefund(wanted, timed);
      if (outcome?.$case !== 'estimate') return t.fail(JSON.stringify(outcome));
      t.deepEqual(outcome.value.transfers, transfers);
      refunds.push([wanted, outcome.value.gas]);
    }
    const tooMuch = await channels.estimateRefund({ ...part, amount: `${2n * MIN_DEPOSIT}` }, timed);
    t.deepEqual(tooMuch.outcome, { $case: 'refused', value: 'invalid_batch_settlement_evm_refund_amount_invalid' });
    const balance = await node.getBalance({ address: SIGNER });
    await node.setBalance({ address: SIGNER, value: 1n });
    for (const work of [channels.estimateClaims({ claims }, timed), channels.estimateRefund(part, timed)]) {
      await t.throwsAsync(work, { code: 'PAYMENT_UNAVAILABLE', message: 'nothing was sent' });
    }
    await node.setBalance({ address: SIGNER, value: balance });
  });

  /** An estimate is a little above what is used. */
  const compare = async (gas: bigint, hash: string | undefined) => {
    const { gasUsed } = await node.getTransactionReceipt({ hash: hash as Hex });
    t.true(gas >= gasUsed && gas * 10n < gasUsed * 12n, `${gas} of ${gasUsed}`);
  };
  for (const [wanted, gas] of refunds) {
    const { outcome } = await stack.whileMining(() => channels.refund(wanted, timed));
    if (outcome?.$case !== 'refunded') return t.fail(JSON.stringify(outcome));
    await compare(gas, outcome.value.transaction);
  }
  const { gas } = defined((await channels.estimateClaims({ claims }, timed)).estimate);
  await compare(gas, (await claim(claims)).transactions[0]);
  t.like((await channels.estimateClaims({ claims }, timed)).estimate, { transfers: [], gas: 0n, maxCostWei: '0' });
});

test.serial('the reconciliation of payments knows what channels paid to the payee', async (t) => {
  const operator = createPaymentsOperatorClient(service.target);
  t.teardown(() => operator.close());
  await node.mine({ blocks: 3 });
  await operator.reconcile(timed);
  await claim([await wireClaim(await open(), PRICE)]);
  const { differs, reports } = await operator.reconcile(timed);
  t.false(differs, reports.join());
  const ours = reports.map((report) => JSON.parse(report)).find(({ payee }) => payee === stack.payee);
  t.like(ours, { settledFromChannels: { count: 1, amount: `${PRICE}` } });
});

test.serial('while the signer has too little ether, nothing is refused for good', async (t) => {
  const channel = await open();
  const later = await stack.newFunded();
  const wallet = await stack.newFunded();
  await node.setCode({ address: wallet.payer.address, bytecode: burningAfter(10n ** 9n) });
  const made = await newDeposit(later);
  const ofCode = await newDeposit(wallet, { signer: createWallet() });
  const refund = { refundId: uuidv7(), channelId: channel.id, amount: `${MIN_DEPOSIT - PRICE}` };
  const claims = [await wireClaim(channel, PRICE)];
  const balance = await node.getBalance({ address: SIGNER });
  await node.setBalance({ address: SIGNER, value: 10n ** 13n });
  for (const work of [
    service.channels.deposit(made.request, timed),
    service.channels.deposit(ofCode.request, timed),
    service.channels.claim({ claims }, timed),
    service.channels.refund(refund, timed),
  ]) {
    await t.throwsAsync(work, { code: 'PAYMENT_UNAVAILABLE' });
  }
  await node.setBalance({ address: SIGNER, value: balance });
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
});
