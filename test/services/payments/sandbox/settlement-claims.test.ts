import { ERC3009_DEPOSIT_COLLECTOR_ADDRESS } from '@x402/evm';
import test from 'ava';
import { concatHex, type Hex, parseSignature, toHex } from 'viem';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import {
  type ChannelConfig,
  CLAIM,
  calls,
  claimRow,
  DEPOSIT,
  encodeDeposit,
  NO_ADDRESS,
  newChannel,
  signClaims,
  startChannelChain,
  withConfig,
} from './channel-chain.ts';

// The cases of the public contract's own tests about deposits, claims and settlement, and some more.

const MAX_UINT128 = 2n ** 128n - 1n;

/** A contract that accepts every call and does nothing. */
const IDLE_CODE: Hex = '0x00';
/** A contract wallet that accepts every signature (ERC-1271). */
const ACCEPTING_CODE: Hex = '0x631626ba7e60e01b5f5260205ff3';
/** A contract that returns 32 zero bytes: a wallet that rejects signatures, or a token that refuses transfers. */
const REFUSING_CODE: Hex = '0x60205ff3';
/** A collector that calls its caller with the `collectorData`, and reverts as that call does. */
const REENTERING_CODE: Hex = '0x60c436038060c45f375f5f915f5f335af13d5f5f3e601b573d5ffd5b00';

const chain = await startChannelChain();
test.after.always(() => chain.stop());

// Deposits

test.serial('the first deposit creates the channel', async (t) => {
  const channel = newChannel();
  const sender = channel.receiver.address;
  const events = await chain.open(channel, DEPOSIT);
  t.deepEqual(events, [
    { eventName: 'ChannelCreated', args: { channelId: channel.id, config: channel.config } },
    { eventName: 'Deposited', args: { channelId: channel.id, sender, amount: DEPOSIT, newBalance: DEPOSIT } },
  ]);
  const state = { balance: DEPOSIT, totalClaimed: 0n, withdrawal: { amount: 0n, initiatedAt: 0 }, refundNonce: 0n };
  t.deepEqual(await chain.stateOf(channel), state);
  t.is(await chain.balanceOf(chain.settlement.address), DEPOSIT);
  t.is(await chain.balanceOf(ERC3009_DEPOSIT_COLLECTOR_ADDRESS), 0n);
});

test.serial('a later deposit adds to the balance and leaves a pending withdrawal alone', async (t) => {
  const channel = await chain.openNew();
  await chain.send(channel.payer.address, calls.initiateWithdraw(channel.config, DEPOSIT));
  const before = await chain.stateOf(channel);
  const events = await chain.open(channel, DEPOSIT);
  t.deepEqual(
    events.map(({ eventName }) => eventName),
    ['Deposited'],
  );
  t.deepEqual(await chain.stateOf(channel), { ...before, balance: 2n * DEPOSIT });
  t.is(before.withdrawal.amount, DEPOSIT);
});

test.serial('an unusable deposit is reverted', async (t) => {
  const sender = createWallet().address;
  const collector = ERC3009_DEPOSIT_COLLECTOR_ADDRESS;
  const idle = await chain.placeCode(IDLE_CODE);
  const deposit = (changes: Partial<ChannelConfig>, amount = DEPOSIT, from: Hex = collector) =>
    chain.errorOf(sender, calls.deposit(newChannel(changes).config, amount, from, '0x'));
  t.is(await deposit({ payer: NO_ADDRESS }), 'InvalidChannel');
  t.is(await deposit({ receiver: NO_ADDRESS }), 'InvalidChannel');
  t.is(await deposit({ receiverAuthorizer: NO_ADDRESS }), 'InvalidChannel');
  t.is(await deposit({ token: NO_ADDRESS }), 'InvalidChannel');
  t.is(await deposit({ withdrawDelay: 899 }), 'WithdrawDelayOutOfRange');
  t.is(await deposit({ withdrawDelay: 30 * 86_400 + 1 }), 'WithdrawDelayOutOfRange');
  t.is(await deposit({}, 0n), 'ZeroDeposit');
  t.is(await deposit({}, DEPOSIT, NO_ADDRESS), 'InvalidCollector');
  t.is(await deposit({}, DEPOSIT, idle), 'DepositCollectionFailed');
  const full = newChannel();
  await chain.open(full, MAX_UINT128);
  t.is(await chain.errorOf(sender, calls.deposit(full.config, 1n, collector, '0x')), 'DepositOverflow');
});

