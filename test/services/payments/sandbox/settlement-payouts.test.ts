import { claimBatchTypes, refundTypes, voucherTypes } from '@x402/evm';
import test from 'ava';
import { type Hex, hashTypedData, keccak256, toHex } from 'viem';
import { createWallet } from '../../../kit/chain.ts';
import {
  CLAIM,
  calls,
  claimRow,
  DELAY_S,
  DEPOSIT,
  DOMAIN,
  encodeDeposit,
  newChannel,
  signRefund,
  startChannelChain,
  withConfig,
} from './channel-chain.ts';

// The cases of the public contract's own tests about withdrawals, refunds and views, and some more. They move the clock
// of the chain that they share, so they run one after the other.

const REST = DEPOSIT - CLAIM;
const MAX_UINT128 = 2n ** 128n - 1n;
const NO_WITHDRAWAL = { amount: 0n, initiatedAt: 0 };

const chain = await startChannelChain();
test.after.always(() => chain.stop());

// Withdrawals

test.serial('the payer withdraws after the delay', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  const [started] = await chain.send(config.payer, calls.initiateWithdraw(config, DEPOSIT));
  const { withdrawal } = await chain.stateOf(channel);
  const finalizeAfter = withdrawal.initiatedAt + DELAY_S;
  t.deepEqual(started, { eventName: 'WithdrawInitiated', args: { channelId: id, amount: DEPOSIT, finalizeAfter } });
  t.is(withdrawal.amount, DEPOSIT);
  t.is(await chain.errorOf(config.payer, calls.finalizeWithdraw(config)), 'WithdrawDelayNotElapsed');
  await chain.passSeconds(DELAY_S);
  t.deepEqual(await chain.send(config.payer, calls.finalizeWithdraw(config)), [
    { eventName: 'WithdrawFinalized', args: { channelId: id, sender: config.payer, amount: DEPOSIT } },
    { eventName: 'ChannelClosed', args: { channelId: id, config } },
  ]);
  t.is(await chain.balanceOf(config.payer), DEPOSIT);
  const state = { balance: 0n, totalClaimed: 0n, withdrawal: NO_WITHDRAWAL, refundNonce: 0n };
  t.deepEqual(await chain.stateOf(channel), state);
});

test.serial('the payer authorizer withdraws for the payer', async (t) => {
  const channel = await chain.openNew();
  const { config } = channel;
  await chain.send(config.payerAuthorizer, calls.initiateWithdraw(config, CLAIM));
  await chain.passSeconds(DELAY_S);
  await chain.send(config.payerAuthorizer, calls.finalizeWithdraw(config));
  t.is(await chain.balanceOf(config.payer), CLAIM);
  t.is(await chain.balanceOf(config.payerAuthorizer), 0n);
});

test.serial('an invalid withdrawal is reverted', async (t) => {
  const channel = await chain.openNew();
  const { config } = channel;
  const stranger = createWallet().address;
  const { payer } = config;
  t.is(await chain.errorOf(stranger, calls.initiateWithdraw(config, 1n)), 'InvalidChannel');
  t.is(await chain.errorOf(config.receiver, calls.initiateWithdraw(config, 1n)), 'InvalidChannel');
  t.is(await chain.errorOf(payer, calls.initiateWithdraw(config, 0n)), 'NothingToWithdraw');
  t.is(await chain.errorOf(payer, calls.finalizeWithdraw(config)), 'WithdrawalNotPending');
  await chain.claim(channel, CLAIM);
  t.is(await chain.errorOf(payer, calls.initiateWithdraw(config, REST + 1n)), 'WithdrawAmountExceedsAvailable');
  await chain.send(payer, calls.initiateWithdraw(config, REST));
  t.is(await chain.errorOf(payer, calls.initiateWithdraw(config, 1n)), 'WithdrawalAlreadyPending');
  await chain.passSeconds(DELAY_S);
  t.is(await chain.errorOf(stranger, calls.finalizeWithdraw(config)), 'NotAuthorizedToFinalizeWithdraw');
});

