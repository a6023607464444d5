import test from 'ava';
import { type Hex, serializeTransaction } from 'viem';
import { TRANSFER, topicOf, USED } from '../../../../services/payments/chain/authorization-use.ts';
import { COLLECTOR } from '../../../../services/payments/channels/addresses.ts';
import type { Ending } from '../../../../services/payments/channels/transaction-records.ts';
import type { Fate } from '../../../../services/payments/channels/transactions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { burningAfter } from '../burning-code.ts';
import { calls } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, MIN_DEPOSIT, newDeposit } from './channel-wire.ts';
import { chain, open } from './deposit-setting.ts';
import { signedOnce } from './memory-records.ts';
import { done as doneWith, hex32, PAY_TO, type RawLog, receiptOf, refused, UNKNOWN } from './watched-chain.ts';

test.after.always(() => chain.stop());
test.beforeEach(() => chain.forget());

const { at } = chain;
const done = (transaction: Hex) => doneWith(transaction, MIN_DEPOSIT);
const FAILED = refused('deposit_transaction_failed');
const LATE = refused('payload_authorization_valid_before');
const tellReceipt = (receipt: object | null) => chain.tell('eth_getTransactionReceipt', receipt);

test.serial('a deposit is sent under its lock, for its payer, and its channel is stored before', async (t) => {
  const { deposit, starts, remembered, locked, followed, channel, payer, id, steps, memory } = await open();
  const { number } = await chain.latest();
  t.is(await deposit(), undefined);
  t.like(starts, [{ id, vouchers: [], accounts: [payer, 'deposits'] }]);
  t.deepEqual(remembered, [[channel.id, channel.config, number]]);
  t.deepEqual([locked, followed], [[`channel-transaction:${id}`], [`${id} 77`]]);
  t.is(steps.admitted, 1);
  t.is(memory.known.get(id)?.fromBlock, number);
  t.true((await chain.mine(defined(starts[0]).data)).isDone, 'the contract takes it');
  t.is((await chain.stateOf(channel)).balance, MIN_DEPOSIT);
  await deposit();
  t.deepEqual([starts.length, steps.admitted, followed.length], [1, 1, 2], 'it is sent once');
});

test.serial('the gas of a deposit is reserved for its address range', async (t) => {
  const range = 'a'.repeat(64);
  const { deposit, starts, payer } = await open({ range });
  await deposit();
  t.deepEqual(starts[0]?.accounts, [payer, 'deposits', `range:${range}`]);
});

for (const [name, ending, isTriedAgain] of [
  ['was refused', refused('insufficient_balance'), true],
  ['failed in a transaction', FAILED, false],
  ['is done', done(UNKNOWN), false],
] as const) {
  test.serial(`a deposit that ${name} is ${isTriedAgain ? '' : 'not '}tried again`, async (t) => {
    const { deposit, memory, starts, id } = await open();
    memory.put(signedOnce({ id, kind: 'deposit', request: '{}', fromBlock: 1n }, UNKNOWN, { ending }));
    await deposit();
    t.is(starts.length, isTriedAgain ? 1 : 0);
  });
}

for (const [name, setting, reason, starts] of [
  ['that would be reverted', { started: 'reverts' }, 'deposit_simulation_failed', 1],
  ['without gas of today', { started: 'too_much_gas' }, 'too_much_gas_today', 1],
  ['of a payer with too many failures', { isThrottled: true }, 'too_many_failures', 0],
  ['of a payer with too few tokens', { funds: MIN_DEPOSIT - 1n }, 'insufficient_balance', 0],
] as const) {
  test.serial(`a deposit ${name} is refused, and nothing is stored`, async (t) => {
    const stack = await open(setting);
    t.deepEqual(await stack.deposit(), refused(reason));
    t.is(stack.starts.length, starts);
    t.deepEqual([stack.remembered, stack.followed, [...stack.memory.known]], [[], [], []]);
  });
}

