import { ERC3009_DEPOSIT_COLLECTOR_ADDRESS, voucherTypes } from '@x402/evm';
import test, { type ExecutionContext } from 'ava';
import { concatHex, type Hex, hashTypedData, parseSignature, toHex } from 'viem';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import {
  type ChannelConfig,
  CLAIM,
  calls,
  claimRow,
  DELAY_S,
  DEPOSIT,
  DOMAIN,
  encodeDeposit,
  NO_ADDRESS,
  newChannel,
  signClaims,
  signRefund,
  startChannelChain,
  withConfig,
} from './channel-chain.ts';

// The cases of the public contract's own tests, and some more. They share a chain, and move its clock. What is signed is signed
// with the official types, so what is accepted has their digests.

const REST = DEPOSIT - CLAIM;
const MAX_UINT128 = 2n ** 128n - 1n;
const NO_WITHDRAWAL = { amount: 0n, initiatedAt: 0 };
const COLLECTOR = ERC3009_DEPOSIT_COLLECTOR_ADDRESS;

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
const stranger = createWallet().address;

/** Asserts the error of each call. @param rows who calls, the call, and the name of the error */
async function revert(
  t: ExecutionContext,
  ...rows: readonly (readonly [from: Hex, data: Hex, error: Awaited<ReturnType<typeof chain.errorOf>>])[]
): Promise<void> {
  for (const [index, [from, data, error]] of rows.entries()) t.is(await chain.errorOf(from, data), error, `${index}`);
}

// Deposits

test.serial('a deposit creates a channel, and a later one adds to it beside a withdrawal', async (t) => {
  const channel = newChannel();
  const { id, config, receiver } = channel;
  const held = await chain.balanceOf(chain.settlement.address);
  const deposited = { channelId: id, sender: receiver.address, amount: DEPOSIT, newBalance: DEPOSIT };
  t.deepEqual(await chain.open(channel, DEPOSIT), [
    { eventName: 'ChannelCreated', args: { channelId: id, config } },
    { eventName: 'Deposited', args: deposited },
  ]);
  const state = { balance: DEPOSIT, totalClaimed: 0n, withdrawal: NO_WITHDRAWAL, refundNonce: 0n };
  t.deepEqual(await chain.stateOf(channel), state);
  t.is(await chain.balanceOf(chain.settlement.address), held + DEPOSIT);
  t.is(await chain.balanceOf(COLLECTOR), 0n);
  await chain.send(config.payer, calls.initiateWithdraw(config, DEPOSIT));
  const { withdrawal } = await chain.stateOf(channel);
  t.like(await chain.open(channel, DEPOSIT), [{ eventName: 'Deposited' }]);
  t.deepEqual(await chain.stateOf(channel), { ...state, balance: 2n * DEPOSIT, withdrawal });
});

test.serial('an unusable deposit is reverted', async (t) => {
  const idle = await chain.placeCode(IDLE_CODE);
  const deposit = (changes: Partial<ChannelConfig>, amount = DEPOSIT, from: Hex = COLLECTOR) =>
    calls.deposit(newChannel(changes).config, amount, from, '0x');
  const full = newChannel();
  await chain.open(full, MAX_UINT128);
  await revert(
    t,
    ...(['payer', 'receiver', 'receiverAuthorizer', 'token'] as const).map(
      (name) => [stranger, deposit({ [name]: NO_ADDRESS }), 'InvalidChannel'] as const,
    ),
    [stranger, deposit({ withdrawDelay: 899 }), 'WithdrawDelayOutOfRange'],
    [stranger, deposit({ withdrawDelay: 30 * 86_400 + 1 }), 'WithdrawDelayOutOfRange'],
    [stranger, deposit({}, 0n), 'ZeroDeposit'],
    [stranger, deposit({}, DEPOSIT, NO_ADDRESS), 'InvalidCollector'],
    [stranger, deposit({}, DEPOSIT, idle), 'DepositCollectionFailed'],
    [stranger, calls.deposit(full.config, 1n, COLLECTOR, '0x'), 'DepositOverflow'],
  );
  for (const withdrawDelay of [900, 30 * 86_400]) {
    t.is((await chain.stateOf(await chain.openNew({ withdrawDelay }))).balance, DEPOSIT);
  }
});