test.serial('a withdrawal cannot start before the deposit', async (t) => {
  const channel = newChannel();
  const { config } = channel;
  t.is(await chain.errorOf(config.payer, calls.initiateWithdraw(config, 1n)), 'WithdrawAmountExceedsAvailable');
  const all = calls.initiateWithdraw(config, MAX_UINT128);
  t.is(await chain.errorOf(config.payer, all), 'WithdrawAmountExceedsAvailable');
  await chain.passSeconds(DELAY_S);
  await chain.open(channel, DEPOSIT);
  t.is(await chain.errorOf(config.payer, calls.finalizeWithdraw(config)), 'WithdrawalNotPending');
});

test.serial('what is claimed during the delay is not withdrawn', async (t) => {
  for (const claimed of [CLAIM, DEPOSIT]) {
    const channel = await chain.openNew();
    const { id, config } = channel;
    await chain.send(config.payer, calls.initiateWithdraw(config, DEPOSIT));
    await chain.claim(channel, claimed);
    await chain.passSeconds(DELAY_S);
    const amount = DEPOSIT - claimed;
    t.deepEqual(await chain.send(config.payer, calls.finalizeWithdraw(config)), [
      { eventName: 'WithdrawFinalized', args: { channelId: id, sender: config.payer, amount } },
    ]);
    t.is(await chain.balanceOf(config.payer), amount);
    t.like(await chain.stateOf(channel), { balance: claimed, totalClaimed: claimed, withdrawal: NO_WITHDRAWAL });
  }
});

test.serial('a claim after the withdrawal is reverted', async (t) => {
  const channel = await chain.openNew();
  const { config } = channel;
  await chain.send(config.payer, calls.initiateWithdraw(config, DEPOSIT));
  await chain.passSeconds(DELAY_S);
  await chain.send(config.payer, calls.finalizeWithdraw(config));
  const late = calls.claim([await claimRow(channel, CLAIM)]);
  t.is(await chain.errorOf(config.receiver, late), 'ClaimExceedsBalance');
});

// Refunds

test.serial('the receiver and its authorizer refund what is not claimed', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  await chain.claim(channel, CLAIM);
  const refunded = (sender: Hex, amount: bigint) => [
    { eventName: 'Refunded', args: { channelId: id, sender, amount } },
  ];
  t.deepEqual(await chain.send(config.receiver, calls.refund(config, 1n)), refunded(config.receiver, 1n));
  const rest = await chain.send(config.receiverAuthorizer, calls.refund(config, MAX_UINT128));
  t.deepEqual(rest, refunded(config.receiverAuthorizer, REST - 1n));
  t.is(await chain.balanceOf(config.payer), REST);
  t.like(await chain.stateOf(channel), { balance: CLAIM, totalClaimed: CLAIM, refundNonce: 2n });
});

test.serial('anyone sends a refund that the receiver authorizer signed', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  await chain.claim(channel, CLAIM);
  const signature = await signRefund(channel.receiverAuthorizer, id, 0n, REST);
  const sender = createWallet().address;
  const events = await chain.send(sender, calls.refundWithSignature(config, REST, 0n, signature));
  t.deepEqual(events, [{ eventName: 'Refunded', args: { channelId: id, sender, amount: REST } }]);
  t.is(await chain.balanceOf(config.payer), REST);
});

test.serial('an invalid refund is reverted', async (t) => {
  const { id, config, receiverAuthorizer } = await chain.openNew();
  const sender = createWallet().address;
  const errorOf = async (nonce: bigint, amount: bigint, signer = receiverAuthorizer) => {
    const signature = await signRefund(signer, id, nonce, amount);
    return chain.errorOf(sender, calls.refundWithSignature(config, amount, nonce, signature));
  };
  t.is(await chain.errorOf(sender, calls.refund(config, 1n)), 'NotAuthorizedToRefund');
  t.is(await chain.errorOf(config.payer, calls.refund(config, 1n)), 'NotAuthorizedToRefund');
  t.is(await chain.errorOf(config.receiver, calls.refund(config, 0n)), 'ZeroRefund');
  t.is(await errorOf(0n, 0n), 'ZeroRefund');
  t.is(await errorOf(1n, CLAIM), 'InvalidRefundNonce');
  t.is(await errorOf(0n, CLAIM, createWallet()), 'InvalidSignature');
});