const NO_ANSWER = new Error('no answer');
const signer = createWallet();
for (const [name, code, expected] of [
  ['of an account is refused', undefined, refused('receive_authorization_signature')],
  ['that a wallet with code accepts is sent', burningAfter(2n ** 32n - 1n), undefined],
  ['that a wallet with code refuses is refused', '0xfe', refused('deposit_simulation_failed')],
] as const) {
  test.serial(`a signature by another key ${name}`, async (t) => {
    const stack = await open({ changes: { signer } });
    if (code) await chain.node.setCode({ address: stack.payer, bytecode: code });
    t.deepEqual(await stack.deposit(), expected);
    const accounts = stack.starts.map((call) => call.accounts);
    t.deepEqual(accounts, expected === undefined ? [[stack.payer, 'code', 'deposits']] : []);
  });
}

test.serial('without an answer of the node, nothing is said of a wallet with code', async (t) => {
  const stack = await open({ changes: { signer }, estimateFails: NO_ANSWER });
  await chain.node.setCode({ address: stack.payer, bytecode: '0xfe' });
  t.is(await t.throwsAsync(stack.deposit()), NO_ANSWER);
});

test.serial('a deposit that a stranger sent is found, although it is no longer valid', async (t) => {
  const stack = await open();
  const { block } = await stack.send();
  stack.clock.nowS = stack.validBefore;
  t.is(await stack.deposit(), undefined);
  t.deepEqual(stack.starts, []);
  t.like(stack.memory.known.get(stack.id), { fromBlock: block.number, transactions: [], kind: 'deposit' });
  t.is(stack.remembered.length, 1);
  const unsent = await open();
  unsent.clock.nowS = unsent.validBefore;
  t.deepEqual(await unsent.deposit(), LATE);
});

test.serial('a used deposit without a proof, or with another fault, is refused', async (t) => {
  const stack = await open();
  const { hash } = await stack.send();
  const receipt = await receiptOf(chain, hash, () => []);
  tellReceipt(receipt);
  t.deepEqual(await stack.deposit(), FAILED);
  t.deepEqual([stack.remembered, [...stack.memory.known]], [[], []]);
  const malformed = await open({ changes: { scheme: 'exact' } });
  await malformed.send();
  t.deepEqual(await malformed.deposit(), refused('scheme'));
});

for (const [name, { fate, isSent = false, back = 0n, leftS = 500n }, expected] of [
  ['waits', { fate: 'waiting' }, 'wait'],
  ['was not signed here', { fate: 'unsigned' }, 'wait'],
  ['was reverted', { fate: 'reverted' }, FAILED],
  ['was not mined in time', { fate: 'waiting', leftS: 0n }, LATE],
  ['may be mined for a second', { fate: 'waiting', leftS: 1n }, 'wait'],
  ['is in a final block', { fate: 'mined', isSent: true }, 'done'],
  ['is in a final block after its time', { fate: 'mined', isSent: true, leftS: 0n }, 'done'],
  ['is used in a block that is not final', { fate: 'waiting', isSent: true, back: 1n }, 'wait'],
  ['was sent by a stranger after ours was reverted', { fate: 'reverted', isSent: true }, 'done'],
] as const satisfies readonly (readonly [
  string,
  { fate: Fate; isSent?: boolean; back?: bigint; leftS?: bigint },
  unknown,
])[]) {
  test.serial(`a deposit that ${name}`, async (t) => {
    const stack = await open();
    const stored = await stack.stored();
    const sent = isSent ? await stack.send() : undefined;
    const place = await at(fate, { back, timestamp: stack.validBefore - leftS });
    const decision = await stack.rules.decide(stored, place);
    t.deepEqual(decision, expected === 'done' ? done(defined(sent).hash) : expected);
  });
}

test.serial('a deposit whose transaction is in a later block now is not final', async (t) => {
  const stack = await open();
  const { hash, block } = await stack.send();
  const stored = await stack.stored({ transactions: [hash] });
  const place = await at('mined');
  const blockNumber: Hex = `0x${(block.number + 1n).toString(16)}`;
  const receipt = await receiptOf(chain, hash, (logs) => logs.map((log) => ({ ...log, blockNumber })));
  tellReceipt(receipt);
  t.is(await stack.rules.decide(stored, place), 'wait');
});