test.serial('a deposit authorization is good for one deposit to one channel, by the contract', async (t) => {
  const channel = newChannel();
  const { payer, id, config } = channel;
  await chain.mint(payer.address, 2n * DEPOSIT);
  const data = await encodeDeposit(channel, DEPOSIT);
  const stolen = data.replaceAll(config.salt.slice(2), withConfig(channel).config.salt.slice(2)) as Hex;
  const call = (sent: Hex) => chain.node.call({ account: stranger, to: chain.settlement.address, data: sent });
  await t.throwsAsync(call(stolen), { message: /invalid signature/ });
  await chain.send(stranger, data);
  await t.throwsAsync(call(data), { message: /authorization is used/ });
  const collect = calls.collect(payer.address, config.token, DEPOSIT, id, '0x');
  t.is(await chain.errorOf(payer.address, collect, COLLECTOR), 'OnlyX402BatchSettlement');
});

test.serial('a collector cannot call the contract again', async (t) => {
  const collector = await chain.placeCode(REENTERING_CODE);
  const channel = await chain.openNew();
  const { config, receiver } = channel;
  const settle = calls.settle(receiver.address, config.token);
  for (const again of [
    ...[await encodeDeposit(channel, 1n), settle, calls.claim([await claimRow(channel, CLAIM)])],
    ...[calls.refund(config, 1n), calls.initiateWithdraw(config, 1n), calls.finalizeWithdraw(config)],
    calls.multicall([settle]),
  ]) {
    const data = calls.deposit(config, 1n, collector, again);
    await revert(t, [receiver.address, data, 'ReentrancyGuardReentrantCall']);
  }
});

// Claims and settlement

test.serial('claims are raised up to their ceiling, and those of all channels settled once', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  const { receiver, receiverAuthorizer, token } = config;
  const claimed = (sender: Hex, claimAmount: bigint, newTotalClaimed: bigint) => [
    { eventName: 'Claimed', args: { channelId: id, sender, claimAmount, newTotalClaimed } },
  ];
  t.deepEqual(await chain.claim(channel, CLAIM), claimed(receiverAuthorizer, CLAIM, CLAIM));
  const row = await claimRow(channel, 3n * CLAIM, 4n * CLAIM);
  t.deepEqual(await chain.send(receiver, calls.claim([row])), claimed(receiver, 2n * CLAIM, 3n * CLAIM));
  const rest = calls.claim([{ ...row, totalClaimed: 4n * CLAIM }]);
  t.deepEqual(await chain.send(receiver, rest), claimed(receiver, CLAIM, 4n * CLAIM));
  // What raises nothing has no effect, even with a wrong signature.
  const old = calls.claim([await claimRow(channel, CLAIM, CLAIM, createWallet())]);
  t.deepEqual(await chain.send(receiver, old), []);
  t.like(await chain.stateOf(channel), { balance: DEPOSIT, totalClaimed: 4n * CLAIM });

  const second = withConfig(channel);
  await chain.open(second, DEPOSIT);
  await chain.claim(second, CLAIM);
  t.deepEqual(await chain.totalsOf(receiver), { totalClaimed: 5n * CLAIM, totalSettled: 0n });
  const settled = { eventName: 'Settled', args: { receiver, token, sender: stranger, amount: 5n * CLAIM } };
  t.deepEqual(await chain.send(stranger, calls.settle(receiver, token)), [settled]);
  t.deepEqual(await chain.send(stranger, calls.settle(receiver, token)), []);
  t.is(await chain.balanceOf(receiver), 5n * CLAIM);
  t.deepEqual(await chain.totalsOf(receiver), { totalClaimed: 5n * CLAIM, totalSettled: 5n * CLAIM });
  t.is((await chain.stateOf(channel)).balance, DEPOSIT);
});

