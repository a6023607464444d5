import test from 'ava';
import { createAuthorizer } from '../../../../services/payments/channels/authorizer.ts';
import type { ChannelContext } from '../../../../services/payments/channels/channel-context.ts';
import { createRefundRules, createRefunds } from '../../../../services/payments/channels/refunds.ts';
import type { ChannelTransaction, Ending } from '../../../../services/payments/channels/transaction-records.ts';
import type { SendingContext, Started } from '../../../../services/payments/channels/transactions.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { calls, newChannel } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, AUTHORIZER_KEY } from './channel-wire.ts';
import { callsIn, rowOf } from './claim-calls.ts';
import { createMemoryRecords, createStarts, signedOnce } from './memory-records.ts';
import { done, refused, startWatchedChain, stateOf, terms, UNKNOWN } from './watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());
test.beforeEach(() => chain.forget());

const { at } = chain;
const typedData = createTypedData(terms);
const authorizer = createAuthorizer(AUTHORIZER_KEY);
const NO_BALANCE = refused('refund_no_balance');

interface Setting {
  readonly balance?: bigint;
  readonly claimed?: bigint;
  readonly started?: Started;
  readonly storedNonce?: bigint;
}

/** Refunds of a channel that has 100, 10 of it claimed, and of which 1 was refunded before. */
async function open({ balance = 100n, claimed = 10n, started = 'started', storedNonce = 0n }: Setting = {}) {
  const memory = createMemoryRecords();
  const channel = newChannel({ receiverAuthorizer: AUTHORIZER.address });
  /** A refund that the receiver makes without us. */
  const pay = (amount: bigint) =>
    chain.mine(calls.refund(channel.config, amount), { from: channel.config.receiverAuthorizer });
  await chain.open(channel, balance + 1n);
  await chain.node.impersonateAccount({ address: AUTHORIZER.address });
  await chain.node.setBalance({ address: AUTHORIZER.address, value: 10n ** 18n });
  await pay(1n);
  if (claimed > 0n) await chain.claim(channel, claimed);
  const { options: stubs, ...asked } = createStarts(memory, () => started);
  const noted: unknown[] = [];
  const options = {
    rpc: chain.rpc,
    blocks: chain.blocks,
    typedData,
    authorizer,
    channels: {
      note: async (states: readonly unknown[]) => void noted.push(...states),
      refundNonce: async () => storedNonce,
    },
    records: memory.records,
  };
  const refunds = createRefunds(contextOf<SendingContext>({ ...options, ...stubs }));
  const refund = async (amount: bigint, charged?: bigint, refundId = 'r1') => {
    const claim = charged === undefined ? undefined : await rowOf(channel, charged);
    return refunds.refund({ refundId, channelId: channel.id, config: channel.config, amount, claim }, 77);
  };
  return {
    ...{ ...asked, memory, channel, noted, refunds, refund, pay },
    rules: createRefundRules(contextOf<ChannelContext>(options)),
    async stored(amount = 40n): Promise<ChannelTransaction> {
      await refund(amount);
      return defined(memory.known.get('refund:r1'));
    },
    /** Sends the refund that was started, as anyone can. */
    send: () => chain.mine(defined(asked.starts[0]).data),
  };
}

test.serial('a refund is signed for the nonce of its channel, and sent under its locks', async (t) => {
  const { refund, starts, locked, followed, channel, memory, send } = await open();
  const { number } = await chain.latest();
  t.is(await refund(40n), undefined);
  const [call] = starts;
  const { functionName, args } = defined(callsIn(defined(call).data)[0]);
  t.is(functionName, 'refundWithSignature');
  t.deepEqual(args?.slice(1), [40n, 1n, authorizer.sign(typedData.refundDigest(channel.id, 1n, 40n))]);
  t.deepEqual([call?.vouchers, call?.accounts], [[], [channel.config.payerAuthorizer]], 'something was claimed of it');
  t.deepEqual(locked, [`channel-refunds:${channel.id}`, 'channel-transaction:refund:r1']);
  t.deepEqual(followed, ['refund:r1 77']);
  t.is(memory.known.get('refund:r1')?.fromBlock, number);
  t.true((await send()).isDone, 'the contract takes it');
  t.like(await chain.stateOf(channel), { balance: 60n, totalClaimed: 10n, refundNonce: 2n });
  await refund(40n);
  t.is(starts.length, 1, 'it is sent once');
});

for (const [balance, claimed, charged, amount, expected] of [
  [100n, 10n, undefined, 90n, undefined],
  [100n, 10n, undefined, 91n, 'refund_amount_invalid'],
  [100n, 10n, undefined, 0n, 'refund_amount_invalid'],
  [100n, 10n, undefined, 1n, undefined],
  [100n, 10n, 30n, 70n, undefined],
  [100n, 10n, 30n, 71n, 'refund_amount_invalid'],
  [100n, 10n, 5n, 90n, undefined],
  [100n, 10n, 5n, 91n, 'refund_amount_invalid'],
  [10n, 10n, undefined, 1n, 'refund_no_balance'],
  [30n, 10n, 30n, 1n, 'refund_no_balance'],
  [31n, 10n, 30n, 1n, undefined],
] as const) {
  test.serial(`a refund of ${amount} of ${balance}, ${claimed} claimed, ${charged} charged: ${expected}`, async (t) => {
    const { refund, memory, starts } = await open({ balance, claimed });
    const { number: fromBlock } = await chain.latest();
    t.deepEqual(await refund(amount, charged), expected && refused(expected));
    t.is(starts.length, expected === undefined ? 1 : 0);
    if (expected) t.like(memory.known.get('refund:r1'), { request: '{}', fromBlock, kind: 'refund' });
  });
}