test.serial('the shortest and the longest withdrawal delay are accepted', async (t) => {
  for (const withdrawDelay of [900, 30 * 86_400]) {
    t.is((await chain.stateOf(await chain.openNew({ withdrawDelay }))).balance, DEPOSIT);
  }
});

test.serial('a deposit authorization is good for one channel and one deposit', async (t) => {
  const channel = newChannel();
  const sender = channel.receiver.address;
  await chain.mint(channel.payer.address, 2n * DEPOSIT);
  const data = await encodeDeposit(channel, DEPOSIT);
  const other = withConfig(channel);
  const stolen = data.replaceAll(channel.config.salt.slice(2), other.config.salt.slice(2)) as Hex;
  await t.throwsAsync(chain.node.call({ account: sender, to: chain.settlement.address, data: stolen }), {
    message: /invalid signature/,
  });
  await chain.send(sender, data);
  await t.throwsAsync(chain.node.call({ account: sender, to: chain.settlement.address, data }), {
    message: /authorization is used/,
  });
});

test.serial('only the settlement contract calls the collector', async (t) => {
  const { payer, id, config } = newChannel();
  const data = calls.collect(payer.address, config.token, DEPOSIT, id, '0x');
  t.is(await chain.errorOf(payer.address, data, ERC3009_DEPOSIT_COLLECTOR_ADDRESS), 'OnlyX402BatchSettlement');
  const collector = { address: ERC3009_DEPOSIT_COLLECTOR_ADDRESS, abi: chain.settlement.abi } as const;
  t.is(await chain.node.readContract({ ...collector, functionName: 'x402BatchSettlement' }), chain.settlement.address);
});

test.serial('a collector cannot call the contract again', async (t) => {
  const collector = await chain.placeCode(REENTERING_CODE);
  const channel = await chain.openNew();
  const { config, receiver } = channel;
  for (const again of [
    await encodeDeposit(channel, 1n),
    calls.settle(receiver.address, config.token),
    calls.claim([await claimRow(channel, CLAIM)]),
    calls.refund(config, 1n),
    calls.initiateWithdraw(config, 1n),
    calls.finalizeWithdraw(config),
    calls.multicall([calls.settle(receiver.address, config.token)]),
  ]) {
    const data = calls.deposit(config, 1n, collector, again);
    t.is(await chain.errorOf(receiver.address, data), 'ReentrancyGuardReentrantCall');
  }
});

// Claims

test.serial('the receiver and its authorizer claim', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  const [first] = await chain.claim(channel, CLAIM);
  const args = { channelId: id, sender: config.receiverAuthorizer, claimAmount: CLAIM, newTotalClaimed: CLAIM };
  t.deepEqual(first, { eventName: 'Claimed', args });
  const row = await claimRow(channel, 3n * CLAIM);
  const [second] = await chain.send(config.receiver, calls.claim([row]));
  t.deepEqual(second, {
    eventName: 'Claimed',
    args: { channelId: id, sender: config.receiver, claimAmount: 2n * CLAIM, newTotalClaimed: 3n * CLAIM },
  });
  t.like(await chain.stateOf(channel), { balance: DEPOSIT, totalClaimed: 3n * CLAIM });
  t.deepEqual(await chain.totalsOf(config.receiver), { totalClaimed: 3n * CLAIM, totalSettled: 0n });
});