test.serial('an invalid claim is reverted', async (t) => {
  const channel = await chain.openNew();
  const { receiver } = channel.config;
  const row = await claimRow(channel, CLAIM);
  const claim = async (...given: Parameters<typeof claimRow>) => calls.claim([await claimRow(...given)]);
  const signed = (signature: Hex) => calls.claim([{ ...row, signature }]);
  const { r, s, v } = parseSignature(row.signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const twin = toHex(order - BigInt(s), { size: 32 });
  await revert(
    t,
    [receiver, calls.claim([]), 'EmptyBatch'],
    [stranger, calls.claim([row]), 'NotAuthorizedToClaim'],
    [receiver, await claim(channel, CLAIM + 1n, CLAIM), 'ClaimExceedsCeiling'],
    [receiver, await claim(channel, DEPOSIT + 1n), 'ClaimExceedsBalance'],
    [receiver, await claim(channel, CLAIM, CLAIM, createWallet()), 'InvalidSignature'],
    [receiver, signed('0x0000'), 'ECDSAInvalidSignatureLength'],
    [receiver, signed(concatHex([r, s, '0x05'])), 'ECDSAInvalidSignature'],
    [receiver, signed(concatHex([r, twin, v === 27n ? '0x1c' : '0x1b'])), 'ECDSAInvalidSignatureS'],
  );
});

test.serial('without a payer authorizer the payer signs, who may be a contract', async (t) => {
  const channel = await chain.openNew({ payerAuthorizer: NO_ADDRESS });
  const { receiver, payer } = channel.config;
  const byStranger = calls.claim([await claimRow(channel, CLAIM, CLAIM, createWallet())]);
  await revert(t, [receiver, byStranger, 'InvalidSignature']);
  await chain.send(receiver, calls.claim([await claimRow(channel, CLAIM, CLAIM, channel.payer)]));
  t.is((await chain.stateOf(channel)).totalClaimed, CLAIM);
  const short = calls.claim([{ ...(await claimRow(channel, 2n * CLAIM)), signature: '0x00' }]);
  await revert(t, [receiver, short, 'InvalidSignature']);
  for (const [bytecode, error] of [
    [REFUSING_CODE, 'InvalidSignature'],
    [ACCEPTING_CODE, undefined],
  ] as const) {
    await chain.node.setCode({ address: payer, bytecode });
    await revert(t, [receiver, short, error]);
  }
});

test.serial('anyone sends claims that the receiver authorizer signed, who may be a contract', async (t) => {
  const first = await chain.openNew();
  const second = withConfig(first);
  const foreign = withConfig(first, { receiverAuthorizer: createWallet().address });
  for (const channel of [second, foreign]) await chain.open(channel, DEPOSIT);
  const row = await claimRow(first, CLAIM);
  const rows = [row, await claimRow(second, 2n * CLAIM)];
  const mixed = [row, await claimRow(foreign, CLAIM)];
  const { receiverAuthorizer } = first;
  const signature = await signClaims(receiverAuthorizer, [row]);
  const byStranger = await signClaims(createWallet(), [row]);
  const ofMixed = await signClaims(receiverAuthorizer, mixed);
  await revert(
    t,
    [stranger, calls.claimWithSignature([], '0xdead'), 'EmptyBatch'],
    [stranger, calls.claimWithSignature([row], byStranger), 'InvalidSignature'],
    [stranger, calls.claimWithSignature([row], '0xdead'), 'InvalidSignature'],
    [stranger, calls.claimWithSignature([{ ...row, totalClaimed: CLAIM - 1n }], signature), 'InvalidSignature'],
    [stranger, calls.claimWithSignature(mixed, ofMixed), 'NotReceiverAuthorizer'],
  );
  const data = calls.claimWithSignature(rows, await signClaims(receiverAuthorizer, rows));
  t.like(await chain.send(stranger, data), [{ eventName: 'Claimed' }, { eventName: 'Claimed' }]);
  t.is((await chain.totalsOf(first.config.receiver)).totalClaimed, 3n * CLAIM);
  t.deepEqual(await chain.send(stranger, data), []);
  await chain.node.setCode({ address: receiverAuthorizer.address, bytecode: ACCEPTING_CODE });
  await chain.send(stranger, calls.claimWithSignature([await claimRow(first, 2n * CLAIM)], '0xdead'));
  t.is((await chain.stateOf(first)).totalClaimed, 2n * CLAIM);
});

test.serial('a transfer that the token refuses is reverted', async (t) => {
  const channel = await chain.openNew();
  await chain.claim(channel, CLAIM);
  const { receiver, token } = channel.config;
  const code = defined(await chain.node.getCode({ address: token }));
  await chain.node.setCode({ address: token, bytecode: REFUSING_CODE });
  await revert(t, [receiver, calls.settle(receiver, token), 'SafeERC20FailedOperation']);
  await chain.node.setCode({ address: token, bytecode: code });
  await revert(t, [receiver, calls.settle(receiver, token), undefined]);
});

// Withdrawals

test.serial('what was not claimed meanwhile is withdrawn for the payer after the delay', async (t) => {
  for (const [by, asked, claimed] of [
    ['payer', DEPOSIT, 0n],
    ['payerAuthorizer', CLAIM, 0n],
    ['payer', DEPOSIT, CLAIM],
    ['payer', DEPOSIT, DEPOSIT],
  ] as const) {
    const channel = await chain.openNew();
    const { id, config } = channel;
    const sender = config[by];
    const finalize = calls.finalizeWithdraw(config);
    const [started] = await chain.send(sender, calls.initiateWithdraw(config, asked));
    const { withdrawal } = await chain.stateOf(channel);
    const finalizeAfter = withdrawal.initiatedAt + DELAY_S;
    t.deepEqual(started, { eventName: 'WithdrawInitiated', args: { channelId: id, amount: asked, finalizeAfter } });
    t.is(withdrawal.amount, asked);
    if (claimed > 0n) await chain.claim(channel, claimed);
    await revert(t, [sender, finalize, 'WithdrawDelayNotElapsed']);
    await chain.passSeconds(DELAY_S);
    await revert(t, [stranger, finalize, 'NotAuthorizedToFinalizeWithdraw']);
    const amount = asked - claimed;
    const closed = { eventName: 'ChannelClosed' as const, args: { channelId: id, config } };
    t.deepEqual(await chain.send(sender, finalize), [
      { eventName: 'WithdrawFinalized', args: { channelId: id, sender, amount } },
      ...(amount === DEPOSIT ? [closed] : []),
    ]);
    t.is(await chain.balanceOf(config.payer), amount);
    const state = { balance: DEPOSIT - amount, totalClaimed: claimed, withdrawal: NO_WITHDRAWAL, refundNonce: 0n };
    t.deepEqual(await chain.stateOf(channel), state);
    const late = calls.claim([await claimRow(channel, state.balance + 1n)]);
    await revert(t, [config.receiver, late, 'ClaimExceedsBalance']);
  }
});

test.serial('an invalid withdrawal is reverted', async (t) => {
  const [channel, empty] = [await chain.openNew(), newChannel()];
  const { config } = channel;
  const { payer } = config;
  const start = (amount: bigint, of = config) => calls.initiateWithdraw(of, amount);
  await revert(
    t,
    [stranger, start(1n), 'InvalidChannel'],
    [config.receiver, start(1n), 'InvalidChannel'],
    [payer, start(0n), 'NothingToWithdraw'],
    [payer, calls.finalizeWithdraw(config), 'WithdrawalNotPending'],
    [empty.config.payer, start(1n, empty.config), 'WithdrawAmountExceedsAvailable'],
    [empty.config.payer, start(MAX_UINT128, empty.config), 'WithdrawAmountExceedsAvailable'],
  );
  await chain.claim(channel, CLAIM);
  await revert(t, [payer, start(REST + 1n), 'WithdrawAmountExceedsAvailable']);
  await chain.send(payer, start(REST));
  await revert(t, [payer, start(1n), 'WithdrawalAlreadyPending']);
});

// Refunds

test.serial('the receiver side refunds what is not claimed, and anyone what its authorizer signed', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  await chain.claim(channel, CLAIM);
  const refunded = (sender: Hex, amount: bigint) => [
    { eventName: 'Refunded', args: { channelId: id, sender, amount } },
  ];
  t.deepEqual(await chain.send(config.receiver, calls.refund(config, 1n)), refunded(config.receiver, 1n));
  const signature = await signRefund(channel.receiverAuthorizer, id, 1n, 2n);
  const signed = calls.refundWithSignature(config, 2n, 1n, signature);
  t.deepEqual(await chain.send(stranger, signed), refunded(stranger, 2n));
  const rest = await chain.send(config.receiverAuthorizer, calls.refund(config, MAX_UINT128));
  t.deepEqual(rest, refunded(config.receiverAuthorizer, REST - 3n));
  t.is(await chain.balanceOf(config.payer), REST);
  t.like(await chain.stateOf(channel), { balance: CLAIM, totalClaimed: CLAIM, refundNonce: 3n });
  // Every refund uses up the nonce, even if nothing is left.
  t.deepEqual(await chain.send(config.receiver, calls.refund(config, 1n)), []);
  t.is((await chain.stateOf(channel)).refundNonce, 4n);
  await chain.open(channel, DEPOSIT);
  await revert(t, [stranger, signed, 'InvalidRefundNonce']);
});