for (const [started, reason] of [
  ['reverts', 'refund_simulation_failed'],
  ['too_much_gas', 'too_much_gas_today'],
] as const) {
  test.serial(`a refund that is not started because of ${started} is refused for good`, async (t) => {
    const { refund, starts } = await open({ started });
    t.deepEqual(await refund(40n), refused(reason));
    t.deepEqual(await refund(40n), refused(reason));
    t.is(starts.length, 1);
  });
}

test.serial('one refund of a channel is under way at a time, and others do not wait for it', async (t) => {
  const { refund, memory, channel, stored } = await open();
  const one = await stored();
  t.deepEqual(await refund(40n, undefined, 'r2'), refused('channel_busy'));
  memory.put({ ...one, ending: NO_BALANCE });
  t.is(await refund(40n, undefined, 'r3'), undefined);
  const other = await open();
  other.memory.put({ ...one, id: 'refund:x' });
  t.not(other.channel.id, channel.id);
  t.is(await other.refund(40n), undefined);
});

test.serial('a node that lacks an earlier refund of the channel is not believed', async (t) => {
  t.is(await (await open({ storedNonce: 1n })).refund(40n), undefined);
  const { refund, memory } = await open({ storedNonce: 2n });
  await t.throwsAsync(refund(40n), { message: /lacks an earlier refund/ });
  t.is(memory.known.size, 0);
});

const WITH_CLAIM = ['claimWithSignature', 'refundWithSignature', 'settle'];
const ALONE = ['refundWithSignature'];
for (const [name, claimed, charged, amount, names, isUncharged, left] of [
  ['all that is left', 10n, 30n, 70n, WITH_CLAIM, false, { balance: 30n, totalClaimed: 30n }],
  ['less than what is left', 10n, 30n, 69n, ALONE, false, { balance: 31n, totalClaimed: 10n }],
  ['all that is left after a claim', 30n, 30n, 70n, ALONE, false, { balance: 30n, totalClaimed: 30n }],
  ['a channel that was never charged', 0n, undefined, 100n, ALONE, true, { balance: 0n, totalClaimed: 0n }],
  ['a channel whose first charge is not claimed', 0n, 30n, 70n, WITH_CLAIM, false, { balance: 30n, totalClaimed: 30n }],
] as const) {
  test.serial(`a refund of ${name} makes the calls ${names}`, async (t) => {
    const { refund, channel, starts, send } = await open({ claimed });
    await refund(amount, charged);
    const call = defined(starts[0]);
    const called: readonly string[] = callsIn(call.data).map(({ functionName }) => functionName);
    t.deepEqual(called, names);
    t.is(call.vouchers.length, names.length > 1 ? 1 : 0);
    if (names.length > 1) t.like(call.vouchers[0], { channelId: channel.id, maxClaimableAmount: charged });
    const { payerAuthorizer } = channel.config;
    t.deepEqual(call.accounts, isUncharged ? [payerAuthorizer, 'uncharged'] : [payerAuthorizer]);
    t.true((await send()).isDone);
    t.like(await chain.stateOf(channel), left);
    t.is(await chain.balanceOf(channel.payer.address), amount + 1n);
    if (names.length > 1) t.is(await chain.balanceOf(channel.config.receiver), 30n);
  });
}

test.serial('a refund is shown by a state with a higher nonce', async (t) => {
  const { refunds, stored, channel } = await open();
  await stored();
  t.false(await refunds.isShown('r1', stateOf(channel.id, { refundNonce: 1n })));
  t.true(await refunds.isShown('r1', stateOf(channel.id, { refundNonce: 2n })));
});

test.serial('a refund that is not known is refused for good, and another one is followed', async (t) => {
  const { refunds, refund, starts, stored, memory, channel, followed, locked } = await open();
  const unknown: Ending = { state: 'refused', reason: 'refund_not_known' };
  const { number: fromBlock } = await chain.latest();
  t.deepEqual(await refunds.resolve('r0', 5), { ending: unknown });
  t.like(memory.known.get('refund:r0'), { kind: 'refund', request: '{}', fromBlock, ending: unknown });
  t.deepEqual(locked, ['channel-transaction:refund:r0']);
  t.deepEqual(await refunds.resolve('r0', 5), { ending: unknown });
  t.deepEqual([await refund(40n, undefined, 'r0'), starts], [unknown, []], 'also if it arrives later');
  const known = await stored();
  followed.length = 0;
  t.deepEqual(await refunds.resolve('r1', 5), { channelId: channel.id, ending: undefined });
  t.deepEqual(followed, ['refund:r1 5']);
  const ending = done(UNKNOWN, 40n);
  memory.put({ ...known, ending });
  t.deepEqual(await refunds.resolve('r1', 5), { channelId: channel.id, ending });
  t.is(followed.length, 1);
});

