import test from 'ava';
import type { Hex } from 'viem';
import { createAuthorizer } from '../../../../services/payments/channels/authorizer.ts';
import { type ClaimRow, encodeClaim, storeRows } from '../../../../services/payments/channels/claim-rows.ts';
import { createClaimRules, createClaims } from '../../../../services/payments/channels/claims.ts';
import type { Fate, SendingContext, Started } from '../../../../services/payments/channels/transactions.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { TooLittleEtherError } from '../../../../services/payments/signer/transaction-sender.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { type Channel, newChannel } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, AUTHORIZER_KEY } from './channel-wire.ts';
import { callsIn, rowOf } from './claim-calls.ts';
import { createMemoryRecords, createStarts, signedOnce } from './memory-records.ts';
import { hex32, OTHER, refused, startWatchedChain, terms, UNKNOWN } from './watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());
test.beforeEach(() => chain.forget());

const keys = { typedData: createTypedData(terms), authorizer: createAuthorizer(AUTHORIZER_KEY) };

/** A channel that holds some tokens, a part of them claimed. */
async function newHolding(balance = 100n, claimed = 0n): Promise<Channel> {
  const channel = newChannel({ receiverAuthorizer: AUTHORIZER.address });
  await chain.open(channel, balance);
  if (claimed > 0n) await chain.claim(channel, claimed);
  return channel;
}

/** Rows of new channels that hold 100 each. */
async function rowsOf(...totals: readonly bigint[]): Promise<readonly ClaimRow[]> {
  const rows: ClaimRow[] = [];
  for (const total of totals) rows.push(await rowOf(await newHolding(), total));
  return rows;
}

/** Claims of which `start` says what becomes of a transaction with these channels. */
function open(start: (ids: readonly Hex[]) => Started | Error = () => 'started') {
  const memory = createMemoryRecords();
  const asked = createStarts(memory, ({ vouchers }) => start(vouchers.map(({ channelId }) => channelId)));
  const { starts, followed, options } = asked;
  const claims = createClaims(contextOf<SendingContext>({ ...keys, ...options, rpc: chain.rpc, blocks: chain.blocks }));
  return { memory, starts, followed, claims, sizes: () => starts.map(({ vouchers }) => vouchers.length) };
}

test.serial('claims are one transaction, which sends each receiver its money', async (t) => {
  const { claims, starts, followed, memory } = open();
  const rows = await rowsOf(5n, 6n);
  const { number: fromBlock } = await chain.latest();
  t.deepEqual(await claims.claim(rows, 77), { transactions: [hex32(1)], refused: [] });
  t.is(starts.length, 1);
  const { id, data, accounts, vouchers } = defined(starts[0]);
  const names = callsIn(data).map(({ functionName }) => functionName);
  t.deepEqual(names, ['claimWithSignature', 'settle', 'settle']);
  t.deepEqual([accounts, vouchers], [[], rows.map(({ voucher }) => voucher)]);
  t.deepEqual(followed, [`${id} 77`]);
  t.like(memory.known.get(id), { kind: 'claim', request: storeRows(rows), fromBlock });
  t.true((await chain.mine(data)).isDone, 'the contract takes it');
  for (const { config, totalClaimed } of rows) t.is(await chain.balanceOf(config.receiver), totalClaimed);
});

for (const [name, balance, claimed, charged, expected] of [
  ['more than is claimed', 100n, 4n, 5n, 5n],
  ['what is claimed already', 100n, 5n, 5n, undefined],
  ['less than is claimed', 100n, 6n, 5n, undefined],
  ['more than the contract holds', 7n, 3n, 9n, 7n],
  ['more than the contract holds, all of which is claimed', 7n, 7n, 9n, undefined],
] as const) {
  test.serial(`a claim of ${name} is ${expected === undefined ? 'not sent' : `of ${expected}`}`, async (t) => {
    const { claims, starts, memory } = open();
    const channel = await newHolding(balance, claimed);
    const row = await rowOf(channel, charged);
    await claims.claim([row], 77);
    const sent = starts.map(({ id }) => memory.known.get(id)?.request);
    t.deepEqual(sent, expected === undefined ? [] : [storeRows([{ ...row, totalClaimed: expected }])]);
    if (expected === undefined) return;
    t.true((await chain.mine(defined(starts[0]).data)).isDone);
    t.is((await chain.stateOf(channel)).totalClaimed, expected);
  });
}

test.serial('nothing is sent for no claims', async (t) => {
  const { claims, starts } = open();
  t.deepEqual([await claims.claim([], 77), starts], [{ transactions: [], refused: [] }, []]);
});