test.serial('every refund uses up the nonce, even if nothing is left', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  await chain.claim(channel, DEPOSIT);
  const signature = await signRefund(channel.receiverAuthorizer, id, 0n, DEPOSIT);
  const signed = calls.refundWithSignature(config, DEPOSIT, 0n, signature);
  t.deepEqual(await chain.send(config.receiver, signed), []);
  t.is((await chain.stateOf(channel)).refundNonce, 1n);
  t.deepEqual(await chain.send(config.receiver, calls.refund(config, 1n)), []);
  t.is((await chain.stateOf(channel)).refundNonce, 2n);
  t.is(await chain.balanceOf(config.payer), 0n);
  await chain.open(channel, DEPOSIT);
  t.is(await chain.errorOf(config.receiver, signed), 'InvalidRefundNonce');
});

test.serial('a refund reduces a pending withdrawal, or cancels it', async (t) => {
  const channel = await chain.openNew();
  const { config } = channel;
  await chain.send(config.payer, calls.initiateWithdraw(config, CLAIM));
  const { withdrawal } = await chain.stateOf(channel);
  await chain.send(config.receiver, calls.refund(config, 1n));
  t.deepEqual((await chain.stateOf(channel)).withdrawal, { ...withdrawal, amount: CLAIM - 1n });
  await chain.send(config.receiver, calls.refund(config, CLAIM - 1n));
  t.deepEqual((await chain.stateOf(channel)).withdrawal, NO_WITHDRAWAL);
  await chain.send(config.payer, calls.initiateWithdraw(config, CLAIM));
  await chain.send(config.receiver, calls.refund(config, DEPOSIT));
  t.deepEqual((await chain.stateOf(channel)).withdrawal, NO_WITHDRAWAL);
});

test.serial('a small refund does not delay a withdrawal', async (t) => {
  const channel = await chain.openNew();
  const { config } = channel;
  await chain.send(config.payer, calls.initiateWithdraw(config, DEPOSIT));
  await chain.passSeconds(DELAY_S - 60);
  await chain.send(config.receiver, calls.refund(config, 1n));
  await chain.passSeconds(60);
  await chain.send(config.payer, calls.finalizeWithdraw(config));
  t.is(await chain.balanceOf(config.payer), DEPOSIT);
});

test.serial('a full refund closes the channel, and a deposit creates it again', async (t) => {
  const channel = await chain.openNew();
  const { id, config } = channel;
  const closed = await chain.send(config.receiver, calls.refund(config, DEPOSIT));
  t.deepEqual(closed.at(-1), { eventName: 'ChannelClosed', args: { channelId: id, config } });
  const created = await chain.open(channel, CLAIM);
  t.deepEqual(created.at(0), { eventName: 'ChannelCreated', args: { channelId: id, config } });
  t.like(await chain.stateOf(channel), { balance: CLAIM, totalClaimed: 0n, refundNonce: 1n });
});

// Several calls in one transaction

test.serial('one transaction moves what is left to another channel', async (t) => {
  const from = await chain.openNew();
  const to = withConfig(from);
  await chain.claim(from, CLAIM);
  const signature = await signRefund(from.receiverAuthorizer, from.id, 0n, REST);
  const data = calls.multicall([
    calls.refundWithSignature(from.config, REST, 0n, signature),
    await encodeDeposit(to, REST),
  ]);
  await chain.send(createWallet().address, data);
  t.like(await chain.stateOf(from), { balance: CLAIM, totalClaimed: CLAIM });
  t.like(await chain.stateOf(to), { balance: REST, totalClaimed: 0n });
  t.is(await chain.balanceOf(from.config.payer), 0n);
});