for (const [fate, expected] of [
  ['waiting', 'wait'],
  ['mined', 'wait'],
  ['unsigned', 'wait'],
  ['reverted', 'again'],
  ['replaced', 'again'],
] as const) {
  test.serial(`a refund that is ${fate}, and shown by no final block: ${expected}`, async (t) => {
    const { rules, stored, starts, pay } = await open();
    const transaction = await stored();
    const { vouchers, accounts, data } = defined(starts[0]);
    // It uses up the nonce in a block that is not final.
    await pay(1n);
    const again = { state: 'again', data, vouchers, accounts } as const;
    t.deepEqual(await rules.decide(transaction, await at(fate, { back: 1n })), expected === 'again' ? again : expected);
  });
}

test.serial('before a refund ends, the final state of its channel is stored', async (t) => {
  const { rules, stored, channel, noted, pay } = await open();
  const transaction = await stored();
  await pay(1n);
  await rules.beforeEnding?.(transaction, NO_BALANCE, await at('mined', { back: 1n }));
  t.like(noted, [{ channelId: channel.id, balance: 100n, totalClaimed: 10n, refundNonce: 1n }]);
  t.is(noted.length, 1);
});

/** How the nonce is used up. The refund is of 40. */
const [OWN, STRANGERS] = ['own', 'strangers'] as const;
for (const [name, { claimed, sent = OWN, hasReceipt = true, amount }, expected] of [
  ['by itself', { amount: 40n }, OWN],
  ['by itself, of what was left', { claimed: 61n, amount: 39n }, OWN],
  ['by itself, of which the node has no receipt', { claimed: 61n, hasReceipt: false, amount: 39n }, OWN],
  ['by a stranger who sent it first', { sent: STRANGERS, amount: 40n }, STRANGERS],
  ['by a refund of another amount', { sent: STRANGERS, amount: 39n }, undefined],
] as const satisfies readonly (readonly [
  string,
  { claimed?: bigint; sent?: typeof OWN | typeof STRANGERS; hasReceipt?: boolean; amount: bigint },
  unknown,
])[]) {
  test.serial(`a refund whose nonce is used up ${name} is ${expected ? 'made' : 'refused'}`, async (t) => {
    const { rules, stored, send, pay, channel, memory } = await open();
    const transaction = await stored();
    if (claimed) await chain.claim(channel, claimed);
    const { hash } = sent === OWN || amount === 40n ? await send() : await pay(amount);
    // A refund of another channel in the same transaction.
    const other = await (await open()).stored();
    memory.put({ ...other, id: 'refund:r9', ending: done(hash, 40n) });
    if (!hasReceipt) chain.tell('eth_getTransactionReceipt', null);
    const signed = sent === OWN ? { ...transaction, transactions: [UNKNOWN, hash] } : transaction;
    const decision = await rules.decide(signed, await at('mined'));
    t.deepEqual(decision, expected ? done(hash, amount) : NO_BALANCE);
  });
}

test.serial('a refund of a stranger is of a block after the one in which it was signed', async (t) => {
  const { rules, stored, send } = await open();
  const transaction = await stored();
  const { hash, block } = await send();
  for (const [fromBlock, expected] of [
    [block.number - 1n, done(hash, 40n)],
    [block.number, NO_BALANCE],
  ] as const) {
    t.deepEqual(await rules.decide({ ...transaction, fromBlock }, await at('mined')), expected);
  }
});

for (const isKnown of [false, true]) {
  test.serial(`of two refunds of one amount, the ${isKnown ? 'unknown' : 'first'} one counts`, async (t) => {
    const { rules, stored, pay, memory } = await open();
    const transaction = await stored();
    const [first, second] = [await pay(40n), await pay(40n)];
    if (isKnown) memory.put({ ...transaction, id: 'refund:r0', ending: done(first.hash, 40n) });
    const found = isKnown ? second : first;
    t.deepEqual(await rules.decide(transaction, await at('mined')), done(found.hash, 40n));
  });
}

test.serial('a refund of its own counts before one of a stranger', async (t) => {
  const { rules, stored, pay } = await open();
  const transaction = await stored();
  await pay(40n);
  const { hash } = await pay(30n);
  chain.tell('eth_getTransactionReceipt', null);
  const decision = await rules.decide({ ...transaction, transactions: [hash] }, await at('mined'));
  t.deepEqual(decision, done(hash, 30n));
});

test.serial('a record of a refund that is malformed is not believed', async (t) => {
  const { rules } = await open();
  const transaction = signedOnce({ id: 'refund:1', kind: 'refund', request: '{}', fromBlock: 1n }, UNKNOWN);
  await t.throwsAsync(rules.decide(transaction, await at('waiting')), { message: /record of refund:1 is malformed/ });
});