test.serial('one voucher is claimed step by step up to its ceiling', async (t) => {
  const channel = await chain.openNew();
  const { receiver } = channel.config;
  for (const total of [CLAIM, 2n * CLAIM]) {
    await chain.send(receiver, calls.claim([await claimRow(channel, total, 2n * CLAIM)]));
    t.is((await chain.stateOf(channel)).totalClaimed, total);
  }
});

test.serial('a claim that raises nothing has no effect, even with a wrong signature', async (t) => {
  const channel = await chain.openNew();
  await chain.claim(channel, CLAIM);
  const old = await claimRow(channel, CLAIM, CLAIM, createWallet());
  t.deepEqual(await chain.send(channel.config.receiver, calls.claim([old])), []);
  t.is((await chain.stateOf(channel)).totalClaimed, CLAIM);
});

test.serial('an invalid claim is reverted', async (t) => {
  const channel = await chain.openNew();
  const { receiver } = channel.config;
  const errorOf = async (...row: Parameters<typeof claimRow>) =>
    chain.errorOf(receiver, calls.claim([await claimRow(...row)]));
  t.is(await chain.errorOf(receiver, calls.claim([])), 'EmptyBatch');
  t.is(
    await chain.errorOf(createWallet().address, calls.claim([await claimRow(channel, CLAIM)])),
    'NotAuthorizedToClaim',
  );
  t.is(await errorOf(channel, CLAIM + 1n, CLAIM), 'ClaimExceedsCeiling');
  t.is(await errorOf(channel, DEPOSIT + 1n), 'ClaimExceedsBalance');
  t.is(await errorOf(channel, CLAIM, CLAIM, createWallet()), 'InvalidSignature');
});

test.serial('a malformed voucher signature is reverted', async (t) => {
  const channel = await chain.openNew();
  const row = await claimRow(channel, CLAIM);
  const errorOf = (signature: Hex) => chain.errorOf(channel.config.receiver, calls.claim([{ ...row, signature }]));
  t.is(await errorOf('0x0000'), 'ECDSAInvalidSignatureLength');
  const { r, s, v } = parseSignature(row.signature);
  t.is(await errorOf(concatHex([r, s, '0x05'])), 'ECDSAInvalidSignature');
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const twin = toHex(order - BigInt(s), { size: 32 });
  t.is(await errorOf(concatHex([r, twin, v === 27n ? '0x1c' : '0x1b'])), 'ECDSAInvalidSignatureS');
});

test.serial('without a payer authorizer, the payer signs', async (t) => {
  const channel = await chain.openNew({ payerAuthorizer: NO_ADDRESS });
  const { receiver, payer } = channel.config;
  const byStranger = calls.claim([await claimRow(channel, CLAIM, CLAIM, createWallet())]);
  t.is(await chain.errorOf(receiver, byStranger), 'InvalidSignature');
  await chain.send(receiver, calls.claim([await claimRow(channel, CLAIM, CLAIM, channel.payer)]));
  t.is((await chain.stateOf(channel)).totalClaimed, CLAIM);

  const short = calls.claim([{ ...(await claimRow(channel, 2n * CLAIM)), signature: '0x00' }]);
  t.is(await chain.errorOf(receiver, short), 'InvalidSignature');
  await chain.node.setCode({ address: payer, bytecode: REFUSING_CODE });
  t.is(await chain.errorOf(receiver, short), 'InvalidSignature');
  await chain.node.setCode({ address: payer, bytecode: ACCEPTING_CODE });
  t.is(await chain.errorOf(receiver, short), undefined);
});