test.serial('an invalid refund is reverted', async (t) => {
  const { id, config, receiverAuthorizer } = await chain.openNew();
  const signed = async (nonce: bigint, amount: bigint, signer = receiverAuthorizer) =>
    calls.refundWithSignature(config, amount, nonce, await signRefund(signer, id, nonce, amount));
  await revert(
    t,
    [stranger, calls.refund(config, 1n), 'NotAuthorizedToRefund'],
    [config.payer, calls.refund(config, 1n), 'NotAuthorizedToRefund'],
    [config.receiver, calls.refund(config, 0n), 'ZeroRefund'],
    [stranger, await signed(0n, 0n), 'ZeroRefund'],
    [stranger, await signed(1n, CLAIM), 'InvalidRefundNonce'],
    [stranger, await signed(0n, CLAIM, createWallet()), 'InvalidSignature'],
  );
});

test.serial('a refund reduces or cancels a withdrawal and never delays it, and a full one closes', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  const { payer, receiver } = config;
  await chain.send(payer, calls.initiateWithdraw(config, CLAIM));
  const { withdrawal } = await chain.stateOf(channel);
  for (const [refund, left] of [
    [1n, { ...withdrawal, amount: CLAIM - 1n }],
    [CLAIM - 1n, NO_WITHDRAWAL],
  ] as const) {
    await chain.send(receiver, calls.refund(config, refund));
    t.deepEqual((await chain.stateOf(channel)).withdrawal, left);
  }
  await chain.send(payer, calls.initiateWithdraw(config, CLAIM));
  const closed = await chain.send(receiver, calls.refund(config, DEPOSIT));
  t.deepEqual(closed.at(-1), { eventName: 'ChannelClosed', args: { channelId: id, config } });
  t.deepEqual((await chain.stateOf(channel)).withdrawal, NO_WITHDRAWAL);
  const created = await chain.open(channel, CLAIM);
  t.deepEqual(created.at(0), { eventName: 'ChannelCreated', args: { channelId: id, config } });
  t.like(await chain.stateOf(channel), { balance: CLAIM, totalClaimed: 0n, refundNonce: 3n });

  const other = await chain.openNew();
  await chain.send(other.config.payer, calls.initiateWithdraw(other.config, DEPOSIT));
  await chain.passSeconds(DELAY_S - 60);
  await chain.send(other.config.receiver, calls.refund(other.config, 1n));
  await chain.passSeconds(60);
  await chain.send(other.config.payer, calls.finalizeWithdraw(other.config));
  t.is(await chain.balanceOf(other.config.payer), DEPOSIT);
});