test.serial('a deposit whose nonce was taken is sent again, with what was stored', async (t) => {
  const stack = await open();
  const stored = await stack.stored();
  const { data, accounts, vouchers } = defined(stack.starts[0]);
  t.deepEqual(await stack.rules.decide(stored, await at('replaced')), { state: 'again', data, accounts, vouchers });
});

const OTHER = topicOf(PAY_TO);
type Change = (log: RawLog) => Partial<RawLog>;
const withTopic = (n: number, topic: Hex): Change => {
  return ({ topics }) => ({ topics: topics.map((each, i) => (i === n ? topic : each)) as RawLog['topics'] });
};
const asIs: Change = () => ({});
for (const [name, use, transfer, isProof] of [
  ['as they are', asIs, asIs, true],
  ['of another amount', asIs, () => ({ data: hex32(Number(MIN_DEPOSIT) - 1) }), false],
  ['of a transfer to another', asIs, withTopic(2, OTHER), false],
  ['of a transfer from another', asIs, withTopic(1, OTHER), false],
  ['of a transfer of another token', asIs, () => ({ address: PAY_TO }), false],
  ['of no transfer', asIs, withTopic(0, USED), false],
  ['of another token', () => ({ address: PAY_TO }), asIs, false],
  ['of no use', withTopic(0, TRANSFER), asIs, false],
  ['of the use by another', withTopic(1, OTHER), asIs, false],
  ['of the use of another nonce', withTopic(2, hex32(1)), asIs, false],
  ['without the transfer', asIs, undefined, false],
] as const satisfies readonly (readonly [string, Change, Change | undefined, boolean])[]) {
  test.serial(`logs ${name} are ${isProof ? 'a' : 'no'} proof of a deposit`, async (t) => {
    const stack = await open();
    const { hash } = await stack.send();
    const stored = await stack.stored({ transactions: [hash] });
    const result = await receiptOf(chain, hash, (logs) => {
      const i = logs.findIndex(({ topics }) => topics[0] === USED);
      const [used, moved] = [defined(logs[i]), defined(logs[i + 1])];
      return [{ ...used, ...use(used) }, ...(transfer ? [{ ...moved, ...transfer(moved) }] : [])];
    });
    tellReceipt(result);
    const place = await at('mined');
    t.deepEqual(await stack.rules.decide(stored, place), isProof ? done(hash) : FAILED);
    tellReceipt({ ...result, status: '0x0' });
    t.deepEqual(await stack.rules.decide(stored, place), FAILED);
  });
}

test.serial('a deposit that a stranger sent is found by its event, from 128 blocks before on', async (t) => {
  const stack = await open();
  const stored = await stack.stored();
  // Another deposit to the same channel.
  const earlier = await newDeposit(stack.channel, { validBefore: stack.validBefore });
  await chain.mint(stack.payer, MIN_DEPOSIT);
  await chain.mine(calls.deposit(stack.channel.config, MIN_DEPOSIT, COLLECTOR, earlier.collectorData));
  const { hash, block } = await stack.send();
  for (const [before, expected] of [
    [128n, done(hash)],
    [129n, FAILED],
  ] as const) {
    const fromBlock = block.number + before;
    t.deepEqual(await stack.rules.decide({ ...stored, fromBlock }, await at('mined')), expected);
  }
});

test.serial('a record that is malformed is not believed', async (t) => {
  const { rules } = await open();
  const transaction = signedOnce({ id: 'deposit:1', kind: 'deposit', request: '{}', fromBlock: 1n }, UNKNOWN);
  await t.throwsAsync(rules.decide(transaction, await at('waiting')), { message: /record of deposit:1 is malformed/ });
});