test.serial('anyone sends a batch of claims that the receiver authorizer signed', async (t) => {
  const first = await chain.openNew();
  const second = withConfig(first);
  await chain.open(second, DEPOSIT);
  const rows = [await claimRow(first, CLAIM), await claimRow(second, 2n * CLAIM)];
  const sender = createWallet().address;
  const signature = await signClaims(first.receiverAuthorizer, rows);
  const events = await chain.send(sender, calls.claimWithSignature(rows, signature));
  t.deepEqual(
    events.map(({ eventName }) => eventName),
    ['Claimed', 'Claimed'],
  );
  t.is((await chain.totalsOf(first.config.receiver)).totalClaimed, 3n * CLAIM);
  t.is((await chain.stateOf(second)).totalClaimed, 2n * CLAIM);
  t.deepEqual(await chain.send(sender, calls.claimWithSignature(rows, signature)), []);
});

test.serial('an invalid signed batch is reverted', async (t) => {
  const channel = await chain.openNew();
  const foreign = withConfig(channel, { receiverAuthorizer: createWallet().address });
  await chain.open(foreign, DEPOSIT);
  const sender = createWallet().address;
  const row = await claimRow(channel, CLAIM);
  const { receiverAuthorizer } = channel;
  t.is(await chain.errorOf(sender, calls.claimWithSignature([], '0xdead')), 'EmptyBatch');
  const byStranger = await signClaims(createWallet(), [row]);
  t.is(await chain.errorOf(sender, calls.claimWithSignature([row], byStranger)), 'InvalidSignature');
  t.is(await chain.errorOf(sender, calls.claimWithSignature([row], '0xdead')), 'InvalidSignature');
  const signature = await signClaims(receiverAuthorizer, [row]);
  const raised = { ...row, totalClaimed: CLAIM - 1n };
  t.is(await chain.errorOf(sender, calls.claimWithSignature([raised], signature)), 'InvalidSignature');
  const mixed = [row, await claimRow(foreign, CLAIM)];
  const ofMixed = await signClaims(receiverAuthorizer, mixed);
  t.is(await chain.errorOf(sender, calls.claimWithSignature(mixed, ofMixed)), 'NotReceiverAuthorizer');
});

test.serial('a contract wallet authorizes claims', async (t) => {
  const channel = await chain.openNew();
  const data = calls.claimWithSignature([await claimRow(channel, CLAIM)], '0xdead');
  await chain.node.setCode({ address: channel.config.receiverAuthorizer, bytecode: ACCEPTING_CODE });
  await chain.send(createWallet().address, data);
  t.is((await chain.stateOf(channel)).totalClaimed, CLAIM);
});

// Settlement

test.serial('settlement sends the claims of all channels once', async (t) => {
  const first = await chain.openNew();
  const second = withConfig(first);
  await chain.open(second, DEPOSIT);
  await chain.claim(first, CLAIM);
  await chain.claim(second, 2n * CLAIM);
  const { receiver, token } = first.config;
  const sender = createWallet().address;
  const args = { receiver, token, sender, amount: 3n * CLAIM };
  t.deepEqual(await chain.send(sender, calls.settle(receiver, token)), [{ eventName: 'Settled', args }]);
  t.is(await chain.balanceOf(receiver), 3n * CLAIM);
  t.deepEqual(await chain.totalsOf(receiver), { totalClaimed: 3n * CLAIM, totalSettled: 3n * CLAIM });
  t.deepEqual(await chain.send(sender, calls.settle(receiver, token)), []);
  t.is(await chain.balanceOf(receiver), 3n * CLAIM);
  t.is((await chain.stateOf(first)).balance, DEPOSIT);
});

test.serial('a transfer that the token refuses is reverted', async (t) => {
  const channel = await chain.openNew();
  await chain.claim(channel, CLAIM);
  const { receiver, token } = channel.config;
  const code = defined(await chain.node.getCode({ address: token }));
  await chain.node.setCode({ address: token, bytecode: REFUSING_CODE });
  t.is(await chain.errorOf(receiver, calls.settle(receiver, token)), 'SafeERC20FailedOperation');
  await chain.node.setCode({ address: token, bytecode: code });
  t.is(await chain.errorOf(receiver, calls.settle(receiver, token)), undefined);
});