test.serial('all calls of a transaction take effect, or none', async (t) => {
  const first = newChannel();
  const second = newChannel();
  const sender = createWallet().address;
  for (const { payer } of [first, second]) await chain.mint(payer.address, DEPOSIT);
  const deposits = [await encodeDeposit(first, DEPOSIT), await encodeDeposit(second, CLAIM)];
  const wrong = calls.multicall([...deposits, calls.deposit(second.config, 0n, sender, '0x')]);
  t.is(await chain.errorOf(sender, wrong), 'ZeroDeposit');
  t.is(await chain.errorOf(sender, calls.multicall(['0x'])), 'FailedCall');
  await chain.send(sender, calls.multicall(deposits));
  t.is((await chain.stateOf(first)).balance, DEPOSIT);
  t.is((await chain.stateOf(second)).balance, CLAIM);
});

// Views

test.serial('ids and digests are those of the official types', async (t) => {
  const { node, settlement } = chain;
  const channel = newChannel();
  const { config, id } = channel;
  t.is(await node.readContract({ ...settlement, functionName: 'getChannelId', args: [config] }), id);
  t.not(withConfig(channel).id, id);
  const voucher = { domain: DOMAIN, types: voucherTypes, primaryType: 'Voucher' } as const;
  t.is(
    await node.readContract({ ...settlement, functionName: 'getVoucherDigest', args: [id, CLAIM] }),
    hashTypedData({ ...voucher, message: { channelId: id, maxClaimableAmount: CLAIM } }),
  );
  const refund = { domain: DOMAIN, types: refundTypes, primaryType: 'Refund' } as const;
  t.is(
    await node.readContract({ ...settlement, functionName: 'getRefundDigest', args: [id, 7n, CLAIM] }),
    hashTypedData({ ...refund, message: { channelId: id, nonce: 7n, amount: CLAIM } }),
  );
  const batch = { domain: DOMAIN, types: claimBatchTypes, primaryType: 'ClaimBatch' } as const;
  const row = await claimRow(channel, CLAIM, 2n * CLAIM);
  const entry = { channelId: id, maxClaimableAmount: 2n * CLAIM, totalClaimed: CLAIM };
  for (const { rows, claims } of [
    { rows: [row], claims: [entry] },
    { rows: [], claims: [] },
  ]) {
    t.is(
      await node.readContract({ ...settlement, functionName: 'getClaimBatchDigest', args: [rows] }),
      hashTypedData({ ...batch, message: { claims } }),
    );
  }
});

test.serial('the constants are those of the specification', async (t) => {
  const { node, settlement } = chain;
  const read = <F extends 'MIN_WITHDRAW_DELAY' | 'MAX_WITHDRAW_DELAY'>(functionName: F) =>
    node.readContract({ ...settlement, functionName });
  t.is(await read('MIN_WITHDRAW_DELAY'), 900);
  t.is(await read('MAX_WITHDRAW_DELAY'), 2_592_000);
  const entry = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)';
  const types = {
    CHANNEL_CONFIG_TYPEHASH:
      'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
    VOUCHER_TYPEHASH: 'Voucher(bytes32 channelId,uint128 maxClaimableAmount)',
    REFUND_TYPEHASH: 'Refund(bytes32 channelId,uint256 nonce,uint128 amount)',
    CLAIM_ENTRY_TYPEHASH: entry,
    CLAIM_BATCH_TYPEHASH: `ClaimBatch(ClaimEntry[] claims)${entry}`,
  } as const;
  for (const functionName of [
    'CHANNEL_CONFIG_TYPEHASH',
    'VOUCHER_TYPEHASH',
    'REFUND_TYPEHASH',
    'CLAIM_ENTRY_TYPEHASH',
    'CLAIM_BATCH_TYPEHASH',
  ] as const) {
    t.is(await node.readContract({ ...settlement, functionName }), keccak256(toHex(types[functionName])), functionName);
  }
  const domain = await node.readContract({ ...settlement, functionName: 'eip712Domain' });
  t.deepEqual(domain, ['0x0f', DOMAIN.name, DOMAIN.version, 31337n, settlement.address, `0x${'0'.repeat(64)}`, []]);
});