const serialized = serializeTransaction({ chainId: 1, gas: 1000n, to: PAY_TO, type: 'eip1559' });
for (const [name, fate, gasUsed, hasCode, expected] of [
  ['mined', 'mined', 500n, true, false],
  ['replaced', 'replaced', 0n, false, undefined],
  ['waiting', 'waiting', 0n, false, undefined],
  ['reverted', 'reverted', 750n, false, false],
  ['reverted with nearly all of its gas', 'reverted', 751n, false, true],
  ['reverted, with a payer that has code,', 'reverted', 1n, true, true],
] as const) {
  test.serial(`whether all payers with code lost the gas of a deposit that was ${name}: ${expected}`, async (t) => {
    const stack = await open();
    const stored = await stack.stored({ signed: { nonce: 5, serialized } });
    if (hasCode) await chain.node.setCode({ address: stack.payer, bytecode: '0xfe' });
    t.is(await stack.rules.isLostByCode?.(stored, await at(fate, { gasUsed })), expected);
  });
}

test.serial('before a deposit ends as done, the final state of its channel is stored', async (t) => {
  const stack = await open();
  const stored = await stack.stored({ signed: undefined });
  const { hash, block } = await stack.send();
  // A later state, which is not final.
  await chain.send(AUTHORIZER.address, calls.refund(stack.channel.config, 1n));
  await stack.rules.beforeEnding?.(stored, done(hash), { ...(await at('unsigned')), confirmed: block });
  t.like(stack.noted, [{ channelId: stack.channel.id, balance: MIN_DEPOSIT, block: block.number }]);
});

for (const [name, ending, { fate = 'waiting', leftS, hadCode, hasCode, isSigned = true }, isCounted] of [
  ['that is done', done(UNKNOWN), {}, false],
  ['that was reverted, and that a stranger sent then', done(UNKNOWN), { fate: 'reverted', leftS: 1n }, true],
  ['that was refused', FAILED, {}, true],
  ['that was not mined in time', LATE, {}, false],
  ['that was not signed here', FAILED, { isSigned: false }, false],
  ['that was reverted in time', FAILED, { fate: 'reverted', leftS: 1n }, true],
  ['that was reverted late', FAILED, { fate: 'reverted', leftS: 0n }, false],
  ['that code reverted late', FAILED, { fate: 'reverted', leftS: 0n, hasCode: true }, true],
  ['that had code, reverted late', FAILED, { fate: 'reverted', leftS: 0n, hadCode: true }, true],
] as const satisfies readonly (readonly [
  string,
  Ending,
  { fate?: Fate; leftS?: bigint; hadCode?: boolean; hasCode?: boolean; isSigned?: boolean },
  boolean,
])[]) {
  test.serial(`a deposit ${name} is ${isCounted ? '' : 'not '}a failure of its payer`, async (t) => {
    const stack = await open();
    const setCode = (bytecode: Hex) => chain.node.setCode({ address: stack.payer, bytecode });
    if (hadCode) await setCode('0xfe');
    const stored = await stack.stored(isSigned ? {} : { signed: undefined });
    await setCode(hasCode ? '0xfe' : '0x');
    const reverted = await chain.mine('0x12345678');
    t.false(reverted.isDone);
    const validBefore = `${reverted.block.timestamp + (leftS ?? 1n)}`;
    const request = JSON.stringify({ ...JSON.parse(stored.request), validBefore });
    const place = await at(fate, { minedIn: [reverted.block.number] });
    await stack.rules.afterEnding?.({ ...stored, request }, ending, place);
    t.deepEqual(stack.failures, isCounted ? [stack.payer] : []);
  });
}

// One node shows that the authorization is used, and the event. The next one does not have the receipt yet.
for (const by of ['us', 'a stranger', 'a request']) {
  test.serial(`a deposit by ${by} is not refused for good, because a node lacks its receipt`, async (t) => {
    const stack = await open();
    const stored = by === 'a request' ? undefined : await stack.stored();
    const { hash } = await stack.send();
    const place = await at(by === 'us' ? 'mined' : 'waiting');
    tellReceipt(null);
    const answer = stored
      ? stack.rules.decide(by === 'us' ? { ...stored, transactions: [hash] } : stored, place)
      : stack.deposit();
    const found = await answer.catch((error: unknown) => error);
    t.is((await chain.stateOf(stack.channel)).balance, MIN_DEPOSIT, 'the contract has it');
    t.notDeepEqual(found, FAILED);
  });
}