test.serial('a claim that is under way is waited for, unless it is for less', async (t) => {
  const { claims, starts, followed, memory } = open();
  const rows = await rowsOf(5n);
  memory.put(signedOnce({ id: 'claim:x', kind: 'claim', request: storeRows(rows), fromBlock: 1n }, UNKNOWN));
  t.deepEqual(await claims.claim(rows, 77), { transactions: [], refused: [] });
  t.deepEqual([starts, followed], [[], ['claim:x 77']]);
  const more = rows.map((row) => ({ ...row, totalClaimed: 6n }));
  t.is((await claims.claim(more, 77)).transactions.length, 1);
  followed.length = 0;
  await claims.claim(await rowsOf(5n), 77);
  t.deepEqual(followed, [`${starts.at(-1)?.id} 77`], 'of another channel');
});

test.serial('a transaction that ended is named by the one that was mined', async (t) => {
  const { claims, memory } = open();
  const { find } = memory.records;
  memory.records.find = async (id) => {
    const found = await find(id);
    return found && { ...found, ending: { state: 'done', transaction: OTHER } };
  };
  t.deepEqual((await claims.claim(await rowsOf(5n), 77)).transactions, [OTHER]);
});

test.serial('claims are split until the bad one is alone', async (t) => {
  const rows = await rowsOf(1n, 2n, 3n, 4n, 5n);
  const bad = defined(rows[3]).voucher.channelId;
  const { claims, sizes } = open((ids) => (ids.includes(bad) ? 'reverts' : 'started'));
  const { transactions, refused } = await claims.claim(rows, 77);
  t.deepEqual(refused, [bad]);
  t.deepEqual(sizes(), [5, 3, 2, 1, 1]);
  t.is(transactions.length, 2);
});

test.serial('claims that cost too much together are split, and one that costs too much alone is a fault', async (t) => {
  const expensive = new ServiceError('PAYMENT_UNAVAILABLE', 'x', { cause: new TooLittleEtherError() });
  const rows = await rowsOf(1n, 2n);
  const { claims, sizes } = open((ids) => (ids.length > 1 ? expensive : 'started'));
  t.is((await claims.claim(rows, 77)).transactions.length, 2);
  t.deepEqual(sizes(), [2, 1, 1]);
  for (const [error, count] of [
    [expensive, 1],
    [new ServiceError('PAYMENT_UNAVAILABLE', 'x', { cause: new Error('no answer') }), 2],
    [new TooLittleEtherError(), 2],
  ] as const) {
    const failing = open(() => error);
    t.is(await t.throwsAsync(failing.claims.claim(rows.slice(0, count), 77)), error);
    t.deepEqual(failing.sizes(), [count], 'it is not split');
  }
});

/** The call of a claim, which anyone may send. */
const claimData = (rows: readonly ClaimRow[]) => encodeClaim(keys, rows);
const FAILED = refused('claim_transaction_failed');

for (const [fate, claimed, isFinal, isMined, expected] of [
  ['waiting', 5n, true, true, 'wait'],
  ['unsigned', 5n, true, true, 'wait'],
  ['mined', 5n, true, true, 'done'],
  ['mined', 6n, true, true, 'done'],
  ['mined', 5n, false, true, FAILED],
  ['mined', 4n, true, true, FAILED],
  ['mined', 5n, true, false, 'wait'],
  ['reverted', 5n, true, false, FAILED],
  ['replaced', 4n, true, false, FAILED],
] as const satisfies readonly (readonly [Fate, bigint, boolean, boolean, unknown])[]) {
  const block = isFinal ? 'final block' : 'later block';
  const by = isMined ? 'itself' : 'another';
  test.serial(`a claim of 5 that is ${fate}, with ${claimed} claimed in a ${block} by ${by}`, async (t) => {
    const channels = [await newHolding(), await newHolding()];
    const rows = await Promise.all(channels.map((channel) => rowOf(channel, 5n)));
    const reverted = await chain.mine('0x12345678');
    const { hash } = await chain.mine(claimData(rows.slice(0, 1)));
    const last = await chain.mine(claimData([await rowOf(defined(channels[1]), claimed)]));
    t.deepEqual([reverted.isDone, last.isDone], [false, true]);
    const request = storeRows(rows);
    const transactions = isMined ? [reverted.hash, hash] : [reverted.hash];
    const transaction = signedOnce({ id: 'claim:1', kind: 'claim', request, fromBlock: 1n }, UNKNOWN);
    const place = await chain.at(fate, { back: isFinal ? 0n : 1n, isMined });
    const decision = await createClaimRules(chain.rpc).decide({ ...transaction, transactions }, place);
    t.deepEqual(decision, expected === 'done' ? { state: 'done', transaction: hash } : expected);
  });
}