// Several calls in one transaction, and views

test.serial('one transaction moves what is left to another channel, all of it or nothing', async (t) => {
  const from = await chain.openNew();
  const to = withConfig(from);
  await chain.claim(from, CLAIM);
  const signature = await signRefund(from.receiverAuthorizer, from.id, 0n, REST);
  const moves = [calls.refundWithSignature(from.config, REST, 0n, signature), await encodeDeposit(to, REST)];
  await revert(
    t,
    [stranger, calls.multicall([...moves, calls.deposit(to.config, 0n, stranger, '0x')]), 'ZeroDeposit'],
    [stranger, calls.multicall(['0x']), 'FailedCall'],
  );
  await chain.send(stranger, calls.multicall(moves));
  t.like(await chain.stateOf(from), { balance: CLAIM, totalClaimed: CLAIM });
  t.like(await chain.stateOf(to), { balance: REST, totalClaimed: 0n });
  t.is(await chain.balanceOf(from.config.payer), 0n);
});

test.serial('ids, digests and the domain can be read', async (t) => {
  const { node, settlement } = chain;
  const { config, id } = newChannel();
  const voucher = { domain: DOMAIN, types: voucherTypes, primaryType: 'Voucher' } as const;
  t.is(await node.readContract({ ...settlement, functionName: 'getChannelId', args: [config] }), id);
  t.is(
    await node.readContract({ ...settlement, functionName: 'getVoucherDigest', args: [id, CLAIM] }),
    hashTypedData({ ...voucher, message: { channelId: id, maxClaimableAmount: CLAIM } }),
  );
  const domain = await node.readContract({ ...settlement, functionName: 'eip712Domain' });
  t.deepEqual(domain, ['0x0f', DOMAIN.name, DOMAIN.version, 31337n, settlement.address, `0x${'0'.repeat(64)}`, []]);
  const collector = { address: COLLECTOR, abi: settlement.abi } as const;
  t.is(await node.readContract({ ...collector, functionName: 'x402BatchSettlement' }), settlement.address);
});
